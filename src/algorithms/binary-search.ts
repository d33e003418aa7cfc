/**
 * The first index from `low` to before `high` that passes, `high` where none does. Those that pass must follow all that
 * do not.
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
