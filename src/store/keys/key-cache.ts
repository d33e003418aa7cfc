/**
 * Every live key, in the memory of a serving process. A known key needs no query: the cache is valid for less than a
 * second after the start of its last refresh, which compares the version of the keys for all requests together. While
 * it reads all keys, it looks up those that requests bring: the number of keys delays no answer.
 */

import { batched } from '../../concurrency/batch.ts';
import { SharedRefresh } from '../../concurrency/shared-refresh.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { startTimeout } from '../../concurrency/with-timeout.ts';
import { hashApiKey, isWellFormedKey } from '../../domain/access/api-key.ts';
import type { ClosedReason } from '../../domain/billing/standing.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Listener } from '../connection/listen.ts';
import { messageOf, type OperatorLog } from '../database-errors.ts';
import { KeyCacheEntries } from './key-cache-entries.ts';
import {
  type KnownKey,
  type LiveSecret,
  MAX_VERSIONS_BEHIND,
  readChangedKeys,
  readKeyVersion,
  readLiveKeys,
  readSecrets,
} from './key-queries.ts';
import { KEYS_CHANNEL } from './keys.ts';

/**
 * The key; `null` = the text is not a live key; closed = its subscription does not serve it at present; `unavailable` =
 * the process cannot verify keys at present.
 */
export type KeyLookupResult = KnownKey | ClosedKey | null | 'unavailable';
export type ClosedKey = { readonly closed: ClosedReason };

export type KeyCacheOptions = {
  /** A monotonic clock in ms, such as `performance.now`. */
  readonly clock: () => number;
  readonly log: OperatorLog;
};

/** Interval of refreshes without a notification. */
const POLL_MS = 400;
/** Results of an older refresh are not trusted, so that every process refuses a revoked key within one second. */
const MAX_AGE_MS = 900;
/** Minimum time between the starts of two refreshes. */
const REFRESH_INTERVAL_MS = 75;
/** How long a request with an unknown key waits for a refresh. */
const REFRESH_TIMEOUT_MS = 500;
const VERSION_TIMEOUT_MS = 500;
/** How long requests wait for the database after the start; then they are refused. */
const STARTUP_WAIT_MS = 600;
/** How long a lookup may take while all keys are being read: with the wait at the start, a second in all. */
const LOOKUP_TIMEOUT_MS = 400;
/** The most time between batches of lookups, and the most keys in one. */
const LOOKUP_INTERVAL_MS = 10;
const MAX_LOOKUPS = 100;

