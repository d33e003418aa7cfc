/**
 * Rounds of `kill -9` of a server under load, with keys and without: the database counts every answered request, and
 * no other request except those under way at a kill.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { query, waitFor } from '../../support/database/embedded-database.ts';
import { Clients, type KeyHolder, type StatusCounts } from '../engine/clients.ts';
import { ServiceProcesses } from '../engine/service-processes.ts';

export type KeyedPlan = {
  readonly rounds: number;
  readonly seed: number;
  readonly keys: number;
  /** The quota of some keys, small enough to be used up during the rounds. */
  readonly smallQuota: number;
  readonly onRound?: (round: number, line: string) => void;
};

export type KeyedReport = {
  readonly kills: number;
  /** How many answers of each status. */
  readonly holders: StatusCounts;
  readonly visitors: StatusCounts;
  /** Requests with a key whose connection broke, and how many of them were counted. */
  readonly lost: number;
  readonly countedUnanswered: number;
  readonly addresses: number;
  /** Addresses answered twice while a server had to decide without the database. */
  readonly twiceDegraded: number;
  readonly violations: readonly string[];
};

const USUAL_LEASE_MS = 30_000;
const BIG_QUOTA = 1_000_000;
/** One key in this many has the small quota. */
const SMALL_EVERY = 5;
/** The longest load before a kill, and the load after the restart, ms. */
const MAX_LOAD_BEFORE_MS = 700;
const LOAD_AFTER_MS = 300;
const REPORT_WITHIN_MS = 15_000;
/** How often both servers are asked for the report of each key, in rounds; also after the last one. */
const REPORTS_EVERY = 50;

/** Runs the rounds with service processes of their own; rejects when those cannot be started or do not recover. */
export async function keyedRounds(plan: KeyedPlan): Promise<KeyedReport> {
  const processes = new ServiceProcesses();
  try {
    await processes.open(USUAL_LEASE_MS);
    const rounds = new KeyedRounds(processes, plan, await createKeyHolders(processes, plan));
    const continues = () => processes.publications.violations.length === 0;
    for (let round = 0; round < plan.rounds && continues(); round += 1) await rounds.run(round);
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${processes.log()}`, { cause: error });
  } finally {
    await processes.close();
  }
}

async function createKeyHolders(processes: ServiceProcesses, { keys, smallQuota }: KeyedPlan): Promise<KeyHolder[]> {
  const client = new pg.Client(await processes.connection());
  await client.connect();
  const keyHolders: KeyHolder[] = [];
  for (const [quota, count] of [
    [smallQuota, Math.ceil(keys / SMALL_EVERY)],
    [BIG_QUOTA, keys - Math.ceil(keys / SMALL_EVERY)],
  ] as const) {
    const inserted = await insertKeys(client, count, quota);
    keyHolders.push(
      ...inserted.map((key) => ({ key, quota, accepted: 0, lost: 0, unavailable: 0, used: new Set<number>() })),
    );
  }
  await client.end();
  return keyHolders;
}

class KeyedRounds {
  readonly #processes: ServiceProcesses;
  readonly #plan: KeyedPlan;
  readonly #clients: Clients;
  #kills = 0;
  #countedUnanswered = 0;

  constructor(processes: ServiceProcesses, plan: KeyedPlan, holders: readonly KeyHolder[]) {
    this.#processes = processes;
    this.#plan = plan;
    this.#clients = new Clients(plan.seed, holders, processes.servers, (sentence) =>
      processes.publications.addViolation(sentence),
    );
  }

  async run(round: number): Promise<void> {
    const { servers } = this.#processes;
    const { seed, rounds, onRound } = this.#plan;
    const server = servers[Math.floor(servers.length * randomFraction(seed, 'target', round))];
    if (server === undefined) throw new Error('no server to kill');
    this.#clients.start();
    await sleep(MAX_LOAD_BEFORE_MS * randomFraction(seed, 'moment', round));
    await server.kill();
    this.#kills += 1;
    await server.start(1);
    server.startReading();
    await sleep(LOAD_AFTER_MS);
    await this.#clients.stop();
    await this.#checkCounts();
    if (round === rounds - 1 || round % REPORTS_EVERY === REPORTS_EVERY - 1) await this.#checkReports();
    const { holders } = this.#clients;
    onRound?.(round, `${sum(holders, 'accepted')} answered, ${sum(holders, 'lost')} under way at a kill`);
  }

  report(): KeyedReport {
    const { holders, statuses, visitors, repeatedWhileDegraded } = this.#clients;
    return {
      kills: this.#kills,
      holders: statuses.holders,
      visitors: statuses.visitors,
      lost: sum(holders, 'lost'),
      countedUnanswered: this.#countedUnanswered,
      addresses: visitors.size,
      twiceDegraded: repeatedWhileDegraded,
      violations: this.#processes.publications.violations,
    };
  }

  /** Compares the counts of the database with the answers that the clients received. */
  async #checkCounts(): Promise<void> {
    const totals = await this.#totals();
    this.#countedUnanswered = 0;
    for (const { key, quota, accepted, lost, unavailable } of this.#clients.holders) {
      const total = totals.get(hashApiKey(key)) ?? -1;
      this.#countedUnanswered += total - accepted;
      const most = Math.min(quota, accepted + lost + unavailable);
      if (total >= accepted && total <= most) continue;
      this.#addViolation(`${total} counted, ${accepted} answered, at most ${most} expected (${lost} lost at kills)`);
    }
  }

  /** Compares the reports of the keys with the database. */
  async #checkReports(): Promise<void> {
    const totals = await this.#totals();
    for (const { key } of this.#clients.holders) {
      for (const server of this.#processes.servers) {
        const keyReport = await waitFor('the report of a key', REPORT_WITHIN_MS, () => reportOf(server.address, key));
        const total = totals.get(hashApiKey(key));
        if (keyReport.total_cereri !== total)
          this.#addViolation(`${keyReport.total_cereri} reported for a key, ${total} counted`);
      }
    }
  }

  async #totals(): Promise<Map<string, number>> {
    const rows = await query(
      await this.#processes.connection(),
      `select encode(sha256, 'hex') as hash, total::int from key_usage join key_secrets using (key_id)`,
    );
    return new Map(rows.map(({ hash, total }) => [hash as string, total as number]));
  }

  #addViolation(sentence: string): void {
    this.#processes.publications.addViolation(sentence);
  }
}

/** The report of a key; `null` while the key cannot be verified or its rate limit is reached. */
async function reportOf(address: string, key: string): Promise<{ total_cereri: number } | null> {
  const reply = await fetch(`${address}/api/v1/cheie`, { headers: { 'X-Api-Key': key } });
  const keyReport = (await reply.json()) as { total_cereri: number };
  return reply.status === 200 ? keyReport : null;
}

function sum(holders: readonly KeyHolder[], what: 'accepted' | 'lost'): number {
  return holders.reduce((total, holder) => total + holder[what], 0);
}
