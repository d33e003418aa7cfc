/**
 * Every live key in the memory of a serving process. A known key costs the database nothing; that it is still good is
 * known from a look at the version of the keys, shared by all requests, that began less than a second ago.
 */

import { SharedRefresh } from '../../concurrency/shared-refresh.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { hashApiKey, isWellFormedKey } from '../../domain/access/api-key.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Listener } from '../connection/listen.ts';
import { messageOf, type OperatorLog } from '../database-errors.ts';
import { KeyCacheEntries } from './key-cache-entries.ts';
import { type KnownKey, MAX_VERSIONS_BEHIND, readChangedKeys, readKeyVersion, readLiveKeys } from './key-queries.ts';
import { KEYS_CHANNEL } from './keys.ts';

/** The holder's key, `null` for what is no live key, or that it cannot be told now. */
export type KeyLookupResult = KnownKey | null | 'unavailable';

export type KeyCacheOptions = {
  /** Milliseconds that only grow, such as `performance.now`. */
  readonly clock: () => number;
  readonly log: OperatorLog;
};

/** How often is looked when nothing is announced. */
const POLL_MS = 400;
/** A look that began longer ago says nothing any more: a revoked key is dead within a second, come what may. */
const MAX_AGE_MS = 900;
/** Refreshes that are asked for start at least this far apart. */
const REFRESH_INTERVAL_MS = 75;
/** A key that is not known yet waits this long for a refresh. */
const REFRESH_TIMEOUT_MS = 500;
const REFRESH_DEADLINE_MS = 500;
/** What is waited for the first look of a process that starts: a refusal of the database comes within a second. */
const STARTUP_WAIT_MS = 600;

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
  /** When the look began that `#held` is true of. */
  #asOf = Number.NEGATIVE_INFINITY;
  /** Whether the last look came to nothing; so it is before the first. */
  #isUnreachable = true;
  readonly #outage: WarnOnce;
  /** Until the first refresh: requests wait for it, 0.6 s from the first one that does. */
  #startup: PromiseWithResolvers<void> | null = null;
  #startupTimer: NodeJS.Timeout | undefined;

  /**
   * Holds the keys as soon as the database is there. Of one that is about to come requests wait for the first refresh,
   * or each start of a process would refuse good keys for a moment.
   */
  constructor(database: DatabaseConnection, options: KeyCacheOptions) {
    this.#database = database;
    this.#options = options;
    const { log } = options;
    this.#outage = new WarnOnce({
      warn: (why) => log.warn(`keys cannot be verified: ${why}`),
      onRecovery: () => log.info('keys can be verified again'),
    });
    const refresh = () => void this.#refresh.run();
    if (database.state === 'connecting') {
      this.#startup = Promise.withResolvers();
      void database.whenReady().then((isReady) => isReady || this.#endStartup());
    }
    this.#listener = database.listen(KEYS_CHANNEL, { onNotify: refresh, onListening: refresh });
    database.onReady(() => {
      this.#pollTimer = setInterval(refresh, POLL_MS);
      void this.#refresh.run().then(() => this.#endStartup());
    });
  }

  async close(): Promise<void> {
    this.#endStartup();
    clearInterval(this.#pollTimer);
    this.#isUnreachable = true;
    this.#asOf = Number.NEGATIVE_INFINITY;
    await Promise.all([this.#refresh.close(), this.#listener.close()]);
  }

  /**
   * Whose key this is. At once for what is no key by its form, and for a known key; one that is not known yet may just
   * have been made, and waits for one look (half a second at most).
   */
  find(key: string): KeyLookupResult | Promise<KeyLookupResult> {
    if (!isWellFormedKey(key)) return null;
    const hash = hashApiKey(key);
    if (this.#isCurrent()) {
      const found = this.#findCached(hash);
      return found === undefined ? this.#findAfterRefresh(hash) : found;
    }
    if (this.#startup !== null) return this.#findWhenReady(key, this.#startup);
    // A look that is merely late, as after a long pause of this process, is worth waiting for.
    return this.#isUnreachable ? 'unavailable' : this.#findAfterRefresh(hash);
  }

  async #findWhenReady(key: string, startup: PromiseWithResolvers<void>): Promise<KeyLookupResult> {
    this.#startupTimer ??= setTimeout(() => this.#endStartup(), STARTUP_WAIT_MS);
    await startup.promise;
    return this.find(key);
  }

  #endStartup(): void {
    clearTimeout(this.#startupTimer);
    this.#startup?.resolve();
    this.#startup = null;
  }

  #isCurrent(): boolean {
    return this.#options.clock() - this.#asOf <= MAX_AGE_MS;
  }

  /** A secret that expired is none, and needs no look: it does not come back. */
  #findCached(hash: string): KnownKey | null | undefined {
    const secret = this.#entries.find(hash);
    if (secret === undefined) return undefined;
    return this.#options.clock() < secret.until ? secret.key : null;
  }

  async #findAfterRefresh(hash: string): Promise<KeyLookupResult> {
    if (!(await this.#refresh.run())) return 'unavailable';
    return this.#findCached(hash) ?? null;
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
    }
  }

  async #readChanges(): Promise<void> {
    const version = await readKeyVersion(this.#database, REFRESH_DEADLINE_MS);
    const behind = version - (this.#version ?? Number.NaN);
    if (behind === 0) return;
    const { clock } = this.#options;
    if (behind > 0 && behind < MAX_VERSIONS_BEHIND) {
      const { ids, secrets } = await readChangedKeys(this.#database, version - behind);
      for (const id of ids) this.#entries.removeKey(id);
      this.#entries.put(secrets, clock());
    } else {
      const entries = new KeyCacheEntries();
      for await (const secrets of readLiveKeys(this.#database)) entries.put(secrets, clock());
      this.#entries = entries;
    }
    this.#version = version;
  }
}
