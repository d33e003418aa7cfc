/** What the pages of a city show, from one snapshot. */
import { compareCodeUnits } from '../../../algorithms/compare-code-units.ts';
import { type MilliPrice, meanToBani, type RoadFuel } from '../../../domain/fuel.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { distanceKm } from '../../../domain/point.ts';
import type { Network } from '../../../domain/stations/network.ts';
import { NO_PRICES, type RoadPrices } from '../../../snapshot/snapshot.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { cityName, countyLink } from '../../lookup/place-slugs.ts';
import { rankByPrice, type StationPrices, stationLookup } from '../../lookup/station-prices.ts';

export type City = {
  /** The part of the address that names it. */
  readonly segment: { readonly city: string };
  /** With diacritics. */
  readonly name: string;
  readonly county: { readonly name: string; readonly slug: string } | null;
  readonly lat: number;
  readonly lng: number;
  readonly stations: readonly StationPrices[];
  /** The lowest trusted prices, as `/preturi` of the API has them. */
  readonly lowest: RoadPrices;
};

/** The address of the prices of a city as CSV. */
export function csvPath({ segment }: Pick<City, 'segment'>): string {
  return `${routePath('city', 'ro', segment)}.csv`;
}

/** A city with a station; `null` = no station is there. */
export function cityOf(slug: string, { snapshot, gazetteer }: SiteData): City | null {
  const stations = stationLookup(snapshot).byCity.get(slug);
  const locality = gazetteer.localityBySlug(slug);
  if (stations === undefined || locality === undefined) return null;
  return {
    segment: { city: slug },
    name: locality.name,
    county: countyLink(locality.county, gazetteer),
    lat: locality.lat,
    lng: locality.lng,
    stations,
    lowest: snapshot.cities.find((city) => city.slug === slug)?.prices ?? NO_PRICES,
  };
}

export type NetworkInCity = {
  readonly network: Network;
  readonly count: number;
  readonly means: ReadonlyMap<RoadFuel, MilliPrice | null>;
};

/** The networks of a city with their mean trusted prices, those with the most stations first. */
export function networksIn({ stations }: City, fuels: readonly RoadFuel[]): NetworkInCity[] {
  return [...Map.groupBy(stations, ({ station }) => station.network.slug).values()]
    .map((own) => ({
      network: (own[0] as StationPrices).station.network,
      count: own.length,
      means: new Map(fuels.map((fuel) => [fuel, meanToBani(rankByPrice(own, fuel).map(({ price }) => price))])),
    }))
    .sort((a, b) => b.count - a.count || compareCodeUnits(a.network.slug, b.network.slug));
}

const NEARBY_CITIES = 8;
const NEARBY_KM = 60;

export type NearbyCity = {
  readonly name: string;
  readonly slug: string;
  readonly price: MilliPrice;
  readonly km: number;
};

/** The nearest cities with a price of a fuel, nearest first. */
export function citiesNearby(city: City, fuel: RoadFuel, { snapshot, gazetteer }: SiteData): NearbyCity[] {
  return snapshot.cities
    .flatMap(({ name, slug, lat, lng, prices }) => {
      const price = prices[fuel];
      const km = distanceKm(city, { lat, lng });
      return price === null || slug === city.segment.city || km > NEARBY_KM
        ? []
        : [{ name: cityName(slug, name, gazetteer), slug, price, km }];
    })
    .sort((a, b) => a.km - b.km)
    .slice(0, NEARBY_CITIES);
}
