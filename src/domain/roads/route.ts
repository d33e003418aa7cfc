import { distanceKm, type Point } from '../point.ts';
import type { Polyline } from './line.ts';
import { entryFinder, type RoadEntry } from './road-entry.ts';
import { costOf, type RoadEdge, type RoadGraph } from './road-graph.ts';
import { type PathEndpoint, pathFinder } from './shortest-path.ts';

/**
 * The best way by car: the quickest, and of ways about equally quick the shorter (`costOf`). `line` leads through every place on it, the two
 * places asked for included.
 */
export type Route = { readonly km: number; readonly minutes: number; readonly line: Polyline };

/** There is no way: a place is reached over water only, or lies too far from every road known. */
type Unreachable = { readonly unreachable: 'by water only' | 'far from any road'; readonly place: Point };

/** Finds the way between two places. */
export type RouteFinder = (from: Point, to: Point) => Route | Unreachable;

/** Further than this from every road known there is no route, km. */
const MAX_ACCESS_KM = 30;
/** The way from a place to the road, on roads that are not known. */
const ACCESS_ROAD = { kmh: 40, winding: 1.3 };

/** Makes the finder over the built-in roads. A finder answers one question at a time, in about a millisecond. */
export function routeFinder(graph: RoadGraph): RouteFinder {
  const findEntry = entryFinder(graph);
  const findPath = pathFinder(graph);
  return (from, to) => {
    const start = entryOf(graph, findEntry, from);
    if ('unreachable' in start) return start;
    const end = entryOf(graph, findEntry, to);
    if ('unreachable' in end) return end;
    const path = findPath(terminals(graph, start), terminals(graph, end));
    const candidates = [
      ...(path ? [routeAlongPath(graph, path.nodes, path.edges, start, end)] : []),
      ...(start.edge === end.edge ? [routeAlongEdge(graph, start, end)] : []),
      ...(distanceKm(from, to) <= start.offKm + end.offKm ? [directRoute(from, to)] : []),
    ].sort((a, b) => costOf(a) - costOf(b));
    const [best] = candidates;
    if (!best) return { unreachable: 'far from any road', place: to };
    const { km, minutes, points } = best;
    return { km, minutes, line: lineOf([from, ...points, to]) };
  };
}

/** A way without its two places. */
type RouteCandidate = { km: number; minutes: number; points: readonly Point[] };

function entryOf(
  { waters }: RoadGraph,
  findEntry: (place: Point) => RoadEntry | undefined,
  place: Point,
): RoadEntry | Unreachable {
  if (waters.some((outline) => isInside(place, outline))) return { unreachable: 'by water only', place };
  const entry = findEntry(place);
  return entry && entry.offKm <= MAX_ACCESS_KM ? entry : { unreachable: 'far from any road', place };
}

/** Both ends of the edge that is entered, with what the way to each costs. */
function terminals({ edges }: RoadGraph, { edge, along }: RoadEntry): PathEndpoint[] {
  const { a, b, cost } = edges[edge] as RoadEdge;
  return [
    { node: a, cost: along * cost },
    { node: b, cost: (1 - along) * cost },
  ];
}

function routeAlongPath(
  { nodes, edges }: RoadGraph,
  passed: readonly number[],
  between: readonly number[],
  start: RoadEntry,
  end: RoadEntry,
): RouteCandidate {
  const numbers = [...between];
  const whole = numbers.map((number) => edges[number] as RoadEdge);
  const parts = [
    partTo(edges, start, passed[0]),
    ...whole,
    partTo(edges, end, passed.at(-1)),
    accessRoad(start),
    accessRoad(end),
  ];
  return { ...sum(parts), points: [start.point, ...passed.map((node) => nodes[node] as Point), end.point] };
}

/** The part of the entered edge up to one of its ends. */
function partTo(edges: readonly RoadEdge[], { edge, along }: RoadEntry, node: number | undefined): DistanceAndTime {
  const { a, b, km, minutes } = edges[edge] as RoadEdge;
  const share = node === a ? (node === b ? Math.min(along, 1 - along) : along) : 1 - along;
  return { km: share * km, minutes: share * minutes };
}

function routeAlongEdge({ edges }: RoadGraph, start: RoadEntry, end: RoadEntry): RouteCandidate {
  const { km, minutes } = edges[start.edge] as RoadEdge;
  const share = Math.abs(start.along - end.along);
  const parts = [{ km: share * km, minutes: share * minutes }, accessRoad(start), accessRoad(end)];
  return { ...sum(parts), points: [start.point, end.point] };
}

/** Two places nearer to each other than to the roads known: straight over the roads that are not. */
function directRoute(from: Point, to: Point): RouteCandidate {
  return { ...accessRoad({ offKm: distanceKm(from, to) }), points: [] };
}

type DistanceAndTime = { km: number; minutes: number };

function accessRoad({ offKm }: { offKm: number }): DistanceAndTime {
  const km = offKm * ACCESS_ROAD.winding;
  return { km, minutes: (km / ACCESS_ROAD.kmh) * 60 };
}

function sum(parts: readonly DistanceAndTime[]): DistanceAndTime {
  let km = 0;
  let minutes = 0;
  for (const part of parts) {
    km += part.km;
    minutes += part.minutes;
  }
  return { km, minutes };
}

/** Without points that are the same as the one before. */
function lineOf(points: readonly Point[]): [number, number][] {
  const line: [number, number][] = [];
  for (const { lat, lng } of points) {
    const last = line.at(-1);
    if (!last || last[0] !== lat || last[1] !== lng) line.push([lat, lng]);
  }
  return line;
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
