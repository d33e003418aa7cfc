/** How places that lie beside the known roads get to them. */
import type { Point } from '../point.ts';
import { entryFinder, type RoadEntry } from './road-entry.ts';
import type { RoadGraph } from './road-graph.ts';

/** There is no route: a place can be reached only over water, or is too far from every known road. */
export type Unreachable = { readonly unreachable: 'by water only' | 'far from any road'; readonly place: Point };

export type DistanceAndTime = { readonly km: number; readonly minutes: number };

/** A place further than this from every known road has no route, km. */
const MAX_ACCESS_KM = 30;
/** Access from a place to the road network, over roads that are not in the graph. */
const ACCESS_ROAD = { kmh: 40, winding: 1.3 };

/** Finds where a place joins the road network, or why it does not. */
export function roadAccess(graph: RoadGraph): (place: Point) => RoadEntry | Unreachable {
  const findEntry = entryFinder(graph);
  return (place) => {
    if (graph.waters.some((outline) => isInside(place, outline))) return { unreachable: 'by water only', place };
    const entry = findEntry(place);
    return entry && entry.offKm <= MAX_ACCESS_KM ? entry : { unreachable: 'far from any road', place };
  };
}

/** The way over roads that are not in the graph, from the straight distance. */
export function accessRoad({ offKm }: { readonly offKm: number }): DistanceAndTime {
  const km = offKm * ACCESS_ROAD.winding;
  return { km, minutes: (km / ACCESS_ROAD.kmh) * 60 };
}

/** Whether a point lies in a polygon (ray casting). */
function isInside({ lat, lng }: Point, outline: readonly Point[]): boolean {
  let within = false;
  for (const [index, a] of outline.entries()) {
    const b = outline.at(index - 1) as Point;
    if (a.lat > lat !== b.lat > lat && lng < ((b.lng - a.lng) * (lat - a.lat)) / (b.lat - a.lat) + a.lng)
      within = !within;
  }
  return within;
}
