/** Everything on a map that has a name, in the order in which the names get room. */
import type { Box } from '../../algorithms/clip-ring.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';
import type { Point } from '../../domain/point.ts';
import { isInside, type WorldLine, worldLine } from './lines.ts';
import type { LabelCandidate, LabelStyle } from './map-labels.ts';
import { toUnits, UNITS_PER_PIXEL, worldUnits } from './projection.ts';
import type { RoadLine } from './road-lines.ts';

type NamedArea = Point & { readonly name: LocalizedText; readonly style: LabelStyle; readonly zooms: [number, number] };

/** Positions where the names have room, chosen by eye. */
const AREAS: readonly NamedArea[] = [
  { name: { ro: 'Marea Neagră', en: 'Black Sea' }, lat: 43.75, lng: 30.2, style: 'water', zooms: [5, 9] },
  { name: { ro: 'Marea Neagră', en: 'Black Sea' }, lat: 44.35, lng: 29.1, style: 'water', zooms: [9, 11] },
  { name: { ro: 'Ucraina', en: 'Ukraine' }, lat: 48.45, lng: 25.4, style: 'country', zooms: [5, 9] },
  { name: { ro: 'Ucraina', en: 'Ukraine' }, lat: 46.3, lng: 30.1, style: 'country', zooms: [7, 9] },
  { name: { ro: 'R. Moldova', en: 'Moldova' }, lat: 47.15, lng: 28.75, style: 'country', zooms: [5, 9] },
  { name: { ro: 'Ungaria', en: 'Hungary' }, lat: 47.2, lng: 20.2, style: 'country', zooms: [5, 9] },
  { name: { ro: 'Serbia', en: 'Serbia' }, lat: 44.2, lng: 21.1, style: 'country', zooms: [5, 9] },
  { name: { ro: 'Bulgaria', en: 'Bulgaria' }, lat: 43.1, lng: 25.3, style: 'country', zooms: [5, 9] },
  { name: { ro: 'Dunărea', en: 'Danube' }, lat: 43.66, lng: 24.2, style: 'water', zooms: [7, 11] },
  { name: { ro: 'Dunărea', en: 'Danube' }, lat: 44.05, lng: 26.75, style: 'water', zooms: [8, 11] },
];

/** From which zoom on a place has its name, by its number of inhabitants. */
const FROM_ZOOM: readonly { readonly atLeast: number; readonly zoom: number }[] = [
  { atLeast: 190_000, zoom: 5 },
  { atLeast: 90_000, zoom: 6 },
  { atLeast: 25_000, zoom: 7 },
  { atLeast: 10_000, zoom: 8 },
  { atLeast: 3_500, zoom: 9 },
  { atLeast: 1_800, zoom: 10 },
  { atLeast: 700, zoom: 11 },
  { atLeast: 0, zoom: 12 },
];

const COUNTY_ZOOMS = [8, 10] as const;

/** What has a name on every zoom: the same objects for all of them. */
export type NamedPlaces = {
  readonly places: readonly Locality[];
  readonly positions: WorldLine;
  /** In capitals, in the middle of the largest part of the county. */
  readonly counties: readonly (Point & { readonly text: string })[];
};

/** Places and counties, with where their names stand. */
export function namedPlaces({ localities, counties }: Gazetteer): NamedPlaces {
  return { places: localities, positions: worldLine(localities), counties: counties.map(namedCounty) };
}

/** Names at a zoom, in short: labels are made of them for a view. */
type Names = {
  /** Indexes of `NamedPlaces`. */
  readonly places: Uint32Array;
  readonly motorways: RoadNumbers;
  readonly mainRoads: RoadNumbers;
  readonly areas: readonly NamedArea[];
  readonly counties: NamedPlaces['counties'];
};

/** The names that maps at a zoom would like to show. */
export class NameLayer {
  readonly #named: NamedPlaces;
  readonly #zoom: number;
  readonly #names: Names;

  private constructor(named: NamedPlaces, zoom: number, names: Names) {
    this.#named = named;
    this.#zoom = zoom;
    this.#names = names;
  }

