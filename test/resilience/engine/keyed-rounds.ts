/**
 * Rounds of `kill -9` of a serving process under load with keys and without: nothing that was answered is missing from
 * the counts, and no more is counted than was answered or under way at a kill.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hashOf } from '../../../src/domain/access/api-key.ts';
import { chance } from '../../../src/simulation/country/seeded-random.ts';
import { query, until } from '../../support/embedded-database.ts';
import { giveOutKeys } from '../../support/key-fixture.ts';
import { Clients, type Heard, type Holder } from './clients.ts';
import { Stage } from './cluster.ts';

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
  readonly holders: Heard;
  readonly visitors: Heard;
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
const TOLD_WITHIN_MS = 15_000;
/** Every so many rounds, and after the last, each key is asked about at both processes. */
const REPORTS_EVERY = 50;

/** Runs the rounds on a stage of their own. Rejects when the stage itself cannot be set up or brought back. */
export async function keyedRounds(plan: KeyedPlan): Promise<KeyedReport> {
  const stage = new Stage();
  try {
    await stage.open(USUAL_LEASE_MS);
    const rounds = new KeyedRounds(stage, plan, await holdersIn(stage, plan));
    const sound = () => stage.publications.violations.length === 0;
    for (let round = 0; round < plan.rounds && sound(); round += 1) await rounds.run(round);
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${stage.log()}`, { cause: error });
  } finally {
    await stage.close();
  }
}

async function holdersIn(stage: Stage, { keys, smallQuota }: KeyedPlan): Promise<Holder[]> {
  const client = new pg.Client(await stage.connection());
  await client.connect();
  const made: Holder[] = [];
  for (const [quota, count] of [
    [smallQuota, Math.ceil(keys / SMALL_EVERY)],
    [BIG_QUOTA, keys - Math.ceil(keys / SMALL_EVERY)],
  ] as const) {
    const given = await giveOutKeys(client, count, quota);
    made.push(...given.map((key) => ({ key, quota, accepted: 0, lost: 0, used: new Set<number>() })));
  }
  await client.end();
  return made;
}

class KeyedRounds {
  readonly #stage: Stage;
  readonly #plan: KeyedPlan;
  readonly #clients: Clients;
  #kills = 0;
  #countedUnanswered = 0;

  constructor(stage: Stage, plan: KeyedPlan, holders: readonly Holder[]) {
    this.#stage = stage;
    this.#plan = plan;
    this.#clients = new Clients(plan.seed, holders, stage.servers, (sentence) => stage.publications.complain(sentence));
  }

  async run(round: number): Promise<void> {
    const { servers } = this.#stage;
    const { seed, rounds, onRound } = this.#plan;
    const server = servers[Math.floor(servers.length * chance(seed, 'victim', round))];
    if (server === undefined) throw new Error('there is nobody to kill');
    this.#clients.start();
    await sleep(BEFORE_MS * chance(seed, 'moment', round));
    await server.kill();
    this.#kills += 1;
    await server.start(1);
    server.read();
    await sleep(AFTER_MS);
    await this.#clients.stop();
    await this.#checkCounts();
    if (round === rounds - 1 || round % REPORTS_EVERY === REPORTS_EVERY - 1) await this.#checkReports();
    const { holders } = this.#clients;
    onRound?.(round, `${sum(holders, 'accepted')} answered, ${sum(holders, 'lost')} under way at a kill`);
  }

  report(): KeyedReport {
    const { holders, heard, visitors, twiceAlone } = this.#clients;
    return {
      kills: this.#kills,
      holders: heard.holders,
      visitors: heard.visitors,
      lost: sum(holders, 'lost'),
      countedUnanswered: this.#countedUnanswered,
      addresses: visitors.size,
      twiceAlone,
      violations: this.#stage.publications.violations,
    };
  }

  /** Holds the counts of the database against what the clients saw. */
  async #checkCounts(): Promise<void> {
    const totals = await this.#totals();
    this.#countedUnanswered = 0;
    for (const { key, quota, accepted, lost } of this.#clients.holders) {
      const total = totals.get(hashOf(key)) ?? -1;
      this.#countedUnanswered += total - accepted;
      if (total < accepted || total > Math.min(quota, accepted + lost))
        this.#complain(`${total} counted of ${quota}, ${accepted} answered, ${lost} under way at kills`);
    }
  }

  /** Holds what the owners are told against the database. */
  async #checkReports(): Promise<void> {
    const totals = await this.#totals();
    for (const { key } of this.#clients.holders) {
      for (const server of this.#stage.servers) {
        const told = await until('the report of a key', TOLD_WITHIN_MS, () => reportOf(server.address, key));
        const total = totals.get(hashOf(key));
        if (told.total_cereri !== total) this.#complain(`${told.total_cereri} told of a key, ${total} counted`);
      }
    }
  }

  async #totals(): Promise<Map<string, number>> {
    const rows = await query(
      await this.#stage.connection(),
      `select encode(sha256, 'hex') as hash, total::int from key_usage join key_secrets using (key_id)`,
    );
    return new Map(rows.map(({ hash, total }) => [hash as string, total as number]));
  }

  #complain(sentence: string): void {
    this.#stage.publications.complain(sentence);
  }
}

/** `null` while the key cannot be verified, or its pace allows no question. */
async function reportOf(address: string, key: string): Promise<{ total_cereri: number } | null> {
  const reply = await fetch(`${address}/api/v1/cheie`, { headers: { 'X-Api-Key': key } });
  const told = (await reply.json()) as { total_cereri: number };
  return reply.status === 200 ? told : null;
}

function sum(holders: readonly Holder[], what: 'accepted' | 'lost'): number {
  return holders.reduce((total, holder) => total + holder[what], 0);
}
