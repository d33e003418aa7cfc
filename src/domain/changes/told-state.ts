/** States that were told, and which of them a snapshot shows. */

/** What is served of a publication while its verdicts hold: from `from` until `until`, epoch ms, not included. */
export type StateInterval = { readonly version: number; readonly from: number; readonly until: number };

/** Every change up to `seq` leads to it. */
export type ToldState = StateInterval & { readonly number: number; readonly seq: number };

/** Whether both show the same: the same publication at a moment that both include. */
export function isSameState(a: StateInterval, b: StateInterval): boolean {
  return a.version === b.version && Math.max(a.from, b.from) < Math.min(a.until, b.until);
}

/** Whether `a` had ended when `b` began. */
export function isEarlierState(a: StateInterval, b: StateInterval): boolean {
  return a.version < b.version || (a.version === b.version && a.until <= b.from);
}
