import { distanceKm, type Point } from '../point.ts';
import type { Polyline } from './line.ts';
import { accessRoad, type DistanceAndTime, roadAccess, type Unreachable } from './road-access.ts';
import type { RoadEntry } from './road-entry.ts';
import { costOf, type RoadEdge, type RoadGraph } from './road-graph.ts';
import { type PathEndpoint, pathFinder } from './shortest-path.ts';

/**
 * The best route by car: the quickest, and of about equally quick ones the shorter (`costOf`). `line` passes through
 * every place on the route, from start to destination.
 */
export type Route = { readonly km: number; readonly minutes: number; readonly line: Polyline };

/** Finds the route between two places. */
export type RouteFinder = (from: Point, to: Point) => Route | Unreachable;

/** Creates a finder over the built-in roads. A finder is not re-entrant; a search takes about a millisecond. */
export function routeFinder(graph: RoadGraph): RouteFinder {
  const findEntry = roadAccess(graph);
  const findPath = pathFinder(graph);
  return (from, to) => {
    const start = findEntry(from);
    if ('unreachable' in start) return start;
    const end = findEntry(to);
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

/** A route without its start and destination. */
type RouteCandidate = { km: number; minutes: number; points: readonly Point[] };

/** Both ends of the entered edge, with the cost of getting there. */
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

/** For two places nearer to each other than to the known roads: the direct way, over unknown roads. */
function directRoute(from: Point, to: Point): RouteCandidate {
  return { ...accessRoad({ offKm: distanceKm(from, to) }), points: [] };
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

/** Drops points equal to their predecessor. */
function lineOf(points: readonly Point[]): [number, number][] {
  const line: [number, number][] = [];
  for (const { lat, lng } of points) {
    const last = line.at(-1);
    if (!last || last[0] !== lat || last[1] !== lng) line.push([lat, lng]);
  }
  return line;
}
