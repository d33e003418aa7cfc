import { runToEnd } from '../../algorithms/run-to-end.ts';
import { distanceKm, type Point } from '../point.ts';
import type { Road, RoadClass, RoadData, RoadStop } from './road-file.ts';
import { type LegPlacesFinder, legPlacesFinder, lengthKm } from './villages.ts';

/**
 * The road network: places (nodes) and two-way roads between neighbours (edges), in arrays for the search. Immutable.
 */
export type RoadGraph = {
  readonly nodes: readonly Point[];
  readonly edges: readonly RoadEdge[];
  /** Edges of node `n`: `incident[firstOf[n]]` to `incident[firstOf[n + 1] - 1]`. */
  readonly firstOf: Int32Array;
  readonly incident: Int32Array;
  /** Areas that no road reaches. */
  readonly waters: readonly (readonly Point[])[];
};

/** A road between two neighbouring places. */
export type RoadEdge = {
  readonly a: number;
  readonly b: number;
  readonly km: number;
  /** Driving time, including the crossing of half the town at each end. */
  readonly minutes: number;
  /** What the search minimises. */
  readonly cost: number;
  /** `slip` connects a motorway to a place. */
  readonly class: RoadClass | 'slip';
  readonly ref: string;
};

/**
 * The speed of each class, and the ratio of road length to straight distance between its places. Tuned on
 * `geography/distances.txt`.
 */
const ROAD_CLASS_SPEEDS: Readonly<Record<RoadClass, { kmh: number; winding: number }>> = {
  motorway: { kmh: 113, winding: 1.0 },
  expressway: { kmh: 102, winding: 1.0 },
  dual: { kmh: 84, winding: 1.04 },
  plain: { kmh: 74, winding: 1.08 },
  hill: { kmh: 66, winding: 1.13 },
  mountain: { kmh: 58, winding: 1.25 },
  county: { kmh: 48, winding: 1.2 },
};

/**
 * By inhabitants: the minutes it takes to cross a place and to get between its centre and the motorway, and the km
 * that this adds to the motorway's own, which are measured from centre to centre.
 */
const TOWN_SIZES: readonly { below: number; crossingMinutes: number; slipKm: number; slipMinutes: number }[] = [
  { below: 5_000, crossingMinutes: 0, slipKm: 1, slipMinutes: 3 },
  { below: 20_000, crossingMinutes: 1, slipKm: 1, slipMinutes: 3 },
  { below: 80_000, crossingMinutes: 3, slipKm: 1.5, slipMinutes: 7 },
  { below: 250_000, crossingMinutes: 6, slipKm: 2.5, slipMinutes: 11 },
  { below: 1_000_000, crossingMinutes: 9, slipKm: 2.5, slipMinutes: 11 },
  { below: Number.POSITIVE_INFINITY, crossingMinutes: 14, slipKm: 4, slipMinutes: 16 },
];
/** Connects an exit whose place is on no other road of the file to the nearest place that is. */
const LOCAL_ROAD = { kmh: 40, winding: 1.3 };

/**
 * One km weighs as many minutes. Of two about equally quick routes the shorter is better: drivers who compare fuel
 * prices pay for each km.
 */
const COST_MINUTES_PER_KM = 0.2;
/** Longer edges are split evenly, so that the line of a route has points everywhere, km of road. */
const LONGEST_EDGE_KM = 10;

/** The cost of a road or route, in minutes; routes minimise it. */
export function costOf({ km, minutes }: { readonly km: number; readonly minutes: number }): number {
  return minutes + km * COST_MINUTES_PER_KM;
}

const MOTORWAYS: ReadonlySet<string> = new Set<RoadClass>(['motorway', 'expressway']);

/** Whether the edge may be entered and left anywhere, rather than only at its ends. */
export function hasOpenAccess(edge: RoadEdge): boolean {
  return edge.class !== 'slip' && !MOTORWAYS.has(edge.class);
}

/** Builds the graph from the road file; roads may pass through any of `places` without naming it. */
export function buildRoadGraph(roadData: RoadData, places: readonly RoadStop[]): RoadGraph {
  return runToEnd(buildRoadGraphInSlices(roadData, places));
}

/** `buildRoadGraph` in slices: the caller lets other work run at each `yield`, after each road and exit. */
export function* buildRoadGraphInSlices(
  roadData: RoadData,
  places: readonly RoadStop[],
): Generator<void, RoadGraph, void> {
  const builder = new GraphBuilder();
  const placesOnLeg = legPlacesFinder(places);
  yield;
  for (const road of roadData.roads) {
    addRoad(builder, road, placesOnLeg);
    yield;
  }
  yield* addSlipRoads(builder, roadData);
  return { ...builder, ...adjacency(builder.nodes.length, builder.edges), waters: roadData.waters };
}

/** The graph under construction: places by key, motorways on a separate layer. */
class GraphBuilder {
  readonly nodes: RoadStop[] = [];
  readonly edges: RoadEdge[] = [];
  readonly #numbers = new Map<string, number>();

