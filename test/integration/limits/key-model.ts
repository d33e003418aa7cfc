/** The contract's rules for one key in simple code: the oracle for the decisions of the database. */
import { checkWindow, type WindowDecision } from '../../../src/domain/access/sliding-window.ts';

const WINDOWS = [
  { maxRequests: 5, ms: 1_000 },
  { maxRequests: 120, ms: 60_000 },
];

export type ModelRequest = { readonly slots: number; readonly counted: number; readonly quota: number };
export type ModelGrant = {
  readonly slots: number;
  readonly counted: number;
  readonly used: number;
  readonly waitMs: number;
};

export class KeyModel {
  readonly accepted: number[];
  readonly #countedByDay: Map<string, number>;
  total: number;

  constructor(other?: KeyModel) {
    this.accepted = [...(other?.accepted ?? [])];
    this.#countedByDay = new Map(other?.byDay() ?? []);
    this.total = other?.total ?? 0;
  }

  /** Requests counted towards the quota, by day in UTC. */
  byDay(): ReadonlyMap<string, number> {
    return this.#countedByDay;
  }

  /** The requests counted so far in the month of an instant. */
  used(now: number): number {
    return [...this.#countedByDay].reduce(
      (sum, [day, count]) => sum + (day.startsWith(dayOf(now).slice(0, 7)) ? count : 0),
      0,
    );
  }

  grant({ slots, counted, quota }: ModelRequest, now: number): ModelGrant {
    let granted = 0;
    while (granted < slots && this.#windowDecisions(now).every(({ isAllowed }) => isAllowed)) {
      this.accepted.push(now);
      granted += 1;
    }
    const newlyCounted = Math.max(0, Math.min(counted, granted, quota - this.used(now)));
    this.#count(dayOf(now), newlyCounted);
    const wait = Math.max(...this.#windowDecisions(now).map(({ waitMs }) => waitMs));
    return { slots: granted, counted: newlyCounted, used: this.used(now), waitMs: granted === slots ? 0 : wait };
  }

  refund(day: string): void {
    this.#count(day, -1);
  }

  #windowDecisions(now: number): WindowDecision[] {
    return WINDOWS.map((window) => checkWindow(window, this.accepted, now));
  }

  #count(day: string, count: number): void {
    this.total += count;
    this.#countedByDay.set(day, (this.#countedByDay.get(day) ?? 0) + count);
  }
}

export const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
