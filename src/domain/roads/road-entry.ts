import { distanceKm, KM_PER_DEGREE, type Point } from '../point.ts';
import { hasOpenAccess, type RoadEdge, type RoadGraph } from './road-graph.ts';

/** The point where a place joins the road network. */
export type RoadEntry = {
  /** Number of the edge in the graph. */
  readonly edge: number;
  /** Position on the edge, from its end `a` (0) to `b` (1). */
  readonly along: number;
  readonly point: Point;
  /** Straight distance from the place to the road, km. */
  readonly offKm: number;
};

/** A place nearer than this lies on the road: the rest is rounding, km. */
const SAME_KM = 1e-6;

/** Finds the nearest road that can be entered anywhere (not a motorway); `undefined` if the graph has none. */
export type EntryFinder = (place: Point) => RoadEntry | undefined;

/**
 * Checks every edge, on a plane around the place. The plane is accurate to 0.3 % within 30 km, and the error matters
 * only between equally near roads. 3,000 edges take some 20 µs.
 */
export function entryFinder({ nodes, edges }: RoadGraph): EntryFinder {
  const open = [...edges.keys()].filter((number) => hasOpenAccess(edges[number] as RoadEdge));
  const ends = new Float64Array(4 * open.length);
  for (const [index, number] of open.entries()) {
    const { a, b } = edges[number] as RoadEdge;
    const [from, to] = [nodes[a] as Point, nodes[b] as Point];
    ends.set([from.lat, from.lng, to.lat, to.lng], 4 * index);
  }
  return (place) => {
    const kmPerLng = KM_PER_DEGREE * Math.cos((place.lat * Math.PI) / 180);
    let best = -1;
    let bestAlong = 0;
    let bestSquare = Number.POSITIVE_INFINITY;
    for (let index = 0; index < open.length; index += 1) {
      const ay = ((ends[4 * index] as number) - place.lat) * KM_PER_DEGREE;
      const ax = ((ends[4 * index + 1] as number) - place.lng) * kmPerLng;
      const y = ((ends[4 * index + 2] as number) - place.lat) * KM_PER_DEGREE - ay;
      const x = ((ends[4 * index + 3] as number) - place.lng) * kmPerLng - ax;
      const length = x * x + y * y;
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * x + ay * y) / length));
      const square = (ax + along * x) ** 2 + (ay + along * y) ** 2;
      if (square >= bestSquare) continue;
      best = index;
      bestAlong = along;
      bestSquare = square;
    }
    if (best < 0) return undefined;
    const point = pointOn(ends, 4 * best, bestAlong);
    const offKm = distanceKm(place, point);
    if (offKm < SAME_KM) return { edge: open[best] as number, along: bestAlong, point: place, offKm: 0 };
    return { edge: open[best] as number, along: bestAlong, point, offKm };
  };
}

function pointOn(ends: Float64Array, at: number, along: number): Point {
  const part = (axis: 0 | 1): number => {
    const from = ends[at + axis] as number;
    return from + along * ((ends[at + 2 + axis] as number) - from);
  };
  return { lat: part(0), lng: part(1) };
}
