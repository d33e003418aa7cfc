/**
 * Edit distance of two words: letters added, removed or changed, or two neighbours swapped (optimal string alignment).
 * Returns `limit + 1` as soon as the distance exceeds `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) current[j] = cellCost(a, b, i, j, current, previous, earlier);
    if (Math.min(...current) > limit) return limit + 1;
    earlier = previous;
    previous = current;
  }
  return Math.min(previous[b.length] ?? 0, limit + 1);
}

function cellCost(
  a: string,
  b: string,
  i: number,
  j: number,
  current: number[],
  previous: number[],
  earlier: number[],
): number {
  const at = (row: number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
  const same = a[i - 1] === b[j - 1];
  const edited = Math.min(at(current, j - 1) + 1, at(previous, j) + 1, at(previous, j - 1) + (same ? 0 : 1));
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return swapped ? Math.min(edited, at(earlier, j - 2) + 1) : edited;
}

/** The words spelled most like the text, closest first; equally close words keep their order. */
export function closestSpellings(text: string, words: Iterable<string>, count: number): string[] {
  const limit = Math.min(3, Math.max(1, Math.floor(text.length / 3)));
  return [...words]
    .map((word) => ({ word, distance: editDistance(text, word, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ word }) => word);
}
