/**
 * Every live key in the memory of a serving process. A known key costs the database nothing; that it is still good is
 * known from a look at the version of the keys, shared by all requests, that began less than a second ago.
 */

import { SharedLook } from '../../concurrency/single-flight.ts';
import { hashOf, isWellFormed } from '../../domain/access/api-key.ts';
import type { Database } from '../connection/database.ts';
import type { Listener } from '../connection/listen.ts';
import type { Schema } from '../connection/schema.ts';
import { type Log, messageOf } from '../database-errors.ts';
import { HeldKeys } from './key-cache-entries.ts';
import { FAR_BEHIND, type KnownKey, readChangedKeys, readKeyVersion, readLiveKeys } from './key-queries.ts';
import { KEYS_CHANNEL } from './keys.ts';

/** The holder's key, `null` for what is no live key, or that it cannot be told now. */
export type FoundKey = KnownKey | null | 'unavailable';

export type KeyRingOptions = {
  /** Milliseconds that only grow, such as `performance.now`. */
  readonly clock: () => number;
  readonly log: Log;
};

/** How often is looked when nothing is announced. */
const POLL_MS = 400;
/** A look that began longer ago says nothing any more: a revoked key is dead within a second, come what may. */
const CURRENT_MS = 900;
const LOOK_DEADLINE_MS = 500;
/** What is waited for the first look of a process that starts: a refusal of the database comes within a second. */
const COMING_MS = 600;

export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #look = new SharedLook(() => this.#catchUp());
  #database: Database<Schema> | undefined;
  #listener: Listener | undefined;
  #poll: NodeJS.Timeout | undefined;
  #held = new HeldKeys();
  #version: number | undefined;
  /** When the look began that `#held` is true of. */
  #asOf = Number.NEGATIVE_INFINITY;
  /** Whether the last look came to nothing; so it is before the first. */
  #away = true;
  #told = false;
  #coming: PromiseWithResolvers<void> | null = null;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: KeyRingOptions) {
    this.#options = options;
  }

  /**
   * The database is about to come: requests wait for it, 0.6 s from the first one that does, or each start of a process
   * would refuse good keys for a moment. Ends with the first look after `attach`, or with `waitNoMore`.
   */
  expect(): void {
    this.#coming = Promise.withResolvers();
  }

  /** Nobody waits any more for a database that is about to come. */
  waitNoMore(): void {
    clearTimeout(this.#patience);
    this.#coming?.resolve();
    this.#coming = null;
  }

  /** Begins to hold the keys of a database. */
  attach(database: Database<Schema>): void {
    this.#database = database;
    const look = () => void this.#look.next();
    this.#listener = database.listen(KEYS_CHANNEL, { onNotify: look, onUp: look });
    this.#poll = setInterval(look, POLL_MS);
    void this.#look.next().then(() => this.waitNoMore());
  }

  async close(): Promise<void> {
    this.waitNoMore();
    clearInterval(this.#poll);
    this.#away = true;
    this.#asOf = Number.NEGATIVE_INFINITY;
    await Promise.all([this.#look.close(), this.#listener?.close()]);
  }

  /**
   * Whose key this is. At once for what is no key by its form, and for a known key; one that is not known yet may just
   * have been made, and waits for one look (half a second at most).
   */
  find(key: string): FoundKey | Promise<FoundKey> {
    if (!isWellFormed(key)) return null;
    const hash = hashOf(key);
    if (this.#isCurrent()) {
      const found = this.#lookUp(hash);
      return found === undefined ? this.#afterLook(hash) : found;
    }
    if (this.#coming !== null) return this.#whenThere(key, this.#coming);
    // A look that is merely late, as after a long pause of this process, is worth waiting for.
    return this.#away ? 'unavailable' : this.#afterLook(hash);
  }

  async #whenThere(key: string, coming: PromiseWithResolvers<void>): Promise<FoundKey> {
    this.#patience ??= setTimeout(() => this.waitNoMore(), COMING_MS);
    await coming.promise;
    return this.find(key);
  }

  #isCurrent(): boolean {
    return this.#options.clock() - this.#asOf <= CURRENT_MS;
  }

  /** A secret that expired is none, and needs no look: it does not come back. */
  #lookUp(hash: string): KnownKey | null | undefined {
    const secret = this.#held.find(hash);
    if (secret === undefined) return undefined;
    return this.#options.clock() < secret.until ? secret.key : null;
  }

  async #afterLook(hash: string): Promise<FoundKey> {
    if (!(await this.#look.next())) return 'unavailable';
    return this.#lookUp(hash) ?? null;
  }

  async #catchUp(): Promise<boolean> {
    const { clock, log } = this.#options;
    const begunAt = clock();
    try {
      await this.#read();
      this.#asOf = begunAt;
      this.#away = false;
      if (this.#told) log.info('keys can be verified again');
      this.#told = false;
      return true;
    } catch (error) {
      if (!this.#told) log.warn(`keys cannot be verified: ${messageOf(error)}`);
      this.#away = true;
      this.#told = true;
      return false;
    }
  }

  async #read(): Promise<void> {
    const { pool } = this.#database as Database<Schema>;
    const version = await readKeyVersion(pool, LOOK_DEADLINE_MS);
    const behind = version - (this.#version ?? Number.NaN);
    if (behind === 0) return;
    const { clock } = this.#options;
    if (behind > 0 && behind < FAR_BEHIND) {
      const { ids, secrets } = await readChangedKeys(pool, version - behind);
      for (const id of ids) this.#held.forget(id);
      this.#held.put(secrets, clock());
    } else {
      const held = new HeldKeys();
      for await (const secrets of readLiveKeys(pool)) held.put(secrets, clock());
      this.#held = held;
    }
    this.#version = version;
  }
}
