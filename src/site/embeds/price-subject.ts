/**
 * What other sites show prices of: a city with its lowest trusted prices, a station with its own, or the country with
 * its means.
 */
import { type MilliPrice, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import { trustedPrice } from '../../domain/prices/price-verdict.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type RankedStation, rankByPrice, type StationPrices, stationLookup } from '../lookup/station-prices.ts';
import { COUNTRY } from '../parts/breadcrumb.ts';
import { priceAge } from '../parts/price-notes.ts';
import { addressWithCity } from '../parts/station-address.ts';

export type PlaceKind = 'city' | 'station' | 'country';

/** A place as an address names it; the slug of the country is `''`. */
export type PlaceName = { readonly kind: PlaceKind; readonly slug: string };

export type PriceSubject = {
  readonly kind: PlaceKind;
  /** The part of addresses that names it now; `''` = the country. */
  readonly slug: string;
  /** `Cluj-Napoca`; `Petrom, Calea Turzii 178`; `România`. */
  readonly name: LocalizedText;
  /** Of a station: whose it is, and its address with the city. */
  readonly station: { readonly network: string; readonly address: string } | null;
  /** Trusted prices only, as the API has them. */
  readonly priceOf: (fuel: RoadFuel) => MilliPrice | null;
  /** The stations that have the price of a fuel, or of the country the lowest one, cheapest first. */
  readonly offersOf: (fuel: RoadFuel) => readonly RankedStation[];
  /** The page about it, or about one of its fuels. */
  readonly pagePath: (language: Language, fuel?: RoadFuel | null) => string;
};

/** The subject of that name; `undefined` = there is none. */
export function priceSubject({ kind, slug }: PlaceName, data: SiteData): PriceSubject | undefined {
  if (kind === 'country') return countrySubject(data);
  return kind === 'city' ? citySubject(slug, data) : stationSubject(slug, data);
}

/** A city with a station. */
function citySubject(slug: string, { snapshot, gazetteer }: SiteData): PriceSubject | undefined {
  const locality = gazetteer.localityBySlug(slug);
  const stations = stationLookup(snapshot).byCity.get(slug);
  if (locality === undefined || stations === undefined) return undefined;
  const prices = snapshot.cities.find((city) => city.slug === slug)?.prices;
  return {
    kind: 'city',
    slug,
    name: { ro: locality.name, en: locality.name },
    station: null,
    priceOf: (fuel) => prices?.[fuel] ?? null,
    offersOf: (fuel) => rankByPrice(stations, fuel),
    pagePath: (language, fuel) =>
      fuel
        ? routePath('cityFuel', language, { city: slug, fuel: FUEL_SLUG[language][fuel] })
        : routePath('city', language, { city: slug }),
  };
}

/** A station by its slug, of which only the id counts. */
function stationSubject(slug: string, { snapshot, gazetteer }: SiteData): PriceSubject | undefined {
  const id = stationIdOf(slug);
  const found = id === null ? undefined : stationLookup(snapshot).byId.get(id);
  if (found === undefined) return undefined;
  const { station } = found;
  const name = `${station.network.name}, ${station.address}`;
  return {
    kind: 'station',
    slug: found.slug,
    name: { ro: name, en: name },
    station: { network: station.network.name, address: addressWithCity(station, gazetteer) },
    priceOf: (fuel) => trustedPrice(found.verdicts.get(fuel)),
    offersOf: (fuel) => rankByPrice([found], fuel),
    pagePath: (language) => routePath('station', language, { station: found.slug }),
  };
}

function countrySubject({ snapshot }: SiteData): PriceSubject {
  return {
    kind: 'country',
    slug: '',
    name: COUNTRY,
    station: null,
    priceOf: (fuel) => snapshot.national[fuel].mean,
    offersOf: (fuel) => {
      const cheapest = stationLookup(snapshot).cheapest.get(fuel);
      return cheapest === undefined ? [] : [cheapest];
    },
    pagePath: (language) => routePath('home', language),
  };
}

/** The fuels with a price. */
export function pricedFuels({ priceOf }: Pick<PriceSubject, 'priceOf'>): RoadFuel[] {
  return ROAD_FUELS.filter((fuel) => priceOf(fuel) !== null);
}

/** `Petrom, Calea Turzii 178`, with the city where the subject is the country. */
export function stationInWords(
  { station }: Pick<StationPrices, 'station'>,
  { kind }: PriceSubject,
  { gazetteer }: SiteData,
): string {
  const address = kind === 'country' ? addressWithCity(station, gazetteer) : station.address;
  return `${station.network.name}, ${address}`;
}

/** When the price was observed, in words that stay true for as long as the snapshot is served. */
export function ageOf(
  { verdicts }: Pick<StationPrices, 'verdicts'>,
  fuel: RoadFuel,
  { snapshot }: SiteData,
  language: Language,
): string {
  const verdict = verdicts.get(fuel);
  return verdict?.kind === 'trusted' ? priceAge(verdict.fact, snapshot.today, language) : '';
}
