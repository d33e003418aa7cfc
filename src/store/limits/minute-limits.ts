/** Limits per client and minute over all processes; in this process alone while the database is unavailable. */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { checkWindow, recordInWindow } from '../../domain/access/sliding-window.ts';
import { type BatchCounts, createBatchCounts } from '../../telemetry/batch-counts.ts';
import type { Queryable } from '../connection/database-connection.ts';
import type { KeyedHasher } from './address-hash.ts';
import { batchLimits, decidedWithin, LimitsUnavailable, STATEMENT_TIMEOUT_MS } from './limit-batch.ts';
import { grantMinuteSlots, type MinuteGrant } from './minute-window-queries.ts';

/** A request of a client (its canonical address or network) under one of the limits. */
export type MinuteLimitedRequest = { readonly client: string; readonly name: string; readonly maxRequests: number };

/** ms until the next slot is free; 0 = this request has one. */
export type WaitMs = number;

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 100_000;

/** Requests of a client that this process accepted in the last minute, sorted, by `performance.now()`. */
type AcceptedRequests = {
  readonly all: number[];
  /** Those that the database does not know. */
  readonly decidedLocally: number[];
};

export type MinuteLimitsOptions = {
  /** Makes the keyed hashes under which a client is stored. */
  readonly hasher: KeyedHasher;
  /** Maximum number of remembered clients. */
  readonly maxEntries?: number;
  readonly batches?: BatchCounts;
};

export class MinuteLimits {
  readonly #database: Queryable;
  readonly #hasher: KeyedHasher;
  readonly #decide: (request: MinuteLimitedRequest) => Promise<WaitMs>;
  /** When the next slot is free, by `performance.now()`. */
  readonly #refused: BoundedMap<number>;
  readonly #accepted: BoundedMap<AcceptedRequests>;

  constructor(
    database: Queryable,
    { hasher, maxEntries = MAX_CLIENTS, batches = createBatchCounts() }: MinuteLimitsOptions,
  ) {
    this.#database = database;
    this.#hasher = hasher;
    this.#refused = new BoundedMap(maxEntries);
    this.#accepted = new BoundedMap(maxEntries);
    this.#decide = batchLimits<MinuteLimitedRequest, WaitMs>({
      runBatch: (requests) => this.#decideInDatabase(requests),
      series: batches.minute,
    });
  }

  /** Takes a slot; returns 0, or the ms until one is free. Decides locally if the database exceeds `withinMs`. */
  tryTake(request: MinuteLimitedRequest, withinMs?: number): WaitMs | Promise<WaitMs> {
    const name = minuteRequestKey(request);
    const now = performance.now();
    const left = (this.#refused.get(name) ?? now) - now;
    if (left > 0) return left;
    const recentLocal = this.#recentLocalTimes(name, now);
    const { isAllowed, waitMs } = checkWindow(windowOf(request), recentLocal, now);
    if (!isAllowed) return waitMs;
    const decision = this.#decide({ ...request, maxRequests: request.maxRequests - recentLocal.length });
    return (withinMs === undefined ? decision : decidedWithin(withinMs, decision)).then(
      (wait) => this.#rememberWait(name, wait),
      (error) => this.#decideLocally(request, error),
    );
  }

  /** A request accepted without the database counts for a minute, like any other. */
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
    this.#refused.deleteOldestWhile((until) => until <= now);
    this.#refused.set(name, now + least);
    return least;
  }

  async #decideInDatabase(requests: readonly MinuteLimitedRequest[]): Promise<WaitMs[]> {
    const summed = new Map<string, MinuteLimitedRequest & { slots: number }>();
    for (const request of requests) {
      const name = minuteRequestKey(request);
      summed.set(name, { ...request, slots: (summed.get(name)?.slots ?? 0) + 1 });
    }
    const demands = [...summed.values()];
    const grants = await grantMinuteSlots(this.#database, demands, this.#hasher, STATEMENT_TIMEOUT_MS);
    const left = new Map([...summed.keys()].map((name, index) => [name, { ...(grants[index] as MinuteGrant) }]));
    return requests.map((request) => {
      const grant = left.get(minuteRequestKey(request)) as { slots: number; waitMs: number };
      if (grant.slots === 0) return grant.waitMs;
      grant.slots -= 1;
      return 0;
    });
  }

  #decideLocally(request: MinuteLimitedRequest, error: unknown): WaitMs {
    if (!(error instanceof LimitsUnavailable)) throw error;
    const name = minuteRequestKey(request);
    const now = performance.now();
    const known = this.#accepted.get(name);
    const { isAllowed, waitMs } = checkWindow(windowOf(request), known?.all ?? [], now);
    if (!isAllowed) return waitMs;
    // With no room to remember an acceptance the process refuses: the limit never fails open.
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
    this.#accepted.deleteOldestWhile(({ all }) => (all.at(-1) ?? now) < now - MINUTE_MS);
    this.#accepted.set(name, accepted);
  }
}

const windowOf = ({ maxRequests }: MinuteLimitedRequest) => ({ maxRequests, ms: MINUTE_MS });
const minuteRequestKey = ({ client, name }: MinuteLimitedRequest) => `${name} ${client}`;
