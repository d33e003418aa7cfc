import { runToEnd } from '../../algorithms/run-to-end.ts';
import type { Locality } from '../places/locality.ts';
import { distanceKm, type Point } from '../point.ts';

/** The class of a road, which decides its speed and how much it winds. */
export type RoadClass = 'motorway' | 'expressway' | 'dual' | 'plain' | 'hill' | 'mountain' | 'county';

/** A place that a road passes through or by. */
export type RoadStop = Point & {
  /**
   * The locality's slug, or the position if the gazetteer lacks the place: two roads meet where their keys are equal.
   */
  readonly key: string;
  readonly population: number;
  /** Whether a motorway has an exit here; other roads can be left anywhere. */
  readonly exit: boolean;
};

/** The section from one stop to the next; `km` is the known road distance, `null` = to be estimated. */
export type RoadLeg = { readonly from: RoadStop; readonly to: RoadStop; readonly km: number | null };

/** One line of the file: a road's stops in order. */
export type Road = { readonly ref: string; readonly class: RoadClass; readonly legs: readonly RoadLeg[] };

/** The contents of `geography/roads.txt`. `waters` are areas that no road reaches, as polygons. */
export type RoadData = { readonly roads: readonly Road[]; readonly waters: readonly (readonly Point[])[] };

/** Finds a locality by its name and the plate code of its county. */
export type FindLocality = (name: string, county: string) => Locality | undefined;

const CLASSES: Readonly<Record<string, RoadClass>> = {
  m: 'motorway',
  x: 'expressway',
  d: 'dual',
  p: 'plain',
  h: 'hill',
  k: 'mountain',
  s: 'county',
};

const POSITION = /^(-?\d+(?:\.\d+)?)\/(-?\d+(?:\.\d+)?)$/;
const STOP = /^(?<by>~?)(?<name>[^:@=]+)(?::(?<county>[A-Z]{1,2})|@(?<position>[^=]+))(?<mark>=(?<km>[\d.]*))?$/;

/** A stop as written; `mark` = the known km since the last mark, `0` = the next figure counts from here. */
type ParsedStop = { stop: RoadStop; mark: number | undefined };

/**
 * Parses the road file; the head of `geography/roads.txt` describes its format. Throws an error that names the line if
 * one is invalid.
 */
export function parseRoads(text: string, find: FindLocality): RoadData {
  return runToEnd(parseRoadsInSlices(text, find));
}

/** `parseRoads` in slices: the caller lets other work run at each `yield`, after each line. */
export function* parseRoadsInSlices(text: string, find: FindLocality): Generator<void, RoadData, void> {
  const roads: Road[] = [];
  const waters: Point[][] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    try {
      if (line.startsWith('water|')) waters.push(parseWater(line));
      else roads.push(parseRoad(line, find));
    } catch (error) {
      throw new Error(`line ${index + 1}: ${(error as Error).message}`, { cause: error });
    }
    yield;
  }
  return { roads, waters };
}

function parseWater(line: string): Point[] {
  const [, , outline = ''] = line.split('|');
  const corners = outline.split(',').map(parsePosition);
  if (corners.length < 3) throw new Error('an area needs at least three corners');
  return corners;
}

function parseRoad(line: string, find: FindLocality): Road {
  const [ref = '', letter = '', stops = '', ...rest] = line.split('|');
  const roadClass = CLASSES[letter];
  if (!roadClass || rest.length > 0)
    throw new Error(`a road must be “ref|class|stops” with a class of ${Object.keys(CLASSES)}`);
  const written = stops.split(',').map((stop) => parseStop(stop.trim(), find));
  if (written.length < 2) throw new Error('a road needs at least two stops');
  return { ref, class: roadClass, legs: legsOf(written) };
}

function parseStop(text: string, find: FindLocality): ParsedStop {
  const { by, name, county, position, mark, km } = STOP.exec(text)?.groups ?? {};
  if (!name) throw new Error(`“${text}” is not a stop: “Name:CC” or “Name@lat/lng”, with “=km” where known`);
  const figure = mark === undefined ? undefined : Number(km);
  if (figure !== undefined && !Number.isFinite(figure)) throw new Error(`“${km}” is not a number of km`);
  return { stop: { ...locateStop(name, county, position, find), exit: by !== '~' }, mark: figure };
}

function locateStop(
  name: string,
  county: string | undefined,
  position: string | undefined,
  find: FindLocality,
): Omit<RoadStop, 'exit'> {
  if (county === undefined) {
    const point = parsePosition(position ?? '');
    return { ...point, key: `@${point.lat}/${point.lng}`, population: 0 };
  }
  const place = find(name, county);
  if (!place) throw new Error(`the gazetteer has no “${name}” in ${county}`);
  return { lat: place.lat, lng: place.lng, key: place.slug, population: place.population };
}

function parsePosition(text: string): Point {
  const [, lat, lng] = POSITION.exec(text) ?? [];
  if (lat === undefined || lng === undefined) throw new Error(`“${text}” is not a position: “lat/lng” in degrees`);
  return { lat: Number(lat), lng: Number(lng) };
}

/** Distributes each known distance over the legs that it covers, in proportion to their great circles. */
function legsOf(written: readonly ParsedStop[]): RoadLeg[] {
  const known: (number | null)[] = Array.from({ length: written.length - 1 }, () => null);
  const straight = written.slice(1).map(({ stop }, index) => distanceKm((written[index] as ParsedStop).stop, stop));
  let since = 0;
  for (const [index, { stop, mark }] of written.entries()) {
    if (mark === undefined) continue;
    if (mark > 0) {
      const whole = straight.slice(since, index).reduce((sum, km) => sum + km, 0);
      if (mark < whole) throw new Error(`${mark} km to ${stop.key} is less than the straight ${whole.toFixed(1)} km`);
      for (let leg = since; leg < index; leg += 1) known[leg] = (mark * (straight[leg] ?? 0)) / whole;
    }
    since = index;
  }
  return known.map((km, index) => ({
    from: (written[index] as ParsedStop).stop,
    to: (written[index + 1] as ParsedStop).stop,
    km,
  }));
}
