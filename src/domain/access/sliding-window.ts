/** A sliding window: never more than so many places in any stretch of time, wherever it begins. */

export type Window = {
  readonly most: number;
  readonly ms: number;
};

export type Place = {
  /** Whether one more fits. */
  readonly free: boolean;
  /** ms until a place is free; 0 when one is. */
  readonly waitMs: number;
};

/**
 * Whether one more fits behind those accepted, sorted epoch ms, at the moment `now`. Times are whole ms, so one of
 * exactly a window ago is still within it: two readings that differ by 1,000 may be less than a second apart. A time
 * ahead of `now` (a clock set back) counts as now.
 */
export function placeIn({ most, ms }: Window, accepted: readonly number[], now: number): Place {
  const deciding = accepted.at(-most);
  const waitMs = deciding === undefined ? 0 : Math.min(deciding, now) + ms + 1 - now;
  return { free: waitMs <= 0, waitMs: Math.max(0, waitMs) };
}

/** Those accepted that the window still sees, with `now` behind them; keeps its list in place. */
export function takePlace({ ms }: Pick<Window, 'ms'>, accepted: number[], now: number): void {
  const gone = accepted.findIndex((each) => each >= now - ms);
  accepted.splice(0, gone === -1 ? accepted.length : gone);
  accepted.push(now);
}
