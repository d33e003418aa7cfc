/** Everything on a map that has a name, in the order in which the names get room. */
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';
import type { Point } from '../../domain/point.ts';
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

/** Names that are the same in both languages, and the names of areas in each. */
export function labelCandidates(
  { localities, counties }: Gazetteer,
  roads: readonly RoadLine[],
  zoom: number,
): (language: 'ro' | 'en') => LabelCandidate[] {
  const places = localities.filter(({ population }) => zoom >= firstZoom(population));
  const named = places.map((place) => ({ place, label: placeLabel(place, zoom) }));
  const sized = (from: number, below: number) =>
    named.filter(({ place: { population } }) => population >= from && population < below).map(({ label }) => label);
  const afterAreas = [
    ...sized(10_000, 50_000),
    ...(zoom >= COUNTY_ZOOMS[0] && zoom <= COUNTY_ZOOMS[1] ? counties.map((county) => countyLabel(county, zoom)) : []),
    ...(zoom >= 9 ? roadNumbers(roads, 'main', zoom) : []),
    ...sized(0, 10_000),
  ];
  const motorways = zoom >= 7 ? roadNumbers(roads, 'motorway', zoom) : [];
  const cities = sized(50_000, Number.POSITIVE_INFINITY);
  return (language) => [...cities, ...motorways, ...areaLabels(zoom, language), ...afterAreas];
}

function firstZoom(population: number): number {
  return FROM_ZOOM.find(({ atLeast }) => population >= atLeast)?.zoom ?? Number.POSITIVE_INFINITY;
}

function placeLabel(place: Locality, zoom: number): LabelCandidate {
  return { text: place.name, style: placeStyle(place.population, zoom), ...rounded(toUnits(place, zoom)) };
}

function placeStyle(population: number, zoom: number): LabelStyle {
  if (population >= 200_000) return 'city';
  if (population >= 45_000) return zoom < 7 ? 'small' : 'town';
  return population >= 10_000 ? 'small' : 'village';
}

function areaLabels(zoom: number, language: 'ro' | 'en'): LabelCandidate[] {
  return AREAS.filter(({ zooms: [from, to] }) => zoom >= from && zoom <= to).map((area) => ({
    text: area.style === 'country' ? area.name[language].toLocaleUpperCase(language) : area.name[language],
    style: area.style,
    ...rounded(toUnits(area, zoom)),
  }));
}

/** In the middle of the largest part of the county. */
function countyLabel({ name, polygons }: Gazetteer['counties'][number], zoom: number): LabelCandidate {
  const largest = polygons.map(([outer]) => centreOf(outer ?? [])).sort((a, b) => b.area - a.area)[0];
  return {
    text: name.toLocaleUpperCase('ro'),
    style: 'county',
    ...rounded(toUnits(largest ?? { lat: 0, lng: 0 }, zoom)),
  };
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

/** The number of a road along each of its sections; the numbers with letters (DN1F) only from zoom 10 on. */
function roadNumbers(roads: readonly RoadLine[], style: 'motorway' | 'main', zoom: number): LabelCandidate[] {
  const sign = style === 'main' ? 'road' : 'motorway';
  return roads
    .filter((road) => road.style === style && (zoom >= 10 || !LONG_NUMBER.test(road.ref)))
    .flatMap(({ ref, line }) =>
      placesAlong(line, zoom).map((place) => ({ text: ref, style: sign, apart: NUMBER_SPACING, ...place }) as const),
    );
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

function rounded({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: Math.round(x), y: Math.round(y) };
}
