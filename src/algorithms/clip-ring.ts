/** An upright rectangle. */
export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/**
 * The part of a closed ring inside a rectangle, as one ring (Sutherland-Hodgman): where the ring leaves and enters
 * again, the result runs along the edge. `points` holds x and y in turn, without the first point again at the end.
 */
export function clipRing(points: ArrayLike<number>, { left, top, right, bottom }: Box): number[] {
  const inRight = cutAt(points, 0, left, 1);
  const inWidth = cutAt(inRight, 0, right, -1);
  const below = cutAt(inWidth, 1, top, 1);
  return cutAt(below, 1, bottom, -1);
}

/** Keeps what lies beyond `limit` in the direction of `sign`, along x (axis 0) or y (axis 1). */
function cutAt(points: ArrayLike<number>, axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const cut: number[] = [];
  const count = points.length;
  for (let at = 0; at < count; at += 2) {
    const before = (at + count - 2) % count;
    const [x, y] = [points[at] as number, points[at + 1] as number];
    const depth = ((axis === 0 ? x : y) - limit) * sign;
    const depthBefore = ((points[before + axis] as number) - limit) * sign;
    if (depth < 0 !== depthBefore < 0) {
      const share = depthBefore / (depthBefore - depth);
      const [fromX, fromY] = [points[before] as number, points[before + 1] as number];
      // On the limit exactly, so that a later cut finds the point inside.
      const across = axis === 0 ? fromY + share * (y - fromY) : fromX + share * (x - fromX);
      if (axis === 0) cut.push(limit, across);
      else cut.push(across, limit);
    }
    if (depth >= 0) cut.push(x, y);
  }
  return cut;
}
