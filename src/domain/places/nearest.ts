import { firstIndexThat } from '../../algorithms/binary-search.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../point.ts';

/** The `k` places nearest to a point, nearest first; all of them when there are fewer. */
export type NearestLookup<T> = (point: Point, k: number) => T[];

type Candidate<T> = { place: T; km: number };

/**
 * An exact, fast index over places: they are sorted by latitude, and the search walks both ways from the point's own
 * latitude until the difference in latitude alone exceeds the worst distance kept. Equally near places keep their
 * order in `places`.
 */
export function nearestLookup<T extends Point>(places: readonly T[]): NearestLookup<T> {
  const byLatitude = [...places].sort((a, b) => a.lat - b.lat);
  const rank = new Map(places.map((place, index) => [place, index]));
  const before = (a: Candidate<T>, b: Candidate<T>): number =>
    a.km - b.km || (rank.get(a.place) ?? 0) - (rank.get(b.place) ?? 0);
  return (point, k) => {
    const kept: Candidate<T>[] = [];
    for (const place of outwards(byLatitude, point.lat)) {
      const worst = kept.length < k ? Number.POSITIVE_INFINITY : (kept.at(-1)?.km ?? 0);
      if (Math.abs(place.lat - point.lat) * KM_PER_DEGREE > worst + 1e-9) break;
      insertSorted(kept, { place, km: distanceKm(point, place) }, k, before);
    }
    return kept.map(({ place }) => place);
  };
}

/** Whether any of the places is at most `km` from a point. */
export function nearbyCheck(places: readonly Point[]): (point: Point, km: number) => boolean {
  const byLatitude = [...places].sort((a, b) => a.lat - b.lat);
  return (point, km) => {
    const reach = km / KM_PER_DEGREE + 1e-9;
    const first = lowerBound(byLatitude, point.lat - reach);
    for (let at = first; (byLatitude[at]?.lat ?? Number.POSITIVE_INFINITY) <= point.lat + reach; at += 1) {
      if (distanceKm(point, byLatitude[at] as Point) <= km) return true;
    }
    return false;
  };
}

function insertSorted<T>(kept: T[], candidate: T, k: number, before: (a: T, b: T) => number): void {
  const at = kept.findIndex((other) => before(candidate, other) < 0);
  if (at === -1 && kept.length >= k) return;
  kept.splice(at === -1 ? kept.length : at, 0, candidate);
  if (kept.length > k) kept.pop();
}

/** Places by their distance in latitude, nearest first. */
function* outwards<T extends Point>(byLatitude: readonly T[], lat: number): Generator<T> {
  let up = lowerBound(byLatitude, lat);
  let down = up - 1;
  while (true) {
    const above = byLatitude[up];
    const below = byLatitude[down];
    if (above && (!below || above.lat - lat <= lat - below.lat)) {
      yield above;
      up++;
    } else if (below) {
      yield below;
      down--;
    } else return;
  }
}

/** The index of the first place, sorted by latitude, that is not south of `lat`; the length if all are. */
export function lowerBound(byLatitude: readonly Point[], lat: number): number {
  return firstIndexThat((index) => (byLatitude[index] as Point).lat >= lat, 0, byLatitude.length);
}
