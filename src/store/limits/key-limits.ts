/** What a key may still have: asked of the database in batches; the short-term refusals it gave are remembered. */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { type CountedPeriod, grantToKeys, type KeyDemand, type KeyGrant, refundToKey } from './key-usage-table.ts';
import { batchLimits, STATEMENT_DEADLINE_MS } from './limit-batch.ts';

/** A key and its monthly quota at present. */
export type LimitedKey = { readonly id: number; readonly quota: number };

/** What a request got. */
export type SpendOutcome =
  /** The key does not exist any more. */
  { readonly outcome: 'gone' } | SpendDecision;

/** `used` counts the requests of this month, `now` is the database's clock, epoch ms. */
type SpendDecision = { readonly used: number; readonly now: number } /** `counted`: where, for giving it back. */ & (
  | { readonly outcome: 'given'; readonly counted: CountedPeriod }
  /** The short-term limits have no place; one is free after `waitMs`. */
  | { readonly outcome: 'too fast'; readonly waitMs: number }
  /** There was a place, and nothing is left of the month. */
  | { readonly outcome: 'used up' }
);

type SpendRequest = { readonly key: LimitedKey; readonly countsTowardsQuota: boolean };
type ShortTermRefusal = { readonly until: number; readonly used: number; readonly clockOffset: number };

const MAX_REFUSALS = 100_000;

export class KeyLimits {
  readonly #database: Queryable;
  readonly #onUsage: (key: number, used: number, now: number) => void;
  readonly #ask: (question: SpendRequest) => Promise<SpendOutcome>;
  /** Times by `performance.now()`. */
  readonly #refused = new BoundedMap<ShortTermRefusal>(MAX_REFUSALS);

  /** @param onUsage is told what the database counted for a key this month, at its moment (epoch ms). */
  constructor(database: Queryable, onUsage: (key: number, used: number, now: number) => void) {
    this.#database = database;
    this.#onUsage = onUsage;
    this.#ask = batchLimits<SpendRequest, SpendOutcome>({ ask: (questions) => this.#decideInDatabase(questions) });
  }

  /**
   * Takes a place in the short-term windows, and for a paid request one of the month; rejects with `LimitsUnavailable` when the
   * database does not say.
   */
  spend(key: LimitedKey, countsTowardsQuota: boolean): SpendOutcome | Promise<SpendOutcome> {
    const name = String(key.id);
    const refused = this.#refused.get(name);
    if (refused === undefined) return this.#ask({ key, countsTowardsQuota });
    const { until, used, clockOffset } = refused;
    const now = performance.now();
    if (now < until) return { outcome: 'too fast', waitMs: until - now, used, now: now + clockOffset };
    this.#refused.delete(name);
    return this.#ask({ key, countsTowardsQuota });
  }

  /** Gives one that was paid for back: its answer was not 200. What cannot be given back stays counted. */
  async refund(key: number, counted: CountedPeriod): Promise<void> {
    const left = await refundToKey(this.#database, key, counted, STATEMENT_DEADLINE_MS).catch(() => null);
    if (left !== null) this.#onUsage(key, left.used, left.now);
  }

  async #decideInDatabase(questions: readonly SpendRequest[]): Promise<SpendOutcome[]> {
    const wanted = sumByKey(questions);
    const given = await grantToKeys(this.#database, [...wanted.values()], STATEMENT_DEADLINE_MS);
    for (const { key, used, waitMs, now } of given.values()) {
      this.#onUsage(key, used, now);
      const at = performance.now();
      if (waitMs > 0) this.#refused.set(String(key), { until: at + waitMs, used, clockOffset: now - at });
    }
    return distributeGrants(questions, given);
  }
}

function sumByKey(questions: readonly SpendRequest[]): Map<number, KeyDemand> {
  const wanted = new Map<number, KeyDemand>();
  for (const { key, countsTowardsQuota } of questions) {
    const before = wanted.get(key.id) ?? { places: 0, paid: 0 };
    wanted.set(key.id, {
      key: key.id,
      places: before.places + 1,
      paid: before.paid + (countsTowardsQuota ? 1 : 0),
      quota: key.quota,
    });
  }
  return wanted;
}

/** Who gets what was given to a key: first those whose request is paid for, then the others that have a place. */
function distributeGrants(questions: readonly SpendRequest[], given: ReadonlyMap<number, KeyGrant>): SpendOutcome[] {
  const left = new Map([...given].map(([key, { places, paid }]) => [key, { unpaid: places - paid, paid }]));
  return questions.map(({ key, countsTowardsQuota }) => {
    const grant = given.get(key.id);
    const rest = left.get(key.id);
    if (grant === undefined || rest === undefined) return { outcome: 'gone' };
    const { used, waitMs, counted, now } = grant;
    if (countsTowardsQuota && rest.paid > 0) {
      rest.paid -= 1;
      return { outcome: 'given', used: used - rest.paid, now, counted };
    }
    if (rest.unpaid === 0) return { outcome: 'too fast', waitMs: Math.max(1, waitMs), used, now };
    rest.unpaid -= 1;
    return countsTowardsQuota ? { outcome: 'used up', used, now } : { outcome: 'given', used, now, counted };
  });
}
