/** How much longer a journey becomes by a stop beside it, on the built-in roads. */
import { distanceKm, type Point } from '../point.ts';
import { accessRoad, type DistanceAndTime, roadAccess } from './road-access.ts';
import type { RoadEntry } from './road-entry.ts';
import { costOf, type RoadEdge, type RoadGraph } from './road-graph.ts';
import { type PathTree, shortestPathTree, type TreeRoot } from './shortest-path.ts';

/** What a stop adds to a journey, never less than nothing. */
export type Detour = DistanceAndTime & {
  /** Distance by road from the start to the stop. */
  readonly kmFromStart: number;
};

/** The detour to a place; `undefined` if no known road leads there. */
export type DetourFinder = (stop: Point) => Detour | undefined;

/** The detours of one journey; `undefined` if there is no route between the two places. */
export type JourneyDetours = (from: Point, to: Point) => DetourFinder | undefined;

/**
 * Creates a finder over the built-in roads. A journey costs two searches of the whole graph, a few milliseconds; each
 * stop then costs some 20 µs, because every road can be driven both ways.
 */
export function journeyDetours(graph: RoadGraph): JourneyDetours {
  const findEntry = roadAccess(graph);
  return (from, to) => {
    const [start, end] = [findEntry(from), findEntry(to)];
    if ('unreachable' in start || 'unreachable' in end) return undefined;
    const fromStart = waysFrom(graph, from, start);
    const toEnd = waysFrom(graph, to, end);
    const direct = fromStart(to, end);
    if (direct === undefined) return undefined;
    return (stop) => {
      const entry = findEntry(stop);
      if ('unreachable' in entry) return undefined;
      const [before, after] = [fromStart(stop, entry), toEnd(stop, entry)];
      if (before === undefined || after === undefined) return undefined;
      return {
        km: Math.max(0, before.km + after.km - direct.km),
        minutes: Math.max(0, before.minutes + after.minutes - direct.minutes),
        kmFromStart: before.km,
      };
    };
  };
}

/** The best way from one place to any other, with the access roads at both ends. */
type Ways = (to: Point, entry: RoadEntry) => DistanceAndTime | undefined;

function waysFrom(graph: RoadGraph, from: Point, start: RoadEntry): Ways {
  const tree = shortestPathTree(graph, rootsOf(graph, start));
  return (to, entry) => {
    const [best] = [
      ...rootsOf(graph, entry).flatMap((root) => throughNode(tree, root)),
      ...(start.edge === entry.edge ? [alongEdge(graph, start, entry)] : []),
    ]
      .map((way) => plus(way, accessRoad(start), accessRoad(entry)))
      .concat(directWay(from, start, to, entry))
      .sort((a, b) => costOf(a) - costOf(b));
    return best;
  };
}

/** Both ends of the entered edge, with the part of the edge up to there. */
function rootsOf({ edges }: RoadGraph, { edge, along }: RoadEntry): TreeRoot[] {
  const { a, b, cost, km, minutes } = edges[edge] as RoadEdge;
  const part = (node: number, share: number): TreeRoot => ({
    ...{ node, cost: share * cost, km: share * km, minutes: share * minutes },
  });
  return [part(a, along), part(b, 1 - along)];
}

function throughNode({ cost, km, minutes }: PathTree, root: TreeRoot): DistanceAndTime[] {
  if (cost[root.node] === Number.POSITIVE_INFINITY) return [];
  return [{ km: (km[root.node] as number) + root.km, minutes: (minutes[root.node] as number) + root.minutes }];
}

function alongEdge({ edges }: RoadGraph, start: RoadEntry, end: RoadEntry): DistanceAndTime {
  const { km, minutes } = edges[start.edge] as RoadEdge;
  const share = Math.abs(start.along - end.along);
  return { km: share * km, minutes: share * minutes };
}

/** For two places nearer to each other than to the known roads. */
function directWay(from: Point, start: RoadEntry, to: Point, end: RoadEntry): DistanceAndTime[] {
  const offKm = distanceKm(from, to);
  return offKm <= start.offKm + end.offKm ? [accessRoad({ offKm })] : [];
}

function plus(...parts: readonly DistanceAndTime[]): DistanceAndTime {
  return {
    km: parts.reduce((sum, { km }) => sum + km, 0),
    minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
  };
}
