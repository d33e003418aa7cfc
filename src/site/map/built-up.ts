/** Built-up land, estimated from the number of inhabitants: no data set of its extent is at hand. */
import type { Box } from '../../algorithms/clip-ring.ts';
import type { Locality } from '../../domain/places/locality.ts';
import type { Point } from '../../domain/point.ts';
import type { RoadGraph } from '../../domain/roads/road-graph.ts';
import { boxesMeet, dotsPath, grownBox, pathData, type WorldLine, worldLine } from './lines.ts';
import { unitsPerKm, worldUnits } from './projection.ts';

/** Inhabitants per km² of built-up land, by size of the place. */
const DENSITIES: readonly { atLeast: number; perKm2: number }[] = [
  { atLeast: 1_000_000, perKm2: 8_200 },
  { atLeast: 100_000, perKm2: 4_200 },
  { atLeast: 20_000, perKm2: 2_800 },
  { atLeast: 5_000, perKm2: 1_800 },
  { atLeast: 0, perKm2: 1_100 },
];
/** Smaller places are not drawn, larger ones have a shape instead of a disc; radius in units. */
const SMALLEST_DISC = 5;
const SMALLEST_SHAPE = 16;
/** Towns grow along their roads: by so much more than their radius, within so narrow an angle (radians). */
const ARM = { length: 0.5, width: 0.32 };
/** No outline is further from the middle, as a share of the radius. */
const LARGEST_SHARE = 1.5;

/** A place with its built-up land at a zoom, units. */
export type BuiltUpPlace = {
  readonly place: Locality;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
};

/** Built-up land as path data: of discs by their diameter in units, and of the shapes of larger places. */
export type BuiltUpPaths = { readonly discs: ReadonlyMap<number, string>; readonly shapes: string };

type Corner = Pick<Box, 'left' | 'top'>;

/** Directions (radians) in which roads leave each place, by position. */
export type RoadDirections = ReadonlyMap<string, readonly number[]>;

/** The directions of the roads at every node of the network. */
export function roadDirections({ edges, nodes }: RoadGraph): RoadDirections {
  const directions = new Map<string, number[]>();
  const add = (from: Point, to: Point) => {
    const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180);
    const known = directions.get(positionKey(from)) ?? [];
    known.push(Math.atan2(from.lat - to.lat, east));
    directions.set(positionKey(from), known);
  };
  for (const edge of edges) {
    if (edge.class === 'slip' || edge.class === 'motorway' || edge.class === 'expressway') continue;
    const [a, b] = [nodes[edge.a] as Point, nodes[edge.b] as Point];
    add(a, b);
    add(b, a);
  }
  return directions;
}

/** Places with their positions and the radii of their built-up land, as shares of the world: the same at all zooms. */
export type BuiltUpLand = {
  readonly places: readonly Locality[];
  readonly positions: WorldLine;
  readonly radii: readonly number[];
};

/** The built-up land of places. */
export function builtUpLand(places: readonly Locality[]): BuiltUpLand {
  const radiusOf = ({ population, lat }: Locality) => (radiusKm(population) * unitsPerKm(lat, 0)) / worldUnits(0);
  return { places, positions: worldLine(places), radii: places.map(radiusOf) };
}

/** The built-up land that is large enough to be seen at a zoom. It keeps indexes of places, not their land. */
export class BuiltUpLayer {
  readonly #land: BuiltUpLand;
  readonly #zoom: number;
  readonly #indexes: Uint32Array;

  private constructor(land: BuiltUpLand, zoom: number, indexes: Uint32Array) {
    this.#land = land;
    this.#zoom = zoom;
    this.#indexes = indexes;
  }

  static at(land: BuiltUpLand, zoom: number): BuiltUpLayer {
    const all = new BuiltUpLayer(land, zoom, Uint32Array.from(land.places.keys()));
    return all.#filtered((index) => all.#place(index).radius >= SMALLEST_DISC);
  }

  /** What of it meets an area. */
  within(area: Box): BuiltUpLayer {
    return this.#filtered((index) => boxesMeet(boxOf(this.#place(index)), area));
  }

  /** The places whose land meets a view. */
  placesIn(view: Box): BuiltUpPlace[] {
    return Array.from(this.within(view).#indexes, (index) => this.#place(index));
  }

  #filtered(isKept: (index: number) => boolean): BuiltUpLayer {
    return new BuiltUpLayer(this.#land, this.#zoom, this.#indexes.filter(isKept));
  }

  #place(index: number): BuiltUpPlace {
    const { places, positions, radii } = this.#land;
    const scale = worldUnits(this.#zoom);
    const [x, y] = [(positions[2 * index] as number) * scale, (positions[2 * index + 1] as number) * scale];
    return { place: places[index] as Locality, x, y, radius: (radii[index] as number) * scale };
  }
}

/** No part of the place lies outside. */
function boxOf({ x, y, radius }: BuiltUpPlace): Box {
  return grownBox({ left: x, right: x, top: y, bottom: y }, LARGEST_SHARE * radius);
}

/** The land of places, relative to the corner of a view. */
export function drawBuiltUp(places: readonly BuiltUpPlace[], directions: RoadDirections, corner: Corner): BuiltUpPaths {
  const centres = new Map<number, { x: number; y: number }[]>();
  let shapes = '';
  for (const { place, x, y, radius } of places) {
    if (radius >= SMALLEST_SHAPE) {
      shapes += `${pathData(shapeOf(place, { x, y }, radius, directions.get(positionKey(place)) ?? []), corner)}z`;
      continue;
    }
    const diameter = 4 * Math.round(radius / 2);
    const known = centres.get(diameter) ?? [];
    known.push({ x: Math.round(x), y: Math.round(y) });
    centres.set(diameter, known);
  }
  const discs = new Map([...centres].map(([diameter, points]) => [diameter, dotsPath(points, corner)]));
  return { discs, shapes };
}

function positionKey({ lat, lng }: Point): string {
  return `${lat} ${lng}`;
}

function radiusKm(population: number): number {
  const density = DENSITIES.find(({ atLeast }) => population >= atLeast)?.perKm2 ?? 1;
  return Math.sqrt(population / density / Math.PI);
}

/** A rounded outline, longer along the roads. It varies by the position of the place, so that no two look alike. */
function shapeOf(
  { lat, lng }: Point,
  { x, y }: { x: number; y: number },
  radius: number,
  directions: readonly number[],
): number[] {
  const corners = Math.max(16, Math.min(120, Math.round(radius / 3)));
  return Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    const bumps = 0.07 * Math.sin(2 * angle + lat * 1e3) + 0.06 * Math.sin(3 * angle + lng * 1e3);
    const arms = directions.map((direction) => Math.exp(-((angleBetween(angle, direction) / ARM.width) ** 2)));
    const length = radius * (0.84 + bumps + ARM.length * Math.max(0, ...arms));
    return [Math.round(x + length * Math.cos(angle)), Math.round(y + length * Math.sin(angle))];
  }).flat();
}

function angleBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
}
