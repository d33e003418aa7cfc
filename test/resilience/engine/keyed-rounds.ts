/**
 * Rounds of `kill -9` of a serving process under load with keys and without: nothing that was answered is missing from
 * the counts, and no more is counted than was answered or under way at a kill.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { query, waitFor } from '../../support/database/embedded-database.ts';
import { Clients, type KeyHolder, type StatusCounts } from './clients.ts';
import { Cluster } from './cluster.ts';

export type KeyedPlan = {
  readonly rounds: number;
  readonly seed: number;
  readonly keys: number;
  /** Of some of the keys: it is used up in the course of the rounds. */
  readonly smallQuota: number;
  readonly onRound?: (round: number, line: string) => void;
};

export type KeyedReport = {
  readonly kills: number;
  /** Answers by status. */
  readonly holders: StatusCounts;
  readonly visitors: StatusCounts;
  /** Requests with a key whose connection broke, and those of them that were counted. */
  readonly lost: number;
  readonly countedUnanswered: number;
  readonly addresses: number;
  /** Of these, answered twice while a server had to decide without the database. */
  readonly twiceAlone: number;
  readonly violations: readonly string[];
};

const USUAL_LEASE_MS = 30_000;
const BIG_QUOTA = 1_000_000;
/** One key in so many has the small quota. */
const SMALL_EVERY = 5;
/** Load lasts so long before a kill at most, and goes on after the restart for so long, ms. */
const BEFORE_MS = 700;
const AFTER_MS = 300;
const REPORT_WITHIN_MS = 15_000;
/** Every so many rounds, and after the last, each key is asked about at both processes. */
const REPORTS_EVERY = 50;

/** Runs the rounds on a stage of their own. Rejects when the stage itself cannot be set up or brought back. */
export async function keyedRounds(plan: KeyedPlan): Promise<KeyedReport> {
  const cluster = new Cluster();
  try {
    await cluster.open(USUAL_LEASE_MS);
    const rounds = new KeyedRounds(cluster, plan, await createKeyHolders(cluster, plan));
    const continues = () => cluster.publications.violations.length === 0;
    for (let round = 0; round < plan.rounds && continues(); round += 1) await rounds.run(round);
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${cluster.log()}`, { cause: error });
  } finally {
    await cluster.close();
  }
}

async function createKeyHolders(cluster: Cluster, { keys, smallQuota }: KeyedPlan): Promise<KeyHolder[]> {
  const client = new pg.Client(await cluster.connection());
  await client.connect();
  const keyHolders: KeyHolder[] = [];
  for (const [quota, count] of [
    [smallQuota, Math.ceil(keys / SMALL_EVERY)],
    [BIG_QUOTA, keys - Math.ceil(keys / SMALL_EVERY)],
  ] as const) {
    const given = await insertKeys(client, count, quota);
    keyHolders.push(
      ...given.map((key) => ({ key, quota, accepted: 0, lost: 0, unavailable: 0, used: new Set<number>() })),
    );
  }
  await client.end();
  return keyHolders;
}

class KeyedRounds {
  readonly #cluster: Cluster;
  readonly #plan: KeyedPlan;
  readonly #clients: Clients;
  #kills = 0;
  #countedUnanswered = 0;

  constructor(cluster: Cluster, plan: KeyedPlan, holders: readonly KeyHolder[]) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.#clients = new Clients(plan.seed, holders, cluster.servers, (sentence) =>
      cluster.publications.addViolation(sentence),
    );
  }

  async run(round: number): Promise<void> {
    const { servers } = this.#cluster;
    const { seed, rounds, onRound } = this.#plan;
    const server = servers[Math.floor(servers.length * randomFraction(seed, 'victim', round))];
    if (server === undefined) throw new Error('there is nobody to kill');
    this.#clients.start();
    await sleep(BEFORE_MS * randomFraction(seed, 'moment', round));
    await server.kill();
    this.#kills += 1;
    await server.start(1);
    server.startReading();
    await sleep(AFTER_MS);
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
      twiceAlone: repeatedWhileDegraded,
      violations: this.#cluster.publications.violations,
    };
  }

  /** Holds the counts of the database against what the clients saw. */
  async #checkCounts(): Promise<void> {
    const totals = await this.#totals();
    this.#countedUnanswered = 0;
    for (const { key, quota, accepted, lost, unavailable } of this.#clients.holders) {
      const total = totals.get(hashApiKey(key)) ?? -1;
      this.#countedUnanswered += total - accepted;
      const most = Math.min(quota, accepted + lost + unavailable);
      if (total >= accepted && total <= most) continue;
      this.#addViolation(
        `${total} counted, ${accepted} answered, at most ${most} to be counted (${lost} lost at kills)`,
      );
    }
  }

  /** Holds what the owners are told against the database. */
  async #checkReports(): Promise<void> {
    const totals = await this.#totals();
    for (const { key } of this.#clients.holders) {
      for (const server of this.#cluster.servers) {
        const keyReport = await waitFor('the report of a key', REPORT_WITHIN_MS, () => reportOf(server.address, key));
        const total = totals.get(hashApiKey(key));
        if (keyReport.total_cereri !== total)
          this.#addViolation(`${keyReport.total_cereri} told of a key, ${total} counted`);
      }
    }
  }

  async #totals(): Promise<Map<string, number>> {
    const rows = await query(
      await this.#cluster.connection(),
      `select encode(sha256, 'hex') as hash, total::int from key_usage join key_secrets using (key_id)`,
    );
    return new Map(rows.map(({ hash, total }) => [hash as string, total as number]));
  }

  #addViolation(sentence: string): void {
    this.#cluster.publications.addViolation(sentence);
  }
}

/** `null` while the key cannot be verified, or its pace allows no question. */
async function reportOf(address: string, key: string): Promise<{ total_cereri: number } | null> {
  const reply = await fetch(`${address}/api/v1/cheie`, { headers: { 'X-Api-Key': key } });
  const keyReport = (await reply.json()) as { total_cereri: number };
  return reply.status === 200 ? keyReport : null;
}

function sum(holders: readonly KeyHolder[], what: 'accepted' | 'lost'): number {
  return holders.reduce((total, holder) => total + holder[what], 0);
}