export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #refresh = new SharedRefresh(() => this.#catchUp(), {
    minIntervalMs: REFRESH_INTERVAL_MS,
    timeoutMs: REFRESH_TIMEOUT_MS,
  });
  readonly #database: DatabaseConnection;
  readonly #listener: Listener;
  #pollTimer: NodeJS.Timeout | undefined;
  #entries = new KeyCacheEntries();
  #version: number | undefined;
  /** When the refresh began whose result `#entries` holds. */
  #asOf = Number.NEGATIVE_INFINITY;
  /** Whether the last refresh failed, or there was none yet. */
  #isUnreachable = true;
  readonly #outage: WarnOnce;
  /** Set until the database answers: requests wait for that, at most 0.6 s from the first such request. */
  #startup: PromiseWithResolvers<void> | null = null;
  #cancelStartup: (() => void) | undefined;
  readonly #firstRead = Promise.withResolvers<void>();
  /** Whether all keys are being read. */
  #isReadingAll = false;
  #isClosed = false;
  /** Reads a key from the database, by its hash. */
  readonly #lookUp: (hash: string) => Promise<LiveSecret | null>;

  /**
   * Loads the keys as soon as the database is ready, which it may be already. Until then requests wait; otherwise each
   * start of a process would refuse valid keys for a moment.
   */
  constructor(database: DatabaseConnection, options: KeyCacheOptions) {
    this.#database = database;
    this.#options = options;
    const { log } = options;
    this.#outage = new WarnOnce({
      warn: (why) => log.warn(`keys cannot be verified: ${why}`),
      onRecovery: () => log.info('keys can be verified again'),
    });
    this.#lookUp = batched({
      runBatch: async (hashes) => {
        const secrets = await readSecrets(database, hashes, LOOKUP_TIMEOUT_MS);
        const found = new Map(secrets.map((secret) => [secret.hash, secret]));
        return hashes.map((hash) => found.get(hash) ?? null);
      },
      intervalMs: LOOKUP_INTERVAL_MS,
      timeoutMs: LOOKUP_TIMEOUT_MS,
      maxBatchSize: MAX_LOOKUPS,
    });
    const refresh = () => void this.#refresh.run();
    if (database.state === 'unavailable') {
      this.#firstRead.resolve();
    } else {
      this.#startup = Promise.withResolvers();
      void database.whenReady().then((isReady) => isReady || this.#endFirstRead());
    }
    this.#listener = database.listen(KEYS_CHANNEL, { onNotify: refresh, onListening: refresh });
    database.onReady(() => {
      this.#pollTimer = setInterval(refresh, POLL_MS);
      refresh();
    });
  }

  /** Resolves when all keys were first read, however long that takes, or could not be. */
  get whenRead(): Promise<void> {
    return this.#firstRead.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endFirstRead();
    clearInterval(this.#pollTimer);
    await Promise.all([this.#refresh.close(), this.#listener.close()]);
  }

  /**
   * Finds a key. Returns at once for a malformed text and for a known key. An unknown key may be new, so its request
   * waits for one refresh (half a second at most), or for a lookup while all keys are being read.
   */
  find(key: string): KeyLookupResult | Promise<KeyLookupResult> {
    if (!isWellFormedKey(key)) return null;
    const hash = hashApiKey(key);
    const found = this.#findCached(hash);
    if (found !== undefined) return found;
    if (this.#isClosed) return 'unavailable';
    if (this.#isReadingAll) return this.#findInDatabase(hash);
    if (this.#startup !== null) return this.#findWhenReady(key, this.#startup);
    // If the last refresh is only late, as after a long pause of this process, the request waits for the next one.
    return this.#isUnreachable && !this.#isCurrent() ? 'unavailable' : this.#findAfterRefresh(hash);
  }

  /** Finds a key without a query; `undefined` = this process does not know it at present. */
  known(key: string): KnownKey | ClosedKey | null | undefined {
    return isWellFormedKey(key) ? this.#findCached(hashApiKey(key)) : null;
  }

  async #findWhenReady(key: string, startup: PromiseWithResolvers<void>): Promise<KeyLookupResult> {
    this.#cancelStartup ??= startTimeout(STARTUP_WAIT_MS, () => this.#endStartup());
    await startup.promise;
    return this.find(key);
  }

  async #findAfterRefresh(hash: string): Promise<KeyLookupResult> {
    if (await this.#refresh.run()) return this.#findCached(hash) ?? null;
    // The refresh may have found that all keys must be read, which takes longer.
    return this.#isReadingAll ? this.#findInDatabase(hash) : 'unavailable';
  }

  async #findInDatabase(hash: string): Promise<KeyLookupResult> {
    try {
      const secret = await this.#lookUp(hash);
      if (secret === null) return null;
      return secret.closing?.msLeft === 0 ? { closed: secret.closing.reason } : secret.key;
    } catch (error) {
      this.#outage.failed(messageOf(error));
      return 'unavailable';
    }
  }

  #endFirstRead(): void {
    this.#endStartup();
    this.#firstRead.resolve();
  }

  #endStartup(): void {
    this.#cancelStartup?.();
    this.#startup?.resolve();
    this.#startup = null;
  }

  #isCurrent(): boolean {
    return this.#options.clock() - this.#asOf <= MAX_AGE_MS;
  }

  /** `undefined` = the cache is too old, or the key is new. An expired secret never becomes valid again. */
  #findCached(hash: string): KnownKey | ClosedKey | null | undefined {
    if (this.#isClosed || !this.#isCurrent()) return undefined;
    const secret = this.#entries.find(hash);
    if (secret === undefined) return undefined;
    const now = this.#options.clock();
    if (now >= secret.expiresAt) return null;
    const { closing } = secret;
    return closing === null || now < closing.at ? secret.key : { closed: closing.reason };
  }

  async #catchUp(): Promise<boolean> {
    const startedAt = this.#options.clock();
    try {
      await this.#readChanges();
      this.#asOf = startedAt;
      this.#isUnreachable = false;
      this.#outage.succeeded();
      return true;
    } catch (error) {
      this.#isUnreachable = true;
      this.#outage.failed(messageOf(error));
      return false;
    } finally {
      this.#isReadingAll = false;
      this.#endFirstRead();
    }
  }

  async #readChanges(): Promise<void> {
    const version = await readKeyVersion(this.#database, VERSION_TIMEOUT_MS);
    const behind = version - (this.#version ?? Number.NaN);
    if (behind === 0) return;
    if (behind > 0 && behind < MAX_VERSIONS_BEHIND) {
      const { ids, secrets } = await readChangedKeys(this.#database, version - behind);
      for (const id of ids) this.#entries.removeKey(id);
      this.#entries.put(secrets, this.#options.clock());
    } else {
      this.#entries = await this.#readAll();
    }
    this.#version = version;
  }

  async #readAll(): Promise<KeyCacheEntries> {
    this.#isReadingAll = true;
    this.#endStartup();
    const entries = new KeyCacheEntries();
    for await (const secrets of readLiveKeys(this.#database)) {
      if (this.#isClosed) break;
      entries.put(secrets, this.#options.clock());
    }
    return entries;
  }
}
