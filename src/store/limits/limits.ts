/** All that is rationed, over all processes: what keys, capped visitors and those counted by the minute may have. */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { ask } from '../connection/connection-pool.ts';
import { KeyAllowance } from './key-limits.ts';
import { MinuteAllowance } from './minute-limits.ts';
import { WeeklyAllowance } from './weekly-limits.ts';

/**
 * A database that takes longer to come, as one that is just being made, is not waited for by visitors; each of them waits
 * for less than that.
 */
const LONGEST_WAIT_MS = 5_000;

/** Bytes of the hash under which a client is kept: enough that no two meet. */
const HASH_BYTES = 16;

export type AllowancesOptions = {
  /** Of this machine, epoch ms. */
  readonly clock: () => number;
  /** Told what the database counted for a key this month, at its moment (epoch ms). */
  readonly noted: (key: number, used: number, now: number) => void;
};

export class Allowances {
  readonly keys: KeyAllowance;
  readonly weekly: WeeklyAllowance;
  readonly minutes: MinuteAllowance;
  #pool: pg.Pool | null = null;
  #coming: PromiseWithResolvers<void> | null = null;
  #secret: Buffer | null = null;

  constructor({ clock, noted }: AllowancesOptions) {
    const database = () => this.#pool;
    const hash = (client: string) => this.hash(client);
    this.keys = new KeyAllowance(database, noted);
    const coming = () => this.#coming?.promise ?? null;
    this.weekly = new WeeklyAllowance(database, { hash, clock, coming });
    this.minutes = new MinuteAllowance(database, { hash });
  }

  /**
   * The database is about to come: what visitors may have is not decided without it, or each start of a process would
   * give every one of them another answer. Ends with `attach` or `waitNoMore`.
   */
  expect(): void {
    this.#coming = Promise.withResolvers();
    setTimeout(() => this.waitNoMore(), LONGEST_WAIT_MS).unref();
  }

  /** Nobody waits for the database any more: it is there, or cannot be had for now and this process decides alone. */
  waitNoMore(): void {
    this.#coming?.resolve();
    this.#coming = null;
  }

  /** From now on the database decides. Rejects when the key of the hashes cannot be read. */
  async attach(pool: pg.Pool): Promise<void> {
    this.#secret = await addressSecret(pool);
    this.#pool = pool;
    this.waitNoMore();
  }

  /** What is kept of a client address: a keyed hash; `null` = its key is not known yet. Decision 43. */
  hash(client: string): Buffer | null {
    if (this.#secret === null) return null;
    return createHmac('sha256', this.#secret).update(client).digest().subarray(0, HASH_BYTES);
  }
}

const SECRET = `select value from secrets where name = 'address-hash'`;
const SECRET_WITHIN_MS = 3_000;

/** The key of the hashes under which addresses are kept, made by the first migration. */
async function addressSecret(pool: pg.Pool): Promise<Buffer> {
  const [row] = await ask<{ value: Buffer }>(pool, { text: SECRET }, SECRET_WITHIN_MS);
  if (row === undefined) throw new Error('the table "secrets" has no row "address-hash"');
  return row.value;
}
