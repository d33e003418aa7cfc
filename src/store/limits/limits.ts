/** All that is rationed, over all processes: what keys, capped visitors and those counted by the minute may have. */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { runStatement } from '../connection/connection-pool.ts';
import { KeyLimits } from './key-limits.ts';
import { MinuteLimits } from './minute-limits.ts';
import { WeeklyLimits } from './weekly-limits.ts';

/**
 * A database that takes longer to come, as one that is just being made, is not waited for by visitors; each of them waits
 * for less than that.
 */
const LONGEST_WAIT_MS = 5_000;

/** Bytes of the hash under which a client is kept: enough that no two meet. */
const HASH_BYTES = 16;

export type RateLimitsOptions = {
  /** Of this machine, epoch ms. */
  readonly clock: () => number;
  /** Told what the database counted for a key this month, at its moment (epoch ms). */
  readonly onKeyUsage: (key: number, used: number, now: number) => void;
};

export class RateLimits {
  readonly keys: KeyLimits;
  readonly weekly: WeeklyLimits;
  readonly minutes: MinuteLimits;
  #pool: pg.Pool | null = null;
  #databaseReady: PromiseWithResolvers<void> | null = null;
  #addressHashKey: Buffer | null = null;

  constructor({ clock, onKeyUsage }: RateLimitsOptions) {
    const database = () => this.#pool;
    const hash = (client: string) => this.hashAddress(client);
    this.keys = new KeyLimits(database, onKeyUsage);
    const waitForDatabase = () => this.#databaseReady?.promise ?? null;
    this.weekly = new WeeklyLimits(database, { hash, clock, waitForDatabase });
    this.minutes = new MinuteLimits(database, { hash });
  }

  /**
   * The database is about to come: what visitors may have is not decided without it, or each start of a process would
   * give every one of them another answer. Ends with `attach` or `waitNoMore`.
   */
  startWaiting(): void {
    this.#databaseReady = Promise.withResolvers();
    setTimeout(() => this.stopWaiting(), LONGEST_WAIT_MS).unref();
  }

  /** Nobody waits for the database any more: it is there, or cannot be had for now and this process decides alone. */
  stopWaiting(): void {
    this.#databaseReady?.resolve();
    this.#databaseReady = null;
  }

  /** From now on the database decides. Rejects when the key of the hashes cannot be read. */
  async useDatabase(pool: pg.Pool): Promise<void> {
    this.#addressHashKey = await readAddressHashKey(pool);
    this.#pool = pool;
    this.stopWaiting();
  }

  /** What is kept of a client address: a keyed hash; `null` = its key is not known yet. Rule 43. */
  hashAddress(client: string): Buffer | null {
    if (this.#addressHashKey === null) return null;
    return createHmac('sha256', this.#addressHashKey).update(client).digest().subarray(0, HASH_BYTES);
  }
}

const SECRET = `select value from secrets where name = 'address-hash'`;
const SECRET_WITHIN_MS = 3_000;

/** The key of the hashes under which addresses are kept, made by the first migration. */
async function readAddressHashKey(pool: pg.Pool): Promise<Buffer> {
  const [row] = await runStatement<{ value: Buffer }>(pool, { text: SECRET }, SECRET_WITHIN_MS);
  if (row === undefined) throw new Error('the table "secrets" has no row "address-hash"');
  return row.value;
}
