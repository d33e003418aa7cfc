import type { Point } from '../point.ts';
import type { Polyline } from './line.ts';
import { distanceToLine } from './line-tree.ts';

/** A place along a line, and the shortest distance between them, km. */
export type PlaceNearLine<T> = { readonly place: T; readonly km: number };

/**
 * The places within `radiusKm` of the full line, each once, in the order given; none for an empty line. Exact: see
 * `DistanceToLine`.
 */
export function placesAlong<T extends Point>(
  line: Polyline,
  places: readonly T[],
  radiusKm: number,
): PlaceNearLine<T>[] {
  if (line.length === 0) return [];
  const distance = distanceToLine(line);
  const found: PlaceNearLine<T>[] = [];
  for (const place of places) {
    const km = distance(place, radiusKm);
    if (km !== undefined) found.push({ place, km });
  }
  return found;
}
