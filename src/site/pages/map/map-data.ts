/** What the page of the map shows: the stations that an address selects, ranked. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfQuery } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { Locality } from '../../../domain/places/locality.ts';
import type { Network } from '../../../domain/stations/network.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type RankedStation, rankByPrice, type StationPrices, stationLookup } from '../../lookup/station-prices.ts';

/** What an address selects; what it does not know is left out. */
export type MapSelection = {
  readonly fuel: RoadFuel;
  readonly network: Network | null;
  readonly city: Locality | null;
};

export type MapData = MapSelection & {
  /** That sell the fuel, at coordinates that may be right. */
  readonly stations: readonly StationPrices[];
  readonly ranked: readonly RankedStation[];
  /** All networks with a station, by name. */
  readonly networks: readonly Network[];
};

/** Reads `tip` (the words of either language), `retea` and `oras`. */
export function mapData(query: URLSearchParams, { snapshot, gazetteer }: SiteData): MapData {
  const lookup = stationLookup(snapshot);
  const fuel = fuelOfQuery(query);
  const networks = [...lookup.byNetwork.values()]
    .flatMap(([first]) => first?.station.network ?? [])
    .toSorted((a, b) => a.name.localeCompare(b.name, 'ro'));
  const network = networks.find((each) => each.slug === query.get('retea')) ?? null;
  const citySlug = query.get('oras') ?? '';
  const city = lookup.byCity.has(citySlug) ? (gazetteer.localityBySlug(citySlug) ?? null) : null;
  const inPlace = city === null ? lookup.stations : (lookup.byCity.get(city.slug) ?? []);
  const stations = inPlace.filter(
    ({ station, verdicts }) =>
      verdicts.has(fuel) && !station.suspectCoordinates && (network === null || station.network.slug === network.slug),
  );
  return { fuel, network, city, networks, stations, ranked: rankByPrice(stations, fuel) };
}

/** The address of a selection; petrol in the whole country, of all networks, has no query. */
export function mapPath({ fuel, network, city }: MapSelection, language: Language): string {
  const query = new URLSearchParams();
  if (city !== null) query.set('oras', city.slug);
  if (fuel !== 'petrol') query.set('tip', FUEL_SLUG[language][fuel]);
  if (network !== null) query.set('retea', network.slug);
  return `${routePath('map', language)}${query.size === 0 ? '' : `?${query}`}`;
}
