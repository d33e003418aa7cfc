/** Minima and means over trusted prices. Rules 22 to 24. */

import { compareCodeUnits } from '../algorithms/compare-code-units.ts';
import { type Fuel, type MilliPrice, meanToBani, ROAD_FUELS, type RoadFuel } from '../domain/fuel.ts';
import type { County } from '../domain/places/county.ts';
import type { Locality } from '../domain/places/locality.ts';
import { type PriceVerdict, trustedPrice } from '../domain/prices/price-verdict.ts';
import type { CityPrices, CountyPrices, NationalPrices, NetworkPrices, RoadPrices } from './snapshot.ts';
import type { PlacedStation } from './station-placer.ts';

export type JudgedStation = PlacedStation & { readonly verdicts: ReadonlyMap<Fuel, PriceVerdict> };

/** The cheapest trusted price of each city, largest city first; cities without one are left out. */
export function cheapestByCity(stations: readonly JudgedStation[]): CityPrices[] {
  const byCity = Map.groupBy(stations, ({ city }) => city);
  const cities: { city: Locality; prices: RoadPrices }[] = [];
  for (const [city, inCity] of byCity) {
    if (city === undefined) continue;
    const prices = byFuel((fuel) => smallest(trustedPrices(inCity, fuel)));
    if (ROAD_FUELS.some((fuel) => prices[fuel] !== null)) cities.push({ city, prices });
  }
  cities.sort((a, b) => b.city.population - a.city.population || compareCodeUnits(a.city.slug, b.city.slug));
  return cities.map(({ city, prices }) => ({
    name: city.ascii,
    slug: city.slug,
    county: city.county,
    lat: city.lat,
    lng: city.lng,
    prices,
  }));
}

/** The mean trusted price of every network with a station, by name. */
export function averageNetworks(stations: readonly JudgedStation[]): NetworkPrices[] {
  const bySlug = Map.groupBy(stations, ({ served }) => served.network.slug);
  return [...bySlug.values()]
    .map((inNetwork) => ({
      network: (inNetwork[0] as JudgedStation).served.network,
      prices: byFuel((fuel) => meanToBani(trustedPrices(inNetwork, fuel))),
    }))
    .sort((a, b) => compareCodeUnits(sortName(a), sortName(b)));
}

/** The mean of the cities' minimum prices in each county. */
export function averageCounties(
  cities: readonly CityPrices[],
  counties: readonly County[],
): ReadonlyMap<string, CountyPrices> {
  const byCounty = Map.groupBy(cities, ({ county }) => county);
  return new Map(
    counties.map(({ code }) => {
      const inCounty = byCounty.get(code) ?? [];
      const known = (fuel: RoadFuel) => inCounty.map(({ prices }) => prices[fuel]).filter((price) => price !== null);
      return [code, { code, cities: inCounty.length, prices: byFuel((fuel) => meanToBani(known(fuel))) }];
    }),
  );
}

/** Minimum, mean and maximum over the trusted station prices of the country. */
export function nationalPrices(stations: readonly JudgedStation[]): NationalPrices {
  return byFuel((fuel) => {
    const prices = trustedPrices(stations, fuel);
    return { min: smallest(prices), mean: meanToBani(prices), max: largest(prices) };
  });
}

function byFuel<T>(value: (fuel: RoadFuel) => T): Record<RoadFuel, T> {
  return Object.fromEntries(ROAD_FUELS.map((fuel) => [fuel, value(fuel)])) as Record<RoadFuel, T>;
}

function trustedPrices(stations: readonly JudgedStation[], fuel: Fuel): MilliPrice[] {
  const prices: MilliPrice[] = [];
  for (const { verdicts } of stations) {
    const price = trustedPrice(verdicts.get(fuel));
    if (price !== null) prices.push(price);
  }
  return prices;
}

function smallest(prices: readonly MilliPrice[]): MilliPrice | null {
  return prices.length === 0 ? null : prices.reduce((least, price) => Math.min(least, price));
}

function largest(prices: readonly MilliPrice[]): MilliPrice | null {
  return prices.length === 0 ? null : prices.reduce((most, price) => Math.max(most, price));
}

function sortName({ network }: NetworkPrices): string {
  return `${network.name.toLowerCase()} ${network.slug}`;
}
