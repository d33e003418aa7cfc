/**
 * The first index in `[low, high)` that passes, `high` if none does. All passing indexes must follow all failing ones.
 */
export function firstIndexThat(passes: (index: number) => boolean, low: number, high: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (passes(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
