import { lowerBound } from '../places/nearest.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../point.ts';
import type { RoadClass, RoadLeg, RoadStop } from './road-file.ts';

/** Finds the places that a leg of a road passes through, both ends included, in order. */
export type LegPlacesFinder = (leg: RoadLeg, roadClass: RoadClass) => readonly RoadStop[];

/**
 * The longest a leg through villages may be, relative to the straight line, by road class. In the mountains roads
 * follow the valleys, as villages do; a motorway does not.
 */
const MAX_DETOUR_RATIO: Readonly<Record<RoadClass, number>> = {
  motorway: 1.04,
  expressway: 1.04,
  dual: 1.06,
  plain: 1.08,
  hill: 1.15,
  mountain: 1.3,
  county: 1.15,
};

/**
 * The search fills gaps longer than this with villages, km; beyond it the cost of a gap grows with the square of the
 * rest. A gap of 10 km is worth a detour of 1.7 km to a village in its middle, one of 5 km none: the positions of
 * villages are accurate to about 1 km only.
 */
const FREE_GAP_KM = 4;
const GAP_PENALTY_KM = 20;

/**
 * Creates a finder of the villages along a leg: of all chains of places from its start to its end, each further along
 * than the one before, it takes the cheapest. It never exceeds the known length of the road. `places` are all
 * candidates.
 */
export function legPlacesFinder(places: readonly RoadStop[]): LegPlacesFinder {
  const byLatitude = [...places].sort((a, b) => a.lat - b.lat);
  return (leg, roadClass) => {
    const straightKm = distanceKm(leg.from, leg.to);
    const longestKm = Math.min(leg.km ?? Number.POSITIVE_INFINITY, straightKm * MAX_DETOUR_RATIO[roadClass]);
    for (let share = 1; share > 0.05; share /= 2) {
      const withinKm = straightKm + (longestKm - straightKm) * share;
      const chain = cheapestChain([leg.from, ...placesBetween(byLatitude, leg, withinKm), leg.to]);
      if (lengthKm(chain) <= longestKm) return chain;
    }
    return [leg.from, leg.to];
  };
}

/** Length of the straight lines from place to place, km. */
export function lengthKm(stops: readonly Point[]): number {
  return stops.slice(1).reduce((sum, stop, index) => sum + distanceKm(stops[index] as Point, stop), 0);
}

/** The cheapest chain from the first to the last of the ordered places. */
function cheapestChain(ordered: readonly RoadStop[]): RoadStop[] {
  const cost = [0];
  const before = [-1];
  for (let at = 1; at < ordered.length; at += 1) {
    cost[at] = Number.POSITIVE_INFINITY;
    for (let from = 0; from < at; from += 1) {
      const total = (cost[from] as number) + gapCost(distanceKm(ordered[from] as RoadStop, ordered[at] as RoadStop));
      if (total >= (cost[at] as number)) continue;
      cost[at] = total;
      before[at] = from;
    }
  }
  const chain: RoadStop[] = [];
  for (let at = ordered.length - 1; at >= 0; at = before[at] as number) chain.push(ordered[at] as RoadStop);
  return chain.reverse();
}

function gapCost(km: number): number {
  return km + Math.max(0, km - FREE_GAP_KM) ** 2 / GAP_PENALTY_KM;
}

/** The places through which the leg is at most `withinKm` long, in the order in which they lie along it. */
function placesBetween(byLatitude: readonly RoadStop[], { from, to }: RoadLeg, withinKm: number): RoadStop[] {
  const kmPerDegreeLng = KM_PER_DEGREE * Math.cos((from.lat * Math.PI) / 180);
  const [x, y] = [(to.lng - from.lng) * kmPerDegreeLng, (to.lat - from.lat) * KM_PER_DEGREE];
  const along = ({ lat, lng }: Point): number =>
    ((lng - from.lng) * kmPerDegreeLng * x + (lat - from.lat) * KM_PER_DEGREE * y) / (x * x + y * y);
  const margin = withinKm / 2 / KM_PER_DEGREE;
  const found: RoadStop[] = [];
  for (let index = lowerBound(byLatitude, Math.min(from.lat, to.lat) - margin); index < byLatitude.length; index += 1) {
    const place = byLatitude[index] as RoadStop;
    if (place.lat > Math.max(from.lat, to.lat) + margin) break;
    const share = along(place);
    if (share <= 0 || share >= 1) continue;
    if (distanceKm(from, place) + distanceKm(place, to) <= withinKm) found.push(place);
  }
  return found.sort((a, b) => along(a) - along(b));
}
