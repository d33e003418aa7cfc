/**
 * A line with fewer points, none of which left out lies further than `tolerance` from it (Douglas-Peucker). `points`
 * holds x and y in turn; the first and the last point stay.
 */
export function thinLine(points: ArrayLike<number>, tolerance: number): number[] {
  const last = points.length / 2 - 1;
  if (last < 1) return Array.from(points);
  const kept = new Uint8Array(last + 1);
  kept[0] = kept[last] = 1;
  // A stack of its own: a coast has more points than calls may be nested.
  const open: [from: number, to: number][] = [[0, last]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part;
    const far = furthest(points, from, to, tolerance * tolerance);
    if (far < 0) continue;
    kept[far] = 1;
    open.push([from, far], [far, to]);
  }
  const thinned: number[] = [];
  for (const [index, keep] of kept.entries()) {
    if (keep === 1) thinned.push(points[2 * index] as number, points[2 * index + 1] as number);
  }
  return thinned;
}

/** The point between two others that is furthest from the straight line from one to the other; -1 = all are near. */
function furthest(points: ArrayLike<number>, from: number, to: number, nearest2: number): number {
  const [x, y] = [points[2 * from] as number, points[2 * from + 1] as number];
  const [dx, dy] = [(points[2 * to] as number) - x, (points[2 * to + 1] as number) - y];
  const length2 = dx * dx + dy * dy;
  let found = -1;
  let most = nearest2;
  for (let index = from + 1; index < to; index += 1) {
    const [px, py] = [(points[2 * index] as number) - x, (points[2 * index + 1] as number) - y];
    const along = length2 === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length2));
    const off2 = (px - along * dx) ** 2 + (py - along * dy) ** 2;
    if (off2 <= most) continue;
    most = off2;
    found = index;
  }
  return found;
}
