import { distanceKm, type Point } from '../point.ts';
import type { Road, RoadBook, RoadClass, Stop } from './road-file.ts';
import { lengthKm, type Through, villagesBetween } from './villages.ts';

/** Roads as places (nodes) and ways between neighbours (edges, driven both ways), in arrays for the search. Immutable. */
export type RoadGraph = {
  readonly nodes: readonly Point[];
  readonly edges: readonly Edge[];
  /** Edges of node `n`: `incident[firstOf[n]]` to `incident[firstOf[n + 1] - 1]`. */
  readonly firstOf: Int32Array;
  readonly incident: Int32Array;
  /** Areas that no road reaches. */
  readonly waters: readonly (readonly Point[])[];
};

/** A way between two neighbouring places. */
export type Edge = {
  readonly a: number;
  readonly b: number;
  readonly km: number;
  /** Driving time, crossing half of each end's town included. */
  readonly minutes: number;
  /** What the search makes least. */
  readonly cost: number;
  /** `slip` joins a motorway to a place. */
  readonly class: RoadClass | 'slip';
  readonly ref: string;
};

/** How fast a class is driven, and how much longer it is than the straight lines between its places. Tuned on `geography/distances.txt`. */
const DRIVEN: Readonly<Record<RoadClass, { kmh: number; winding: number }>> = {
  motorway: { kmh: 113, winding: 1.0 },
  expressway: { kmh: 102, winding: 1.0 },
  dual: { kmh: 84, winding: 1.04 },
  plain: { kmh: 74, winding: 1.08 },
  hill: { kmh: 66, winding: 1.13 },
  mountain: { kmh: 58, winding: 1.25 },
  county: { kmh: 48, winding: 1.2 },
};

/**
 * By inhabitants: what it takes to cross a place, minutes, and to get between its middle and the motorway: minutes, and the km that come on top of
 * the motorway's, which is measured from middle to middle.
 */
const TOWNS: readonly { below: number; crossingMinutes: number; slipKm: number; slipMinutes: number }[] = [
  { below: 5_000, crossingMinutes: 0, slipKm: 1, slipMinutes: 3 },
  { below: 20_000, crossingMinutes: 1, slipKm: 1, slipMinutes: 3 },
  { below: 80_000, crossingMinutes: 3, slipKm: 1.5, slipMinutes: 7 },
  { below: 250_000, crossingMinutes: 6, slipKm: 2.5, slipMinutes: 11 },
  { below: 1_000_000, crossingMinutes: 9, slipKm: 2.5, slipMinutes: 11 },
  { below: Number.POSITIVE_INFINITY, crossingMinutes: 14, slipKm: 4, slipMinutes: 16 },
];
/** An exit named after a place that no other road of the book leads through is joined to the nearest one that is, by a local road. */
const LOCAL = { kmh: 40, winding: 1.3 };

/** Of two ways about equally quick the shorter one is meant: who compares fuel prices pays for each km. A km weighs as so many minutes. */
const MINUTES_A_KM = 0.2;
/** A longer edge is split evenly, so that the line of a route has points everywhere, km of road. */
const LONGEST_EDGE_KM = 10;

/** What a way costs, in minutes: this is what a route makes least. */
export function costOf({ km, minutes }: { readonly km: number; readonly minutes: number }): number {
  return minutes + km * MINUTES_A_KM;
}

const MOTORWAYS: ReadonlySet<string> = new Set<RoadClass>(['motorway', 'expressway']);

/** Whether the edge may be entered and left anywhere, or only where it ends. */
export function opensAnywhere(edge: Edge): boolean {
  return edge.class !== 'slip' && !MOTORWAYS.has(edge.class);
}

/** Builds the graph from the book; `places` are the localities that roads may lead through unnamed. */
export function roadGraph(book: RoadBook, places: readonly Stop[]): RoadGraph {
  const drawing = new Drawing();
  const through = villagesBetween(places);
  for (const road of book.roads) drawRoad(drawing, road, through);
  joinMotorways(drawing, book);
  return { ...drawing, ...adjacency(drawing.nodes.length, drawing.edges), waters: book.waters };
}

