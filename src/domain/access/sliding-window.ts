/** A sliding window: never more than `maxRequests` in any period of `ms`, wherever the period begins. */

export type SlidingWindow = {
  readonly maxRequests: number;
  readonly ms: number;
};

export type WindowDecision = {
  /** Whether one more request is allowed. */
  readonly isAllowed: boolean;
  /** ms until one is allowed; 0 = now. */
  readonly waitMs: number;
};

/**
 * Whether one more request is allowed at the moment `now`, after those accepted (sorted epoch ms). Times are whole ms,
 * so a request exactly one window ago still counts: two readings that differ by 1,000 may be less than a second apart.
 * A time ahead of `now` (a clock set back) counts as now.
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

/** Adds `now` to the accepted requests and drops those that have left the window. Edits the list in place. */
export function recordInWindow({ ms }: Pick<SlidingWindow, 'ms'>, accepted: number[], now: number): void {
  const firstKept = accepted.findIndex((each) => each >= now - ms);
  accepted.splice(0, firstKept === -1 ? accepted.length : firstKept);
  accepted.push(now);
}
