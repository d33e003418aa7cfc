/**
 * Whether the time of an answer to a request for a login tells that an address has an account: requests for known and
 * unknown addresses alternate at random, one at a time. The peer is the same comparison between two sets of known
 * addresses. `--long`: ten times as many.
 */
import { sql } from 'kysely';
import { loginRoutes } from '../src/api/billing/log-in.ts';
import {
  finishReport,
  heading,
  LONG,
  median,
  note,
  reportMetric,
  withTempFolder,
} from '../test/support/benchmark-report.ts';
import { type BenchDatabase, withDatabaseServer } from '../test/support/database/bench-database.ts';
import { SellingService } from '../test/support/service/selling-service.ts';

/** Below the number of mails in an hour from which browsers are checked. */
const REQUESTS_OF_ROUND = 480;
const ROUNDS = LONG ? 60 : 6;
const WARM_UP_ROUNDS = 1;
const ACCOUNTS = 5_000;
/** Kolmogorov and Smirnov's: two samples of one distribution are further apart in one of a thousand runs. */
const SIGNIFICANT = 1.95;

type Kind = 'known' | 'other known' | 'unknown';
const KINDS: readonly Kind[] = ['known', 'other known', 'unknown'];

heading(
  `Logins: ${ROUNDS * REQUESTS_OF_ROUND} requests for addresses with and without an account, ${ACCOUNTS} accounts`,
);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const database = await create('login');
    const selling = await SellingService.start(loginRoutes, { ...database, drop: async () => undefined });
    try {
      await addAccounts(database);
      const times = noTimes();
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1)
        await runRound(selling, database, round, round < 0 ? noTimes() : times);
      report(times);
    } finally {
      await selling.close();
    }
  }),
);
finishReport();

function noTimes(): Record<Kind, number[]> {
  return { known: [], 'other known': [], unknown: [] };
}

function addressOf(kind: Kind, at: number): string {
  if (kind === 'unknown') return `x${at}@exemplu.ro`;
  return `c${kind === 'known' ? 2 * at : 2 * at + 1}@exemplu.ro`;
}

async function addAccounts({ kysely }: BenchDatabase): Promise<void> {
  await sql`
    insert into accounts (email, language, created_at)
    select 'c' || at || '@exemplu.ro', 'ro', now() from generate_series(0, ${ACCOUNTS - 1}) as at`.execute(kysely);
  await sql`analyze accounts`.execute(kysely);
}

/** Every request comes from another network, for another address of its kind. */
async function runRound(
  selling: SellingService,
  { kysely }: BenchDatabase,
  round: number,
  times: Record<Kind, number[]>,
): Promise<void> {
  await sql`truncate logins, login_secrets, mails`.execute(kysely);
  const asked = shuffled(Array.from({ length: REQUESTS_OF_ROUND }, (_, at) => KINDS[at % KINDS.length] as Kind));
  for (const [at, kind] of asked.entries()) {
    const request = (round + WARM_UP_ROUNDS) * REQUESTS_OF_ROUND + at;
    const email = addressOf(kind, request % (ACCOUNTS / 2));
    const from = { 'X-Forwarded-For': `2001:db8:${request.toString(16)}::1` };
    const before = performance.now();
    const { status } = await selling.post('/cont/intrare', { email }, from);
    times[kind].push(performance.now() - before);
    if (status !== 303) throw new Error(`a request was answered ${status}`);
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

function report(times: Readonly<Record<Kind, readonly number[]>>): void {
  for (const kind of KINDS) note(`${kind}: half within ${median(times[kind]).toFixed(2)} ms, of ${times[kind].length}`);
  const limit = SIGNIFICANT * Math.sqrt(2 / times.known.length);
  const share = (a: Kind, b: Kind) => 100 * distance(times[a], times[b]);
  reportMetric('distance of two sets of known addresses', share('known', 'other known'), '%');
  reportMetric('distance of known and unknown addresses', share('known', 'unknown'), '%', {
    most: Math.round(1_000 * limit) / 10,
  });
}

/** The largest difference of the two shares of answers within one time: 0 = alike, 1 = told apart by one answer. */
function distance(a: readonly number[], b: readonly number[]): number {
  const share = (values: readonly number[], within: number) =>
    values.filter((value) => value <= within).length / values.length;
  return Math.max(...[...a, ...b].map((within) => Math.abs(share(a, within) - share(b, within))));
}
