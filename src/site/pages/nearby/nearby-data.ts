/** The stations around a position, from one snapshot. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import { distanceKm, type Point } from '../../../domain/point.ts';
import type { SiteData } from '../../frame/site-data.ts';
import {
  type RankedStation,
  rankByPrice,
  type StationPrices,
  stationLookup,
  unrankedStations,
} from '../../lookup/station-prices.ts';
import { mergePlaces } from './one-place.ts';

/** A position as an address gives it: `none` = not given, `malformed` = not two numbers in range. */
export type PositionRead = Point | 'none' | 'malformed';

export type Nearby = {
  readonly radiusKm: number;
  /** With a trusted price of the fuel, cheapest first. */
  readonly ranked: readonly RankedStation[];
  readonly unranked: readonly StationPrices[];
  /** Of one place under other names: by the id of the station that is shown. */
  readonly others: ReadonlyMap<string, readonly StationPrices[]>;
  /** By station id. */
  readonly km: ReadonlyMap<string, number>;
  /** Of the ranked ones. */
  readonly nearest: RankedStation | null;
};

/** The first radius with enough prices is taken, else the last. */
const RADII_KM = [5, 10, 25] as const;
const ENOUGH_PRICES = 3;
/** Decimals kept of a position: about 100 m. */
const POSITION_FACTOR = 1_000;
const NUMBER = /^-?\d{1,3}(\.\d{1,20})?$/;

/** The largest radius. */
const FARTHEST_KM = RADII_KM[2];

/** Reads `lat` and `lng`, rounded to about 100 m. */
export function readPosition(query: URLSearchParams): PositionRead {
  const [lat, lng] = [query.get('lat'), query.get('lng')];
  if (lat === null && lng === null) return 'none';
  if (lat === null || lng === null || !NUMBER.test(lat) || !NUMBER.test(lng)) return 'malformed';
  const point = { lat: rounded(Number(lat)), lng: rounded(Number(lng)) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : 'malformed';
}

/** The stations around a point that sell a fuel. */
export function nearbyStations(point: Point, fuel: RoadFuel, { snapshot }: SiteData): Nearby {
  const km = new Map<string, number>();
  const within = stationLookup(snapshot).stations.filter(({ station }) => {
    // A degree of latitude is 111 km: the exact distance is computed only for stations in the band.
    if (Math.abs(station.lat - point.lat) > FARTHEST_KM / 110) return false;
    const distance = distanceKm(point, station);
    km.set(station.id, distance);
    return distance <= FARTHEST_KM;
  });
  const { stations, others } = mergePlaces(within, fuel);
  const distanceOf = ({ station }: StationPrices) => km.get(station.id) as number;
  const all = rankByPrice(stations, fuel);
  const enough = RADII_KM.find((radius) => all.filter((each) => distanceOf(each) <= radius).length >= ENOUGH_PRICES);
  const radiusKm = enough ?? FARTHEST_KM;
  const ranked = all.filter((each) => distanceOf(each) <= radiusKm);
  const unranked = unrankedStations(stations, fuel).filter((each) => distanceOf(each) <= radiusKm);
  const nearest = ranked.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0] ?? null;
  return { radiusKm, ranked, unranked, others, km, nearest };
}

/** Whether a point is not in Romania. The border is asked only near it, where the answer costs more. */
export function isAbroad(point: Point, { gazetteer }: SiteData): boolean {
  return !gazetteer.hasLocalityWithin(point, FARTHEST_KM) || !gazetteer.insideRomania(point);
}

function rounded(degrees: number): number {
  return Math.round(degrees * POSITION_FACTOR) / POSITION_FACTOR;
}
