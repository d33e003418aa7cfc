/** The statistics of one day over all scopes, from the trusted prices of placed stations. */
import { FUELS, type MilliPrice, meanToBani, ROAD_FUELS, type RoadFuel } from '../domain/fuel.ts';
import {
  type PriceStatistics,
  SCOPE_KINDS,
  type ScopeKind,
  type StatisticsLists,
  statisticsOf,
} from '../domain/prices/day-statistics.ts';
import type { ServedStation } from './snapshot.ts';

/** A station and its trusted prices in the order of `FUELS`; `null` = none. */
export type TrustedStation = {
  readonly station: ServedStation;
  readonly prices: readonly (MilliPrice | null)[];
};

/**
 * The statistics of one day, one item for each kind of scope and fuel. They agree with the snapshot: a county's mean is
 * the mean of its cities' minima (rule 23), all other figures are of stations.
 */
export function aggregateDay(stations: readonly TrustedStation[]): StatisticsLists[] {
  return ROAD_FUELS.flatMap((fuel) => aggregateFuel(stations, fuel));
}

type Scopes = Map<string, PriceStatistics>;

function aggregateFuel(stations: readonly TrustedStation[], fuel: RoadFuel): StatisticsLists[] {
  const index = FUELS.indexOf(fuel);
  const prices = new Map(SCOPE_KINDS.map((kind) => [kind, new Map<string, MilliPrice[]>()]));
  const countyOfCity = new Map<string, string>();
  for (const { station, prices: own } of stations) {
    const price = own[index];
    if (price === null || price === undefined) continue;
    countyOfCity.set(station.citySlug, station.county);
    for (const kind of SCOPE_KINDS)
      addPrice(prices.get(kind) as Map<string, MilliPrice[]>, nameIn(kind, station), price);
  }
  const scopes = (kind: ScopeKind) => statisticsOfEach(prices.get(kind) as Map<string, MilliPrice[]>);
  const cities = scopes('city');
  const counties = withMeansOfCities(scopes('county'), cities, countyOfCity);
  return [
    toLists('national', fuel, scopes('national')),
    toLists('county', fuel, counties),
    toLists('network', fuel, scopes('network')),
    toLists('city', fuel, cities),
  ];
}

/** The name of the scope that a station belongs to; `null` = none, since its place is unknown. */
function nameIn(kind: ScopeKind, { county, citySlug, network }: ServedStation): string | null {
  if (kind === 'national') return '';
  if (kind === 'network') return network.slug;
  return (kind === 'county' ? county : citySlug) || null;
}

function addPrice(prices: Map<string, MilliPrice[]>, name: string | null, price: MilliPrice): void {
  if (name === null) return;
  const known = prices.get(name);
  if (known === undefined) prices.set(name, [price]);
  else known.push(price);
}

function statisticsOfEach(prices: ReadonlyMap<string, readonly MilliPrice[]>): Scopes {
  return new Map([...prices].map(([name, own]) => [name, statisticsOf(own) as PriceStatistics]));
}

function withMeansOfCities(counties: Scopes, cities: Scopes, countyOfCity: ReadonlyMap<string, string>): Scopes {
  const minima = Map.groupBy(cities, ([city]) => countyOfCity.get(city) ?? '');
  return new Map(
    [...counties].map(([county, statistics]) => {
      const inCounty = (minima.get(county) ?? []).map(([, { min }]) => min);
      return [county, { ...statistics, mean: meanToBani(inCounty) ?? statistics.mean }];
    }),
  );
}

function toLists(kind: ScopeKind, fuel: RoadFuel, scopes: Scopes): StatisticsLists {
  const all = [...scopes.values()];
  return {
    kind,
    fuel,
    names: [...scopes.keys()],
    stations: all.map(({ stations }) => stations),
    min: all.map(({ min }) => min),
    p10: all.map(({ p10 }) => p10),
    median: all.map(({ median }) => median),
    mean: all.map(({ mean }) => mean),
    p90: all.map(({ p90 }) => p90),
    max: all.map(({ max }) => max),
  };
}
