/** Measures the cost of rounds of load for a serving process and its PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from '../../test/support/database/bench-database.ts';
import {
  type Child,
  parentOf,
  processTreeCpuMs,
  startChild,
  threadsCpuMs,
  waitUntilIdle,
} from '../../test/support/processes/child-process.ts';
import type { FollowerReady } from '../processes/follower.ts';
import type { LoadResult, LoadSpec } from '../processes/load-generator.ts';

/** Total CPU (ms) and transactions of one round; `loadResult` is the clients' result. */
export type LoadCost = {
  readonly server: number;
  readonly postgres: number;
  readonly transactions: number;
  readonly loadResult: LoadResult;
};

/** Work after a round, such as flushes and cleanup, counts towards its cost. */
const SETTLE_MS = 500;

/** A serving process, a load generator, and the database. */
export class CostMeter {
  readonly store: BenchDatabase;
  readonly address: string;
  readonly #server: Child;
  readonly #generator: Child;
  readonly #postmaster: number;

  /** Starts both processes; resolves when the country is served, in its best coding. */
  static async start(store: BenchDatabase, settings: Readonly<Record<string, string>>): Promise<CostMeter> {
    const { rows } = await store.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = parentOf((rows[0] as { pid: number }).pid);
    // All load comes from one address, which may open as many connections as a proxy.
    const environment = { TRUSTED_PROXIES: '127.0.0.1', ...settings, DATABASE_URL: store.url, PORT: '0' };
    const server = startChild('bench/processes/follower.ts', [], environment);
    const generator = startChild('bench/processes/load-generator.ts');
    const { address } = await server.next<FollowerReady>();
    await waitUntilIdle(server.pid);
    return new CostMeter(store, address, server, generator, postmaster);
  }

  private constructor(store: BenchDatabase, address: string, server: Child, generator: Child, postmaster: number) {
    this.store = store;
    this.address = address;
    this.#server = server;
    this.#generator = generator;
    this.#postmaster = postmaster;
  }

  /** Runs one round of load. */
  async round(spec: Omit<LoadSpec, 'port'>): Promise<LoadCost> {
    const before = await this.#read();
    this.#generator.send({ ...spec, port: Number(new URL(this.address).port) });
    const loadResult = await this.#generator.next<LoadResult>();
    await sleep(SETTLE_MS);
    return { ...difference(await this.#read(), before), loadResult };
  }

  /** Lets the serving process send the alerts that are due to a push service; resolves with their number. */
  async deliverAlerts(origin: string): Promise<number> {
    this.#server.send({ alertsAt: origin });
    return (await this.#server.next<{ readonly delivered: number }>()).delivered;
  }

  /** Measures the cost of a time without load. */
  async idle(seconds: number): Promise<Omit<LoadCost, 'loadResult'>> {
    await waitUntilIdle(this.#server.pid);
    const before = await this.#read();
    await sleep(seconds * 1000 + SETTLE_MS);
    return difference(await this.#read(), before);
  }

  async end(): Promise<void> {
    await Promise.all([this.#server.end(), this.#generator.end()]);
  }

  async #read(): Promise<Omit<LoadCost, 'loadResult'>> {
    const server = threadsCpuMs(this.#server.pid);
    const postgres = processTreeCpuMs(this.#postmaster);
    const { rows } = await this.store.pool.query<{ count: number }>(
      `select sum(xact_commit + xact_rollback)::int as count from pg_stat_database`,
    );
    return { server, postgres, transactions: (rows[0] as { count: number }).count };
  }
}

function difference(
  after: Omit<LoadCost, 'loadResult'>,
  before: Omit<LoadCost, 'loadResult'>,
): Omit<LoadCost, 'loadResult'> {
  return {
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    transactions: after.transactions - before.transactions,
  };
}
