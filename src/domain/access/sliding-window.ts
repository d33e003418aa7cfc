/** A sliding window: never more than so many places in any stretch of time, wherever it begins. */

export type SlidingWindow = {
  readonly maxRequests: number;
  readonly ms: number;
};

export type WindowDecision = {
  /** Whether one more fits. */
  readonly isAllowed: boolean;
  /** ms until a place is free; 0 when one is. */
  readonly waitMs: number;
};

/**
 * Whether one more fits behind those accepted, sorted epoch ms, at the moment `now`. Times are whole ms, so one of
 * exactly a window ago is still within it: two readings that differ by 1,000 may be less than a second apart. A time
 * ahead of `now` (a clock set back) counts as now.
 */
export function checkWindow(
  { maxRequests, ms }: SlidingWindow,
  accepted: readonly number[],
  now: number,
): WindowDecision {
  const deciding = accepted.at(-maxRequests);
  const waitMs = deciding === undefined ? 0 : Math.min(deciding, now) + ms + 1 - now;
  return { isAllowed: waitMs <= 0, waitMs: Math.max(0, waitMs) };
}

/** Those accepted that the window still sees, with `now` behind them; keeps its list in place. */
export function recordInWindow({ ms }: Pick<SlidingWindow, 'ms'>, accepted: number[], now: number): void {
  const firstKept = accepted.findIndex((each) => each >= now - ms);
  accepted.splice(0, firstKept === -1 ? accepted.length : firstKept);
  accepted.push(now);
}
