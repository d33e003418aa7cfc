/**
 * Rounds of `kill -9` of a server under load, with keys and without: the database counts every answered request, and
 * no other request except those under way at a kill.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { Clients, type KeyHolder, type StatusCounts } from '../engine/clients.ts';
import { compareCounts, insertKeyHolders, readKeyTotals } from '../engine/key-holders.ts';
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
  const small = Math.ceil(keys / SMALL_EVERY);
  const quotas = Array.from({ length: keys }, (_, index) => (index < small ? smallQuota : BIG_QUOTA));
  return insertKeyHolders(await processes.connection(), quotas);
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
    this.#clients = new Clients({
      ...{ seed: plan.seed, holders, servers: processes.servers },
      onViolation: (sentence) => processes.publications.addViolation(sentence),
    });
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
    const found = await compareCounts(await this.#processes.connection(), this.#clients.holders);
    this.#countedUnanswered = found.unanswered;
    for (const sentence of found.violations) this.#addViolation(sentence);
  }

  /** Compares the reports of the keys with the database. */
  async #checkReports(): Promise<void> {
    const totals = await readKeyTotals(await this.#processes.connection());
    for (const { key } of this.#clients.holders) {
      for (const server of this.#processes.servers) {
        const keyReport = await waitFor('the report of a key', REPORT_WITHIN_MS, () => reportOf(server.address, key));
        const total = totals.get(hashApiKey(key));
        if (keyReport.total_cereri !== total)
          this.#addViolation(`${keyReport.total_cereri} reported for a key, ${total} counted`);
      }
    }
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
