/** The contract's rules for one key in a few lines of plain code: the oracle for what the database decides. */
import { checkWindow, type WindowDecision } from '../../../src/domain/access/sliding-window.ts';

const WINDOWS = [
  { maxRequests: 5, ms: 1_000 },
  { maxRequests: 120, ms: 60_000 },
];

export type ModelRequest = { readonly places: number; readonly paid: number; readonly quota: number };
export type ModelGrant = {
  readonly places: number;
  readonly paid: number;
  readonly used: number;
  readonly waitMs: number;
};

export class KeyModel {
  readonly accepted: number[];
  readonly #paid: Map<string, number>;
  total: number;

  constructor(other?: KeyModel) {
    this.accepted = [...(other?.accepted ?? [])];
    this.#paid = new Map(other?.byDay() ?? []);
    this.total = other?.total ?? 0;
  }

  /** Requests counted towards the quota, by day in UTC. */
  byDay(): ReadonlyMap<string, number> {
    return this.#paid;
  }

  /** The requests counted so far in the month of an instant. */
  used(now: number): number {
    return [...this.#paid].reduce((sum, [day, count]) => sum + (day.startsWith(dayOf(now).slice(0, 7)) ? count : 0), 0);
  }

  grant({ places, paid, quota }: ModelRequest, now: number): ModelGrant {
    let given = 0;
    while (given < places && this.#places(now).every(({ isAllowed }) => isAllowed)) {
      this.accepted.push(now);
      given += 1;
    }
    const owed = Math.max(0, Math.min(paid, given, quota - this.used(now)));
    this.#count(dayOf(now), owed);
    const wait = Math.max(...this.#places(now).map(({ waitMs }) => waitMs));
    return { places: given, paid: owed, used: this.used(now), waitMs: given === places ? 0 : wait };
  }

  refund(day: string): void {
    this.#count(day, -1);
  }

  #places(now: number): WindowDecision[] {
    return WINDOWS.map((window) => checkWindow(window, this.accepted, now));
  }

  #count(day: string, count: number): void {
    this.total += count;
    this.#paid.set(day, (this.#paid.get(day) ?? 0) + count);
  }
}

export const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
