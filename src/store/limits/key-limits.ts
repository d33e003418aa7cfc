/** What a key may still have: asked of the database in batches; the short-term refusals it gave are remembered. */

import { batched, DEADLINE_MS, Undecided } from '../../concurrency/batch.ts';
import { Memory } from '../../concurrency/bounded-map.ts';
import { type Counted, type Given, giveBackToKey, giveToKeys, type Wanted } from './key-usage-table.ts';
import { type Askable, askingWithin } from './limit-query.ts';

/** A key and its monthly quota at present. */
export type Spender = { readonly id: number; readonly quota: number };

/** What a request got. */
export type Spending =
  /** The key does not exist any more. */
  { readonly outcome: 'gone' } | Known;

/** `used` counts the requests of this month, `now` is the database's clock, epoch ms. */
type Known = { readonly used: number; readonly now: number } /** `counted`: where, for giving it back. */ & (
  | { readonly outcome: 'given'; readonly counted: Counted }
  /** The short-term limits have no place; one is free after `waitMs`. */
  | { readonly outcome: 'too fast'; readonly waitMs: number }
  /** There was a place, and nothing is left of the month. */
  | { readonly outcome: 'used up' }
);

type Question = { readonly key: Spender; readonly paid: boolean };
type Refusal = { readonly until: number; readonly used: number; readonly ahead: number };

const REMEMBERED = 100_000;

export class KeyAllowance {
  readonly #database: () => Askable | null;
  readonly #noted: (key: number, used: number, now: number) => void;
  readonly #ask: (question: Question) => Promise<Spending>;
  /** Times by `performance.now()`. */
  readonly #refused = new Memory<Refusal>(REMEMBERED);

  /** @param noted is told what the database counted for a key this month, at its moment (epoch ms). */
  constructor(database: () => Askable | null, noted: (key: number, used: number, now: number) => void) {
    this.#database = database;
    this.#noted = noted;
    this.#ask = batched<Question, Spending>({ ask: (questions) => this.#decide(questions) });
  }

  /**
   * Takes a place in the short-term windows, and for a paid request one of the month; rejects with `Undecided` when the
   * database does not say.
   */
  spend(key: Spender, paid: boolean): Spending | Promise<Spending> {
    const name = String(key.id);
    const refused = this.#refused.get(name);
    if (refused === undefined) return this.#ask({ key, paid });
    const { until, used, ahead } = refused;
    const now = performance.now();
    if (now < until) return { outcome: 'too fast', waitMs: until - now, used, now: now + ahead };
    this.#refused.delete(name);
    return this.#ask({ key, paid });
  }

  /** Gives one that was paid for back: its answer was not 200. What cannot be given back stays counted. */
  async giveBack(key: number, counted: Counted): Promise<void> {
    const database = this.#database();
    if (database === null) return;
    const left = await giveBackToKey(askingWithin(database, DEADLINE_MS), key, counted).catch(() => null);
    if (left !== null) this.#noted(key, left.used, left.now);
  }

  async #decide(questions: readonly Question[]): Promise<Spending[]> {
    const database = this.#database();
    if (database === null) throw new Undecided('there is no database');
    const wanted = together(questions);
    const given = await giveToKeys(askingWithin(database, DEADLINE_MS), [...wanted.values()]);
    for (const { key, used, waitMs, now } of given.values()) {
      this.#noted(key, used, now);
      const at = performance.now();
      if (waitMs > 0) this.#refused.set(String(key), { until: at + waitMs, used, ahead: now - at });
    }
    return share(questions, given);
  }
}

function together(questions: readonly Question[]): Map<number, Wanted> {
  const wanted = new Map<number, Wanted>();
  for (const { key, paid } of questions) {
    const before = wanted.get(key.id) ?? { places: 0, paid: 0 };
    wanted.set(key.id, {
      key: key.id,
      places: before.places + 1,
      paid: before.paid + (paid ? 1 : 0),
      quota: key.quota,
    });
  }
  return wanted;
}

/** Who gets what was given to a key: first those whose request is paid for, then the others that have a place. */
function share(questions: readonly Question[], given: ReadonlyMap<number, Given>): Spending[] {
  const left = new Map([...given].map(([key, { places, paid }]) => [key, { unpaid: places - paid, paid }]));
  return questions.map(({ key, paid }) => {
    const mine = given.get(key.id);
    const rest = left.get(key.id);
    if (mine === undefined || rest === undefined) return { outcome: 'gone' };
    const { used, waitMs, counted, now } = mine;
    if (paid && rest.paid > 0) {
      rest.paid -= 1;
      return { outcome: 'given', used: used - rest.paid, now, counted };
    }
    if (rest.unpaid === 0) return { outcome: 'too fast', waitMs: Math.max(1, waitMs), used, now };
    rest.unpaid -= 1;
    return paid ? { outcome: 'used up', used, now } : { outcome: 'given', used, now, counted };
  });
}
