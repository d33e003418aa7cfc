/**
 * Simulated stations in Germany: any point has some around it, always the same ones. They lie on a grid, drawn from
 * the seed and the grid square; prices change with the hour.
 */

import { distanceKm, type Point } from '../../domain/point.ts';
import { randomFraction, randomInteger, randomItem } from './seeded-random.ts';

/** A row of `list.php`, in the order in which the source writes its fields. */
export type SimulatedGermanStation = {
  readonly id: string;
  readonly name: string;
  readonly brand: string;
  readonly street: string;
  readonly place: string;
  readonly lat: number;
  readonly lng: number;
  /** km, 1 decimal. */
  readonly dist: number;
  readonly diesel: number | null;
  readonly e5: number | null;
  readonly e10: number | null;
  readonly isOpen: boolean;
  readonly houseNumber: string | null;
  readonly postCode: number;
};

/** Side of a square of the grid in degrees, and the most stations in one: about as dense as Germany. */
const SIDE = 0.05;
const MOST_IN_SQUARE = 3;
/** A degree of latitude is 111 km long; a degree of longitude in Germany, at least 63 km. */
const [KM_NORTH, KM_EAST] = [111, 63];
const HOUR_MS = 3_600_000;

const BRANDS = ['ARAL', 'Shell', 'JET', 'ESSO', 'TotalEnergies', 'AVIA', 'STAR', 'HEM', ''] as const;
const STREETS = ['Hauptstraße', 'Bahnhofstraße', 'Dorfstr.', 'Berliner Allee', 'Am Mühlbach', 'Industriestr.'] as const;

/** Towns with a leading part of their postcodes; some have lost a zero, as in the source. */
const TOWNS: readonly (Point & { readonly name: string; readonly postcode: number })[] = [
  { name: 'Berlin', lat: 52.52, lng: 13.405, postcode: 10_115 },
  { name: 'Hamburg', lat: 53.551, lng: 9.994, postcode: 20_095 },
  { name: 'München', lat: 48.137, lng: 11.575, postcode: 80_331 },
  { name: 'Köln', lat: 50.938, lng: 6.96, postcode: 50_667 },
  { name: 'Frankfurt am Main', lat: 50.11, lng: 8.682, postcode: 60_311 },
  { name: 'Stuttgart', lat: 48.776, lng: 9.183, postcode: 70_173 },
  { name: 'Leipzig', lat: 51.34, lng: 12.375, postcode: 4_109 },
  { name: 'Dresden', lat: 51.05, lng: 13.737, postcode: 1_067 },
  { name: 'Dortmund', lat: 51.514, lng: 7.466, postcode: 44_135 },
  { name: 'Hannover', lat: 52.376, lng: 9.732, postcode: 30_159 },
  { name: 'Bremen', lat: 53.079, lng: 8.802, postcode: 28_195 },
  { name: 'Nürnberg', lat: 49.452, lng: 11.077, postcode: 90_402 },
  { name: 'Freiburg im Breisgau', lat: 47.999, lng: 7.842, postcode: 79_098 },
  { name: 'Rostock', lat: 54.092, lng: 12.099, postcode: 18_055 },
  { name: 'Flensburg', lat: 54.793, lng: 9.436, postcode: 24_937 },
  { name: 'Erfurt', lat: 50.978, lng: 11.029, postcode: 99_084 },
  { name: 'Saarbrücken', lat: 49.234, lng: 6.996, postcode: 66_111 },
  { name: 'Passau', lat: 48.574, lng: 13.461, postcode: 94_032 },
];

/** The stations within `radiusKm` of a point at an instant (epoch ms), nearest first. */
export function simulatedGermanStations(
  seed: number,
  point: Point,
  radiusKm: number,
  instant: number,
): SimulatedGermanStation[] {
  const rows: { row: SimulatedGermanStation; km: number }[] = [];
  const square = (degrees: number) => Math.floor(degrees / SIDE);
  const [north, east] = [radiusKm / KM_NORTH, radiusKm / KM_EAST];
  for (let y = square(point.lat - north); y <= square(point.lat + north); y += 1) {
    for (let x = square(point.lng - east); x <= square(point.lng + east); x += 1) {
      for (let at = 0; at < randomInteger(0, MOST_IN_SQUARE, seed, 'stations', y, x); at += 1) {
        const place = placeOf(seed, y, x, at);
        const km = distanceKm(point, place);
        if (km <= radiusKm) rows.push({ row: stationOf(seed, `${y} ${x} ${at}`, place, km, instant), km });
      }
    }
  }
  return rows.sort((a, b) => a.km - b.km).map(({ row }) => row);
}

function placeOf(seed: number, y: number, x: number, at: number): Point {
  const within = (start: number, about: string) =>
    Math.round((start + randomFraction(seed, about, y, x, at)) * SIDE * 1e6) / 1e6;
  return { lat: within(y, 'north'), lng: within(x, 'east') };
}

function stationOf(seed: number, key: string, place: Point, km: number, instant: number): SimulatedGermanStation {
  const brand = randomItem(BRANDS, seed, 'brand', key);
  const town = TOWNS.reduce((best, each) => (distanceKm(each, place) < distanceKm(best, place) ? each : best));
  const street = randomItem(STREETS, seed, 'street', key);
  return {
    id: idOf(seed, key),
    name: brand === '' ? `Freie Tankstelle ${town.name}` : `${brand} Tankstelle`,
    brand,
    street: `[simulat] ${street}`,
    place: town.name,
    ...place,
    dist: Math.round(km * 10) / 10,
    ...pricesOf(seed, key, instant),
    isOpen: isOpen(seed, key, instant),
    houseNumber: randomItem(
      [null, ' ', '12/14', `${randomInteger(1, 180, seed, 'number', key)}`, '7a'],
      seed,
      'kind',
      key,
    ),
    postCode: town.postcode,
  };
}

/** E10 is 6 cents below E5; some stations lack one of the fuels. */
function pricesOf(seed: number, key: string, instant: number): Pick<SimulatedGermanStation, 'diesel' | 'e5' | 'e10'> {
  const hour = Math.floor(instant / HOUR_MS);
  const level = randomInteger(0, 9, seed, 'level', key) + randomInteger(0, 5, seed, 'hour', key, hour);
  const price = (euros: number) => Math.round(euros * 1000 + level * 10 + 9) / 1000;
  const lacks = randomInteger(0, 19, seed, 'lacks', key);
  return {
    diesel: lacks === 0 ? null : price(1.6),
    e5: lacks === 1 || lacks === 2 ? null : price(1.7),
    e10: lacks === 2 || lacks === 3 ? null : price(1.64),
  };
}

/** A third of the stations are closed from 22:00 to 06:00 UTC. */
function isOpen(seed: number, key: string, instant: number): boolean {
  const hour = Math.floor(instant / HOUR_MS) % 24;
  return randomFraction(seed, 'night', key) > 1 / 3 || (hour >= 6 && hour < 22);
}

/** An id in the source's format. */
function idOf(seed: number, key: string): string {
  const digits = (length: number, about: string) =>
    randomInteger(0, 16 ** Math.min(length, 6) - 1, seed, about, key)
      .toString(16)
      .padStart(length, '0');
  return `${digits(8, 'a')}-${digits(4, 'b')}-${digits(4, 'c')}-${digits(4, 'd')}-${digits(6, 'e')}${digits(6, 'f')}`;
}
