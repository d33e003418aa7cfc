/** So many requests a minute and client over all processes; while the database cannot be asked, in this one. */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { checkWindow, recordInWindow } from '../../domain/access/sliding-window.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { batchLimits, decidedWithin, LimitsUnavailable, STATEMENT_DEADLINE_MS } from './limit-batch.ts';
import { type MinuteVerdict, takeMinute } from './minute-windows.ts';

/** A request of a client (its canonical address or network) under one of the limits. */
export type MinuteLimitedRequest = { readonly client: string; readonly name: string; readonly most: number };

/** ms until the next place is free; 0 = this one was given. */
export type WaitMs = number;

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 100_000;

/** Requests that this process accepted in the last minute, sorted, by `performance.now()`. */
type AcceptedRequests = {
  readonly all: number[];
  /** Those the database does not know of. */
  readonly decidedLocally: number[];
};

export type MinuteLimitsOptions = {
  /** Makes the keyed hash under which a client is kept; `null` = its key is not known yet. */
  readonly hash: (client: string) => Buffer | null;
  /** Clients that are remembered at most. */
  readonly maxEntries?: number;
};

export class MinuteLimits {
  readonly #database: Queryable;
  readonly #hash: (client: string) => Buffer | null;
  readonly #ask: (minute: MinuteLimitedRequest) => Promise<WaitMs>;
  /** When the next place is free, by `performance.now()`. */
  readonly #refused: BoundedMap<number>;
  readonly #accepted: BoundedMap<AcceptedRequests>;

  constructor(database: Queryable, { hash, maxEntries = MAX_CLIENTS }: MinuteLimitsOptions) {
    this.#database = database;
    this.#hash = hash;
    this.#refused = new BoundedMap(maxEntries);
    this.#accepted = new BoundedMap(maxEntries);
    this.#ask = batchLimits<MinuteLimitedRequest, WaitMs>({ ask: (minutes) => this.#decideInDatabase(minutes) });
  }

  /** Takes a place, or tells how long there is none. What the database does not decide within `withinMs` is decided here. */
  take(request: MinuteLimitedRequest, withinMs?: number): WaitMs | Promise<WaitMs> {
    const name = minuteRequestKey(request);
    const now = performance.now();
    const left = (this.#refused.get(name) ?? now) - now;
    if (left > 0) return left;
    const recentLocal = this.#recentLocalTimes(name, now);
    const { isAllowed, waitMs } = checkWindow(windowOf(request), recentLocal, now);
    if (!isAllowed) return waitMs;
    const decision = this.#ask({ ...request, most: request.most - recentLocal.length });
    return (withinMs === undefined ? decision : decidedWithin(withinMs, decision)).then(
      (wait) => this.#rememberWait(name, wait),
      (error) => this.#decideLocally(request, error),
    );
  }

  /** What was accepted without the database counts as long as it would have counted with it. */
  #recentLocalTimes(name: string, now: number): readonly number[] {
    return this.#accepted.get(name)?.decidedLocally.filter((each) => each >= now - MINUTE_MS) ?? [];
  }

  #rememberWait(name: string, wait: WaitMs): WaitMs {
    const now = performance.now();
    if (wait === 0) {
      this.#recordAccepted(name, now, false);
      return 0;
    }
    const [first] = this.#recentLocalTimes(name, now);
    const least = first === undefined ? wait : Math.min(wait, first + MINUTE_MS + 1 - now);
    this.#refused.set(name, now + least);
    return least;
  }

  async #decideInDatabase(minutes: readonly MinuteLimitedRequest[]): Promise<WaitMs[]> {
    const wanted = new Map<string, MinuteLimitedRequest & { wanted: number }>();
    for (const minute of minutes) {
      const name = minuteRequestKey(minute);
      wanted.set(name, { ...minute, wanted: (wanted.get(name)?.wanted ?? 0) + 1 });
    }
    const requests = [...wanted.values()].map((each) => ({ ...each, client: this.#hashOf(each.client) }));
    const verdicts = await takeMinute(this.#database, requests, STATEMENT_DEADLINE_MS);
    const left = new Map([...wanted.keys()].map((name, index) => [name, { ...(verdicts[index] as MinuteVerdict) }]));
    return minutes.map((minute) => {
      const grant = left.get(minuteRequestKey(minute)) as { given: number; waitMs: number };
      if (grant.given === 0) return grant.waitMs;
      grant.given -= 1;
      return 0;
    });
  }

  #hashOf(client: string): Buffer {
    const hash = this.#hash(client);
    if (hash === null) throw new DatabaseUnavailable('the key of the hashes is not known yet');
    return hash;
  }

  #decideLocally(request: MinuteLimitedRequest, error: unknown): WaitMs {
    if (!(error instanceof LimitsUnavailable)) throw error;
    const name = minuteRequestKey(request);
    const now = performance.now();
    const known = this.#accepted.get(name);
    const { isAllowed, waitMs } = checkWindow(windowOf(request), known?.all ?? [], now);
    if (!isAllowed) return waitMs;
    // With no room left to remember that it was accepted it is not: the limit never falls open.
    const oldestTime = this.#accepted.oldest?.all.at(-1);
    if (known === undefined && this.#accepted.isFull && oldestTime !== undefined && oldestTime >= now - MINUTE_MS)
      return oldestTime + MINUTE_MS + 1 - now;
    this.#recordAccepted(name, now, true);
    return 0;
  }

  #recordAccepted(name: string, now: number, isLocal: boolean): void {
    const accepted = this.#accepted.get(name) ?? { all: [], decidedLocally: [] };
    recordInWindow({ ms: MINUTE_MS }, accepted.all, now);
    if (isLocal) recordInWindow({ ms: MINUTE_MS }, accepted.decidedLocally, now);
    this.#accepted.set(name, accepted);
  }
}

const windowOf = ({ most }: MinuteLimitedRequest) => ({ maxRequests: most, ms: MINUTE_MS });
const minuteRequestKey = ({ client, name }: MinuteLimitedRequest) => `${name} ${client}`;