  static at(named: NamedPlaces, roads: readonly RoadLine[], zoom: number): NameLayer {
    const isShown = ({ population }: Locality) => zoom >= firstZoom(population);
    const hasCounties = zoom >= COUNTY_ZOOMS[0] && zoom <= COUNTY_ZOOMS[1];
    return new NameLayer(named, zoom, {
      places: Uint32Array.from(named.places.keys()).filter((index) => isShown(named.places[index] as Locality)),
      motorways: zoom >= 7 ? roadNumbers(roads, 'motorway', zoom) : NO_NUMBERS,
      mainRoads: zoom >= 9 ? roadNumbers(roads, 'main', zoom) : NO_NUMBERS,
      areas: AREAS.filter(({ zooms: [from, to] }) => zoom >= from && zoom <= to),
      counties: hasCounties ? named.counties : [],
    });
  }

  /** Those that stand in an area. */
  within(area: Box): NameLayer {
    const { places, motorways, mainRoads, areas, counties } = this.#names;
    const isWithin = (point: Point) => isInside(roundedUnits(point, this.#zoom), area);
    return new NameLayer(this.#named, this.#zoom, {
      places: places.filter((index) => isInside(this.#position(index), area)),
      motorways: numbersIn(motorways, area),
      mainRoads: numbersIn(mainRoads, area),
      areas: areas.filter(isWithin),
      counties: counties.filter(isWithin),
    });
  }

  /** As labels, in the order in which they get room. */
  candidates(language: Language): LabelCandidate[] {
    const { motorways, mainRoads, areas, counties } = this.#names;
    const places = Map.groupBy(this.#names.places, (index) => sizeOf(this.#named.places[index] as Locality));
    const ofSize = (size: PlaceSize) => (places.get(size) ?? []).map((index) => this.#placeLabel(index));
    return [
      ...ofSize('large'),
      ...numberLabels(motorways, 'motorway'),
      ...areas.map((area) => areaLabel(area, this.#zoom, language)),
      ...ofSize('medium'),
      ...counties.map((county) => countyLabel(county, this.#zoom)),
      ...numberLabels(mainRoads, 'road'),
      ...ofSize('small'),
    ];
  }

  #placeLabel(index: number): LabelCandidate {
    const { name, population } = this.#named.places[index] as Locality;
    return { text: name, style: placeStyle(population, this.#zoom), ...this.#position(index) };
  }

  #position(index: number): { x: number; y: number } {
    const scale = worldUnits(this.#zoom);
    const { positions } = this.#named;
    return rounded({ x: (positions[2 * index] as number) * scale, y: (positions[2 * index + 1] as number) * scale });
  }
}

/** By which names of places come before or after others. */
type PlaceSize = 'large' | 'medium' | 'small';

function sizeOf({ population }: Locality): PlaceSize {
  if (population >= 50_000) return 'large';
  return population >= 10_000 ? 'medium' : 'small';
}

function firstZoom(population: number): number {
  return FROM_ZOOM.find(({ atLeast }) => population >= atLeast)?.zoom ?? Number.POSITIVE_INFINITY;
}

function placeStyle(population: number, zoom: number): LabelStyle {
  if (population >= 200_000) return 'city';
  if (population >= 45_000) return zoom < 7 ? 'small' : 'town';
  return population >= 10_000 ? 'small' : 'village';
}

function areaLabel({ name, style, ...point }: NamedArea, zoom: number, language: Language): LabelCandidate {
  const text = style === 'country' ? name[language].toLocaleUpperCase(language) : name[language];
  return { text, style, ...roundedUnits(point, zoom) };
}

function namedCounty({ name, polygons }: Gazetteer['counties'][number]): NamedPlaces['counties'][number] {
  const largest = polygons.map(([outer]) => centreOf(outer ?? [])).sort((a, b) => b.area - a.area)[0];
  return { text: name.toLocaleUpperCase('ro'), lat: largest?.lat ?? 0, lng: largest?.lng ?? 0 };
}

function countyLabel(county: NamedPlaces['counties'][number], zoom: number): LabelCandidate {
  return { text: county.text, style: 'county', ...roundedUnits(county, zoom) };
}

function centreOf(ring: readonly (readonly [lng: number, lat: number])[]): Point & { area: number } {
  let [area, lng, lat] = [0, 0, 0];
  for (const [index, [x1, y1]] of ring.entries()) {
    const [x0, y0] = ring.at(index - 1) as readonly [number, number];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    lng += (x0 + x1) * cross;
    lat += (y0 + y1) * cross;
  }
  return { area: Math.abs(area), lng: lng / (3 * area), lat: lat / (3 * area) };
}

/** Between two numbers of one road, units. */
const NUMBER_SPACING = 220 * UNITS_PER_PIXEL;
/** A shorter stretch would be hidden by its number, units. */
const SHORTEST_NUMBERED = 60 * UNITS_PER_PIXEL;
/** Between the places along a road that may have its number: a close-up has room at almost any. */
const numberStep = (zoom: number) => (zoom >= 11 ? 330 * 2 ** Math.max(0, zoom - 14) : 40) * UNITS_PER_PIXEL;
const LONG_NUMBER = /^[A-Z]+\d+[A-Z]$|^D[JN]\d{3}/;

/** Numbers of roads at a zoom: the text of each, and its x and y in turn, units. */
type RoadNumbers = { readonly texts: readonly string[]; readonly places: Int32Array };

const NO_NUMBERS: RoadNumbers = { texts: [], places: new Int32Array() };

/** The number of a road along each of its sections; the numbers with letters (DN1F) only from zoom 10 on. */
function roadNumbers(roads: readonly RoadLine[], style: 'motorway' | 'main', zoom: number): RoadNumbers {
  const numbers = roads
    .filter((road) => road.style === style && (zoom >= 10 || !LONG_NUMBER.test(road.ref)))
    .flatMap(({ ref, line }) => placesAlong(line, zoom).map(({ x, y }) => ({ text: ref, x, y })));
  return { texts: numbers.map(({ text }) => text), places: Int32Array.from(numbers.flatMap(({ x, y }) => [x, y])) };
}

/** Those in an area. */
function numbersIn({ texts, places }: RoadNumbers, area: Box): RoadNumbers {
  const inside: number[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    const place = { x: places[2 * index] as number, y: places[2 * index + 1] as number };
    if (isInside(place, area)) inside.push(index);
  }
  return {
    texts: inside.map((index) => texts[index] as string),
    places: Int32Array.from(inside.flatMap((index) => [places[2 * index] as number, places[2 * index + 1] as number])),
  };
}

function numberLabels({ texts, places }: RoadNumbers, style: 'motorway' | 'road'): LabelCandidate[] {
  return texts.map((text, index) => ({
    text,
    style,
    apart: NUMBER_SPACING,
    x: places[2 * index] as number,
    y: places[2 * index + 1] as number,
  }));
}

/** Places along a line, a step apart, the one in the middle of the line first. */
function placesAlong(line: readonly number[], zoom: number): { x: number; y: number }[] {
  const scale = worldUnits(zoom);
  const length = lengthOf(line) * scale;
  if (length < SHORTEST_NUMBERED) return [];
  const steps = Math.max(1, Math.round(length / numberStep(zoom)));
  const places: { x: number; y: number }[] = [];
  let passed = 0;
  for (let at = 2; at < line.length; at += 2) {
    const [x0, y0] = [(line[at - 2] as number) * scale, (line[at - 1] as number) * scale];
    const [x1, y1] = [(line[at] as number) * scale, (line[at + 1] as number) * scale];
    const piece = Math.hypot(x1 - x0, y1 - y0);
    for (let next = wanted(); next <= passed + piece && places.length < steps; next = wanted()) {
      const share = piece === 0 ? 0 : (next - passed) / piece;
      places.push(rounded({ x: x0 + share * (x1 - x0), y: y0 + share * (y1 - y0) }));
    }
    passed += piece;
  }
  const middle = places.length >> 1;
  return [...places.slice(middle), ...places.slice(0, middle).reverse()];

  function wanted(): number {
    return ((places.length + 0.5) * length) / steps;
  }
}

function lengthOf(line: readonly number[]): number {
  let length = 0;
  for (let at = 2; at < line.length; at += 2) {
    length += Math.hypot(
      (line[at] as number) - (line[at - 2] as number),
      (line[at + 1] as number) - (line[at - 1] as number),
    );
  }
  return length;
}

function roundedUnits(point: Point, zoom: number): { x: number; y: number } {
  return rounded(toUnits(point, zoom));
}

function rounded({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: Math.round(x), y: Math.round(y) };
}
