/** The limits of keys: this process queries the database in batches and remembers refusals by the rate limit. */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { type BatchCounts, createBatchCounts } from '../../telemetry/batch-counts.ts';
import type { Queryable } from '../connection/database-connection.ts';
import {
  type CountedPeriod,
  grantToKeys,
  type KeyDemand,
  type KeyGrant,
  type KeyRefund,
  refundToKeys,
} from './key-limit-queries.ts';
import { batchLimits, STATEMENT_TIMEOUT_MS } from './limit-batch.ts';

/** A key and its current monthly quota. */
export type LimitedKey = { readonly id: number; readonly quota: number };

/** The decision on one request. */
export type KeyDecision =
  /** The key does not exist any more. */
  { readonly outcome: 'unknown key' } | LiveKeyDecision;

/** `used` counts the requests of this month; `now` is the database's clock, epoch ms; a refund names `countedIn`. */
type LiveKeyDecision = { readonly used: number; readonly now: number } & (
  | { readonly outcome: 'granted'; readonly countedIn: CountedPeriod }
  /** The rate limit has no free slot; the next one is free after `waitMs`. */
  | { readonly outcome: 'rate limited'; readonly waitMs: number }
  /** The request took a slot, but the quota of the month is used up. */
  | { readonly outcome: 'quota exhausted' }
);

type KeyRequest = { readonly key: LimitedKey; readonly countsTowardsQuota: boolean };
/** `retryAt` is by `performance.now()`; `clockOffset` is the database's clock minus that one. */
type RateLimitRefusal = { readonly retryAt: number; readonly used: number; readonly clockOffset: number };

const MAX_REFUSALS = 100_000;

export class KeyLimits {
  readonly #database: Queryable;
  readonly #onUsage: (key: number, used: number, now: number) => void;
  readonly #decide: (request: KeyRequest) => Promise<KeyDecision>;
  readonly #refused = new BoundedMap<RateLimitRefusal>(MAX_REFUSALS);

  /** @param onUsage receives what the database counted for a key this month, and when (epoch ms). */
  constructor(
    database: Queryable,
    onUsage: (key: number, used: number, now: number) => void,
    batches: BatchCounts = createBatchCounts(),
  ) {
    this.#database = database;
    this.#onUsage = onUsage;
    this.#decide = batchLimits<KeyRequest, KeyDecision>({
      runBatch: (requests) => this.#decideInDatabase(requests),
      onLateAnswers: (requests, decisions) => void this.#refundAll(sumCounted(requests, decisions)),
      series: batches.key,
    });
  }

  /**
   * Takes a slot of the rate limit and, if the request counts towards the quota, one request of the month.
   * Rejects with `LimitsUnavailable` if the database does not decide in time; refunds what it then grants too late.
   */
  tryTake(key: LimitedKey, countsTowardsQuota: boolean): KeyDecision | Promise<KeyDecision> {
    const name = String(key.id);
    const refused = this.#refused.get(name);
    if (refused === undefined) return this.#decide({ key, countsTowardsQuota });
    const { retryAt, used, clockOffset } = refused;
    const now = performance.now();
    if (now < retryAt) return { outcome: 'rate limited', waitMs: retryAt - now, used, now: now + clockOffset };
    this.#refused.delete(name);
    return this.#decide({ key, countsTowardsQuota });
  }

  /** Refunds a counted request whose answer was not 200. If the database is unavailable, the request stays counted. */
  async refund(key: number, countedIn: CountedPeriod): Promise<void> {
    await this.#refundAll([{ key, counted: 1, countedIn }]);
  }

  async #refundAll(refunds: readonly KeyRefund[]): Promise<void> {
    if (refunds.length === 0) return;
    const usages = await refundToKeys(this.#database, refunds, STATEMENT_TIMEOUT_MS).catch(() => []);
    for (const { key, used, now } of usages) this.#onUsage(key, used, now);
  }

  async #decideInDatabase(requests: readonly KeyRequest[]): Promise<KeyDecision[]> {
    const demands = sumByKey(requests);
    const grants = await grantToKeys(this.#database, [...demands.values()], STATEMENT_TIMEOUT_MS);
    for (const { key, used, waitMs, now } of grants.values()) {
      this.#onUsage(key, used, now);
      const at = performance.now();
      if (waitMs > 0) this.#refused.set(String(key), { retryAt: at + waitMs, used, clockOffset: now - at });
    }
    return distributeGrants(requests, grants);
  }
}

function sumByKey(requests: readonly KeyRequest[]): Map<number, KeyDemand> {
  const demands = new Map<number, KeyDemand>();
  for (const { key, countsTowardsQuota } of requests) {
    const before = demands.get(key.id) ?? { slots: 0, counted: 0 };
    demands.set(key.id, {
      key: key.id,
      slots: before.slots + 1,
      counted: before.counted + (countsTowardsQuota ? 1 : 0),
      quota: key.quota,
    });
  }
  return demands;
}

/** What the decisions of one batch counted: of each key in one period. */
function sumCounted(requests: readonly KeyRequest[], decisions: readonly KeyDecision[]): KeyRefund[] {
  const counted = new Map<number, KeyRefund>();
  for (const [index, { key, countsTowardsQuota }] of requests.entries()) {
    const decision = decisions[index];
    if (!countsTowardsQuota || decision?.outcome !== 'granted') continue;
    const before = counted.get(key.id)?.counted ?? 0;
    counted.set(key.id, { key: key.id, counted: before + 1, countedIn: decision.countedIn });
  }
  return [...counted.values()];
}

/** Distributes what each key was granted: first the requests that count, then slots to the others. */
function distributeGrants(requests: readonly KeyRequest[], grants: ReadonlyMap<number, KeyGrant>): KeyDecision[] {
  const left = new Map([...grants].map(([key, { slots, counted }]) => [key, { uncounted: slots - counted, counted }]));
  return requests.map(({ key, countsTowardsQuota }) => {
    const grant = grants.get(key.id);
    const rest = left.get(key.id);
    if (grant === undefined || rest === undefined) return { outcome: 'unknown key' };
    const { used, waitMs, countedIn, now } = grant;
    if (countsTowardsQuota && rest.counted > 0) {
      rest.counted -= 1;
      return { outcome: 'granted', used: used - rest.counted, now, countedIn };
    }
    if (rest.uncounted === 0) return { outcome: 'rate limited', waitMs: Math.max(1, waitMs), used, now };
    rest.uncounted -= 1;
    return countsTowardsQuota
      ? { outcome: 'quota exhausted', used, now }
      : { outcome: 'granted', used, now, countedIn };
  });
}