/** The graph while it is drawn: places by key, motorways on a layer of their own. */
class Drawing {
  readonly nodes: Stop[] = [];
  readonly edges: Edge[] = [];
  readonly #numbers = new Map<string, number>();

  node(stop: Stop, layer: string): number {
    const key = layer + stop.key;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.nodes.length);
    return this.nodes.push(stop) - 1;
  }

  join(a: number, b: number, way: Pick<Edge, 'km' | 'minutes' | 'class' | 'ref'>): void {
    this.edges.push({ a, b, ...way, cost: costOf(way) });
  }

  find(stop: Stop, layer: string): number | undefined {
    return this.#numbers.get(layer + stop.key);
  }

  /** The node of a layer nearest to a stop; `undefined` where the layer is empty. */
  nearest(stop: Stop, layer: string): number | undefined {
    const own = [...this.#numbers].filter(([key]) => key.startsWith(layer)).map(([, number]) => number);
    const offKm = (number: number): number => distanceKm(stop, this.nodes[number] as Stop);
    return own.reduce<number | undefined>(
      (best, other) => (best === undefined || offKm(other) < offKm(best) ? other : best),
      undefined,
    );
  }
}

const ROADS = 'road ';
const FAST = 'fast ';

function drawRoad(drawing: Drawing, { ref, class: roadClass, legs }: Road, through: Through): void {
  const { kmh, winding } = DRIVEN[roadClass];
  const layer = MOTORWAYS.has(roadClass) ? FAST : ROADS;
  for (const leg of legs) {
    const named = through(leg, roadClass);
    const longer = leg.km === null ? winding : leg.km / lengthKm(named);
    const stops = splitEvenly(named, (0.999 * LONGEST_EDGE_KM) / longer);
    for (const [index, to] of stops.slice(1).entries()) {
      const from = stops[index] as Stop;
      const km = distanceKm(from, to) * longer;
      const crossing = layer === FAST ? 0 : (townOf(from).crossingMinutes + townOf(to).crossingMinutes) / 2;
      const minutes = (km / kmh) * 60 + crossing;
      drawing.join(drawing.node(from, layer), drawing.node(to, layer), { km, minutes, class: roadClass, ref });
    }
  }
}

function joinMotorways(drawing: Drawing, { roads }: RoadBook): void {
  const stops = roads
    .filter((road) => MOTORWAYS.has(road.class))
    .flatMap(({ legs }) => legs.flatMap(({ from, to }) => [from, to]));
  const exits = new Map(stops.filter(({ exit }) => exit).map((stop) => [stop.key, stop]));
  for (const stop of exits.values()) {
    const b = drawing.find(stop, ROADS) ?? drawing.nearest(stop, ROADS);
    if (b === undefined) continue;
    const localKm = distanceKm(stop, drawing.nodes[b] as Stop) * LOCAL.winding;
    const { slipKm, slipMinutes } = townOf(stop);
    drawing.join(drawing.node(stop, FAST), b, {
      km: slipKm + localKm,
      minutes: slipMinutes + (localKm / LOCAL.kmh) * 60,
      class: 'slip',
      ref: 'slip road',
    });
  }
}

/** Nameless stops on the straight line wherever two are further apart than this. */
function splitEvenly(stops: readonly Stop[], longestKm: number): Stop[] {
  return stops.flatMap((to, index) => {
    const from = stops[index - 1];
    if (!from) return [to];
    const pieces = Math.ceil(distanceKm(from, to) / longestKm);
    const between = Array.from({ length: pieces - 1 }, (_, piece) => onTheWay(from, to, (piece + 1) / pieces));
    return [...between, to];
  });
}

function onTheWay(from: Stop, to: Stop, share: number): Stop {
  const point = { lat: from.lat + share * (to.lat - from.lat), lng: from.lng + share * (to.lng - from.lng) };
  return { ...point, key: `${from.key}>${to.key} ${share}`, population: 0, exit: false };
}

function townOf({ population }: Stop): (typeof TOWNS)[number] {
  return TOWNS.find(({ below }) => population < below) ?? (TOWNS.at(-1) as (typeof TOWNS)[number]);
}

function adjacency(nodes: number, edges: readonly Edge[]): { firstOf: Int32Array; incident: Int32Array } {
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
