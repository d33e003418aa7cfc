/** The weekly cap of clients without a key: one answer in seven times 24 hours, per client and endpoint. Rule 6. */
import { WEEKLY_CAP_MS } from '../../domain/access/request-limits.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { type QueryStatement, sharedTimeout } from '../connection/query-timeout.ts';
import type { KeyedHash, KeyedHasher } from './address-hash.ts';
import { AddressKeySuperseded, holdCurrentKey } from './address-keys.ts';

/** A request of a client: its canonical address or network, and the endpoint's path template. */
export type CappedRequest = { readonly client: string; readonly endpoint: string };

export type CapVerdict = {
  readonly accepted: boolean;
  /** When the request that counts was accepted: this one, or the earlier one that blocks it. Epoch ms. */
  readonly acceptedAt: number;
  /** The database's clock, epoch ms. */
  readonly now: number;
};

const CAP = `interval '${WEEKLY_CAP_MS} milliseconds'`;
/** In whole ms, as in the rest of the program: a refund names the exact moment of its acceptance. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** The requests of a statement; `earlier` is the client's hash under the key before the current one, or null. */
const REQUESTS = 'unnest($1::bytea[], $2::text[], $3::bytea[]) as a (client, endpoint, earlier)';
/** The rows of a request, under either key. */
const ROWS_OF_REQUEST = 'c.endpoint = a.endpoint and c.client in (a.client, a.earlier)';

/** Accepts nothing once the key is superseded. A client that was accepted under the earlier key stays capped. */
const TAKE = {
  name: 'pompa-weekly-take',
  text: `with held as materialized (${holdCurrentKey('$4')}),
  requested as (select a.* from ${REQUESTS} cross join held),
  accepted as (
    insert into weekly_caps as c (client, endpoint, accepted_at)
    select client, endpoint, ${NOW} from requested r
    where not exists (select from weekly_caps e
      where e.client = r.earlier and e.endpoint = r.endpoint and e.accepted_at > ${NOW} - ${CAP})
    order by client, endpoint
    on conflict (client, endpoint) do update set accepted_at = excluded.accepted_at
      where c.accepted_at <= excluded.accepted_at - ${CAP}
    returning client, endpoint, accepted_at)
  select a.client, a.endpoint, a.accepted_at, true as accepted, ${NOW} as now from accepted a`,
};
/** Only what still counts: an expired row does not refuse a client whose request was not taken for a superseded key. */
const READ_ACCEPTED = {
  name: 'pompa-weekly-read',
  text: `select a.client, a.endpoint, max(c.accepted_at) as accepted_at, false as accepted, ${NOW} as now
  from ${REQUESTS} join weekly_caps c on ${ROWS_OF_REQUEST} and c.accepted_at > ${NOW} - ${CAP}
  group by a.client, a.endpoint`,
};
/** An acceptance in the future (the clock was set back) counts from now: no client waits longer than the cap. */
const RESET_FUTURE = {
  name: 'pompa-weekly-reset-future',
  text: `update weekly_caps c set accepted_at = ${NOW} from ${REQUESTS}
  where ${ROWS_OF_REQUEST} and c.accepted_at > clock_timestamp()
  returning a.client, a.endpoint, c.accepted_at, false as accepted, c.accepted_at as now`,
};

type WeeklyCapRow = { client: Buffer; endpoint: string; accepted_at: number; accepted: boolean; now: number };

