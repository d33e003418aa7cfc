/** How often something took how long, or was how large, in plain numbers: cheap enough for every request. */

/** Upper bounds of durations in seconds: from what the fast path takes to what a client waits for at most. */
const DURATION_BOUNDS: readonly number[] = [
  0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Values counted by the smallest bound that holds them. Read by whoever shows them, at no cost to whoever counts. */
export class ValueCounts {
  /** Ascending. */
  readonly bounds: readonly number[];
  /** How many values fell into each bound, not cumulated; the last one is for those above every bound. */
  readonly counts: Float64Array;
  /** The sum of all values. */
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    counts[at] = (counts[at] as number) + 1;
    this.sum += value;
  }
}

/** Counts durations in seconds. */
export function durationCounts(): ValueCounts {
  return new ValueCounts(DURATION_BOUNDS);
}