  node(stop: RoadStop, layer: string): number {
    const key = layer + stop.key;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.nodes.length);
    return this.nodes.push(stop) - 1;
  }

  join(a: number, b: number, way: Pick<RoadEdge, 'km' | 'minutes' | 'class' | 'ref'>): void {
    this.edges.push({ a, b, ...way, cost: costOf(way) });
  }

  find(stop: RoadStop, layer: string): number | undefined {
    return this.#numbers.get(layer + stop.key);
  }

  /** The node of a layer nearest to a stop; `undefined` if the layer is empty. */
  nearest(stop: RoadStop, layer: string): number | undefined {
    const own = [...this.#numbers].filter(([key]) => key.startsWith(layer)).map(([, number]) => number);
    const offKm = (number: number): number => distanceKm(stop, this.nodes[number] as RoadStop);
    return own.reduce<number | undefined>(
      (best, other) => (best === undefined || offKm(other) < offKm(best) ? other : best),
      undefined,
    );
  }
}

const ROAD_LAYER = 'road ';
const MOTORWAY_LAYER = 'fast ';

function addRoad(builder: GraphBuilder, { ref, class: roadClass, legs }: Road, placesOnLeg: LegPlacesFinder): void {
  const { kmh, winding } = ROAD_CLASS_SPEEDS[roadClass];
  const layer = MOTORWAYS.has(roadClass) ? MOTORWAY_LAYER : ROAD_LAYER;
  for (const leg of legs) {
    const named = placesOnLeg(leg, roadClass);
    const longer = leg.km === null ? winding : leg.km / lengthKm(named);
    const stops = splitEvenly(named, (0.999 * LONGEST_EDGE_KM) / longer);
    for (const [index, to] of stops.slice(1).entries()) {
      const from = stops[index] as RoadStop;
      const km = distanceKm(from, to) * longer;
      const crossing =
        layer === MOTORWAY_LAYER ? 0 : (townSizeOf(from).crossingMinutes + townSizeOf(to).crossingMinutes) / 2;
      const minutes = (km / kmh) * 60 + crossing;
      builder.join(builder.node(from, layer), builder.node(to, layer), { km, minutes, class: roadClass, ref });
    }
  }
}

function* addSlipRoads(builder: GraphBuilder, { roads }: RoadData): Generator<void, void, void> {
  const stops = roads
    .filter((road) => MOTORWAYS.has(road.class))
    .flatMap(({ legs }) => legs.flatMap(({ from, to }) => [from, to]));
  const exits = new Map(stops.filter(({ exit }) => exit).map((stop) => [stop.key, stop]));
  for (const stop of exits.values()) {
    const b = builder.find(stop, ROAD_LAYER) ?? builder.nearest(stop, ROAD_LAYER);
    if (b === undefined) continue;
    const localKm = distanceKm(stop, builder.nodes[b] as RoadStop) * LOCAL_ROAD.winding;
    const { slipKm, slipMinutes } = townSizeOf(stop);
    builder.join(builder.node(stop, MOTORWAY_LAYER), b, {
      km: slipKm + localKm,
      minutes: slipMinutes + (localKm / LOCAL_ROAD.kmh) * 60,
      class: 'slip',
      ref: 'slip road',
    });
    yield;
  }
}

/** Adds unnamed stops on the straight line between two stops that are further apart than `longestKm`. */
function splitEvenly(stops: readonly RoadStop[], longestKm: number): RoadStop[] {
  return stops.flatMap((to, index) => {
    const from = stops[index - 1];
    if (!from) return [to];
    const pieces = Math.ceil(distanceKm(from, to) / longestKm);
    const between = Array.from({ length: pieces - 1 }, (_, piece) => interpolateStop(from, to, (piece + 1) / pieces));
    return [...between, to];
  });
}

function interpolateStop(from: RoadStop, to: RoadStop, share: number): RoadStop {
  const point = { lat: from.lat + share * (to.lat - from.lat), lng: from.lng + share * (to.lng - from.lng) };
  return { ...point, key: `${from.key}>${to.key} ${share}`, population: 0, exit: false };
}

function townSizeOf({ population }: RoadStop): (typeof TOWN_SIZES)[number] {
  return TOWN_SIZES.find(({ below }) => population < below) ?? (TOWN_SIZES.at(-1) as (typeof TOWN_SIZES)[number]);
}

function adjacency(nodes: number, edges: readonly RoadEdge[]): { firstOf: Int32Array; incident: Int32Array } {
  const firstOf = new Int32Array(nodes + 1);
  for (const { a, b } of edges) for (const end of [a, b]) firstOf[end + 1] = (firstOf[end + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node += 1) firstOf[node + 1] = (firstOf[node + 1] ?? 0) + (firstOf[node] ?? 0);
  const next = firstOf.slice();
  const incident = new Int32Array(2 * edges.length);
  for (const [number, { a, b }] of edges.entries()) {
    for (const end of [a, b]) {
      incident[next[end] ?? 0] = number;
      next[end] = (next[end] ?? 0) + 1;
    }
  }
  return { firstOf, incident };
}