/** Decides on requests that all differ; the decisions are committed when it resolves. */
export async function takeWeeklyCaps(
  database: Queryable,
  requests: readonly CappedRequest[],
  hasher: KeyedHasher,
  withinMs: number,
): Promise<CapVerdict[]> {
  const limit = sharedTimeout(withinMs);
  const verdicts = new Map<CappedRequest, CapVerdict>();
  const undecidedOf = (some: readonly HashedRequest[]) => some.filter(({ request }) => !verdicts.has(request));
  const ask = async (statement: QueryStatement, asked: readonly HashedRequest[], more: readonly unknown[] = []) => {
    const requestOf = new Map(asked.map(({ hash, request }) => [rowName(hash.current, request.endpoint), request]));
    const values = [...columns(asked), ...more];
    for (const row of await database.query<WeeklyCapRow>({ ...statement, values }, limit)) {
      const request = requestOf.get(rowName(row.client, row.endpoint)) as CappedRequest;
      verdicts.set(request, { accepted: row.accepted, acceptedAt: row.accepted_at, now: row.now });
    }
  };
  let left = hashed(requests, hasher);
  // Run once even without requests: that shows whether the database decides.
  for (;;) {
    await ask(TAKE, left, [currentKeyOf(left)]);
    const refused = undecidedOf(left);
    if (refused.length > 0) await ask(READ_ACCEPTED, refused);
    const inFuture = refused.filter(({ request }) => isInFuture(verdicts.get(request)));
    if (inFuture.length > 0) await ask(RESET_FUTURE, inFuture);
    left = undecidedOf(left);
    if (left.length === 0) break;
    // Neither statement returns a row that another process refunds between the two, or any once the key is superseded.
    await hasher.refresh();
    left = hashed(
      left.map(({ request }) => request),
      hasher,
    );
  }
  return requests.map((request) => verdicts.get(request) as CapVerdict);
}

type HashedRequest = { readonly request: CappedRequest; readonly hash: KeyedHash };

const hashed = (requests: readonly CappedRequest[], hasher: KeyedHasher): HashedRequest[] =>
  requests.map((request) => ({ request, hash: hasher.hash(request.client) }));

const isInFuture = (verdict: CapVerdict | undefined) => verdict !== undefined && verdict.acceptedAt > verdict.now;

/** An acceptance at `acceptedAt`, epoch ms. */
export type WeeklyAcceptance = CappedRequest & { readonly acceptedAt: number };

/** Refunds acceptances whose answers were not 200; locks the rows in the order in which requests take them. */
export async function refundWeeklyCaps(
  database: Queryable,
  acceptances: readonly WeeklyAcceptance[],
  hasher: KeyedHasher,
  withinMs: number,
): Promise<void> {
  const text = `
    delete from weekly_caps where ctid = any (array(
      select c.ctid from weekly_caps c
      join unnest($1::bytea[], $2::text[], $3::bytea[], $4::timestamptz[]) as a (client, endpoint, earlier, accepted_at)
        on ${ROWS_OF_REQUEST} and c.accepted_at = a.accepted_at
      order by c.client, c.endpoint for update of c))`;
  const values = [...columns(hashed(acceptances, hasher)), timesOf(acceptances)];
  await database.query({ name: 'pompa-weekly-refund', text, values }, { withinMs });
}

/**
 * Stores what a process accepted while the database was unavailable; a later acceptance in the database stays. Rejects
 * with `AddressKeySuperseded`.
 */
export async function recordWeeklyAcceptances(
  database: Queryable,
  acceptances: readonly WeeklyAcceptance[],
  hasher: KeyedHasher,
  withinMs: number,
): Promise<void> {
  const text = `with held as materialized (${holdCurrentKey('$4')})
    insert into weekly_caps as c (client, endpoint, accepted_at)
    select a.* from unnest($1::bytea[], $2::text[], $3::timestamptz[]) as a (client, endpoint, accepted_at)
      cross join held
    order by client, endpoint
    on conflict (client, endpoint) do update set accepted_at = greatest(c.accepted_at, excluded.accepted_at)
    returning 1`;
  const rows = hashed(acceptances, hasher);
  const [clients, endpoints] = columns(rows);
  const values = [clients, endpoints, timesOf(acceptances), currentKeyOf(rows)];
  const stored = await database.query({ text, values }, { withinMs });
  if (stored.length === 0) throw new AddressKeySuperseded();
}

const rowName = (client: Buffer, endpoint: string) => `${client.toString('latin1')} ${endpoint}`;

const columns = (rows: readonly HashedRequest[]) => [
  rows.map(({ hash }) => hash.current),
  rows.map(({ request }) => request.endpoint),
  rows.map(({ hash }) => hash.earlier),
];

const timesOf = (acceptances: readonly WeeklyAcceptance[]) => acceptances.map(({ acceptedAt }) => new Date(acceptedAt));

const currentKeyOf = ([first]: readonly HashedRequest[]) => first?.hash.key ?? null;
