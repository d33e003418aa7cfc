/** What rounds of load cost a serving process and the PostgreSQL behind it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../test/support/bench-database.ts';
import { type Child, familyCpuMs, parentOf, start, threadsCpuMs, untilIdle } from '../../test/support/child-process.ts';
import type { Ready } from '../processes/follower.ts';
import type { Answered, Order } from '../processes/load-generator.ts';

/** CPU in ms and transactions of one round altogether; `answered` tells how the clients fared. */
export type Cost = {
  readonly server: number;
  readonly postgres: number;
  readonly transactions: number;
  readonly answered: Answered;
};

/** What is told, flushed and cleaned after a round is a part of its cost. */
const AFTERMATH_MS = 500;

/** A serving process, a generator of load, and the database of both. */
export class Costs {
  readonly store: Store;
  readonly address: string;
  readonly #server: Child;
  readonly #generator: Child;
  readonly #postmaster: number;

  /** Starts both processes; resolves when the country is served, in its best coding. */
  static async of(store: Store, settings: Readonly<Record<string, string>>): Promise<Costs> {
    const { rows } = await store.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = parentOf((rows[0] as { pid: number }).pid);
    const server = start('bench/processes/follower.ts', [], { ...settings, DATABASE_URL: store.url, PORT: '0' });
    const generator = start('bench/processes/load-generator.ts');
    const { address } = await server.next<Ready>();
    await untilIdle(server.pid);
    return new Costs(store, address, server, generator, postmaster);
  }

  private constructor(store: Store, address: string, server: Child, generator: Child, postmaster: number) {
    this.store = store;
    this.address = address;
    this.#server = server;
    this.#generator = generator;
    this.#postmaster = postmaster;
  }

  /** One round of load. */
  async round(order: Omit<Order, 'port'>): Promise<Cost> {
    const before = await this.#read();
    this.#generator.send({ ...order, port: Number(new URL(this.address).port) });
    const answered = await this.#generator.next<Answered>();
    await sleep(AFTERMATH_MS);
    return { ...less(await this.#read(), before), answered };
  }

  /** What a time without any load costs. */
  async idle(seconds: number): Promise<Omit<Cost, 'answered'>> {
    await untilIdle(this.#server.pid);
    const before = await this.#read();
    await sleep(seconds * 1000 + AFTERMATH_MS);
    return less(await this.#read(), before);
  }

  async end(): Promise<void> {
    await Promise.all([this.#server.end(), this.#generator.end()]);
  }

  async #read(): Promise<Omit<Cost, 'answered'>> {
    const server = threadsCpuMs(this.#server.pid);
    const postgres = familyCpuMs(this.#postmaster);
    const { rows } = await this.store.pool.query<{ count: number }>(
      `select sum(xact_commit + xact_rollback)::int as count from pg_stat_database`,
    );
    return { server, postgres, transactions: (rows[0] as { count: number }).count };
  }
}

function less(after: Omit<Cost, 'answered'>, before: Omit<Cost, 'answered'>): Omit<Cost, 'answered'> {
  return {
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    transactions: after.transactions - before.transactions,
  };
}
