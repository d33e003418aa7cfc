/** What the page of a station shows, from one snapshot. */
import { FUELS, type Fuel, type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../../../domain/point.ts';
import { type PriceVerdict, trustedPrice } from '../../../domain/prices/price-verdict.ts';
import { stationIdOf } from '../../../domain/stations/station-slug.ts';
import type { ServedStation } from '../../../snapshot/snapshot.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { cityName, countyLink } from '../../lookup/place-slugs.ts';
import { type RankedStation, rankByPrice, type StationPrices, stationLookup } from '../../lookup/station-prices.ts';

export type StationDetails = StationPrices & {
  /** With diacritics; `null` = no locality is known. */
  readonly city: { readonly name: string; readonly slug: string } | null;
  readonly county: { readonly name: string; readonly slug: string } | null;
  /** How well its coordinates are known. */
  readonly position: 'exact' | 'approximate' | 'suspect';
  /** The fuels with a record, in the contract's order. */
  readonly fuels: readonly FuelDetails[];
  /** The fuels without one. */
  readonly notSold: readonly Fuel[];
  /** Which of several stations of one name and address it is, from 1; `null` = no other has both. */
  readonly namesake: number | null;
};

export type FuelDetails = {
  readonly fuel: Fuel;
  readonly verdict: PriceVerdict;
  /** `null` = the price is not trusted, or no locality is known. */
  readonly inTown: PlaceInTown | null;
};

/** A trusted price among those of its town. */
type PlaceInTown = {
  /** 1 = no lower price; equal prices share a rank. */
  readonly rank: number;
  /** Stations with a trusted price, this one included. */
  readonly count: number;
  readonly overCheapest: MilliPrice;
  /** `null` = too few stations to tell. */
  readonly level: PriceLevel | null;
};

/** `cheap` = at least two thirds of the other stations of the town are dearer; `dear` = as many are cheaper. */
export type PriceLevel = 'cheap' | 'usual' | 'dear';

const MIN_STATIONS_FOR_LEVEL = 3;

/** The station that the last 12 characters of an address name; `null` = it is not served. */
export function stationOf(
  segment: string,
  { snapshot, gazetteer }: Pick<SiteData, 'snapshot' | 'gazetteer'>,
): StationDetails | null {
  const lookup = stationLookup(snapshot);
  const known = lookup.byId.get(stationIdOf(segment) ?? '');
  if (known === undefined) return null;
  const { station, verdicts } = known;
  const neighbours = station.citySlug === '' ? [] : (lookup.byCity.get(station.citySlug) ?? []);
  return {
    ...known,
    city:
      station.citySlug === ''
        ? null
        : { name: cityName(station.citySlug, station.city, gazetteer), slug: station.citySlug },
    county: countyLink(station.county, gazetteer),
    position: station.suspectCoordinates ? 'suspect' : station.approximateCoordinates ? 'approximate' : 'exact',
    fuels: FUELS.flatMap((fuel) => {
      const verdict = verdicts.get(fuel);
      return verdict === undefined ? [] : [{ fuel, verdict, inTown: placeInTown(verdict, fuel, neighbours) }];
    }),
    notSold: FUELS.filter((fuel) => !verdicts.has(fuel)),
    namesake: namesakeNumber(station, neighbours),
  };
}

/** By id, so that the number stays while the same stations exist. */
function namesakeNumber(station: ServedStation, neighbours: readonly StationPrices[]): number | null {
  const labelOf = ({ name, network, address }: ServedStation) => `${name ?? network.name}\n${address.toLowerCase()}`;
  const label = labelOf(station);
  const same = neighbours.filter((each) => labelOf(each.station) === label).map((each) => each.station.id);
  return same.length < 2 ? null : same.sort().indexOf(station.id) + 1;
}

function placeInTown(verdict: PriceVerdict, fuel: Fuel, neighbours: readonly StationPrices[]): PlaceInTown | null {
  const ranked = rankByPrice(neighbours, fuel);
  const [cheapest] = ranked;
  if (verdict.kind !== 'trusted' || cheapest === undefined) return null;
  const cheaper = ranked.filter(({ price }) => price < verdict.price).length;
  const dearer = ranked.filter(({ price }) => price > verdict.price).length;
  return {
    rank: cheaper + 1,
    count: ranked.length,
    overCheapest: verdict.price - cheapest.price,
    level: ranked.length < MIN_STATIONS_FOR_LEVEL ? null : priceLevel(cheaper, dearer, ranked.length - 1),
  };
}

function priceLevel(cheaper: number, dearer: number, others: number): PriceLevel {
  if (3 * dearer >= 2 * others) return 'cheap';
  return 3 * cheaper >= 2 * others ? 'dear' : 'usual';
}

export const NEARBY_KM = 5;
const MOST_NEARBY = 3;

type NearbyStation = RankedStation & { readonly km: number };

export type NearbyPrices = {
  readonly fuel: RoadFuel;
  /** The price to compare with; `null` = this station has no trusted one. */
  readonly own: MilliPrice | null;
  /** The cheapest first. */
  readonly stations: readonly NearbyStation[];
};

/**
 * For each road fuel of a station, the cheapest stations within 5 km that undercut it: any of them if it has no
 * trusted price itself. `null` = it is not known well enough where the station stands.
 */
export function cheaperNearby({ station, verdicts, position }: StationDetails, data: SiteData): NearbyPrices[] | null {
  if (position !== 'exact') return null;
  const around = stationsAround(station, data).filter(({ station: { id } }) => id !== station.id);
  return ROAD_FUELS.flatMap((fuel) => {
    const verdict = verdicts.get(fuel);
    if (verdict === undefined) return [];
    const own = trustedPrice(verdict);
    const stations = rankByPrice(around, fuel)
      .filter(({ price }) => own === null || price < own)
      .sort((a, b) => a.price - b.price || a.km - b.km)
      .slice(0, MOST_NEARBY);
    return [{ fuel, own, stations }];
  });
}

/** The stations within 5 km of a place, those included that stand there; none whose own place is not well known. */
export function stationsAround(place: Point, { snapshot }: SiteData): (StationPrices & { readonly km: number })[] {
  return stationLookup(snapshot).stations.flatMap((each) => {
    const { approximateCoordinates, suspectCoordinates } = each.station;
    if (approximateCoordinates || suspectCoordinates) return [];
    // Most stations are further away by their latitude alone, which is quickly seen.
    if (Math.abs(place.lat - each.station.lat) * KM_PER_DEGREE > NEARBY_KM) return [];
    const km = distanceKm(place, each.station);
    return km <= NEARBY_KM ? [{ ...each, km }] : [];
  });
}
