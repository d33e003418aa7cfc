/** Expands the price of a whole network into a reading for each of its stations that sells the fuel. */

import type { NetworkPrice } from '../reports/observation.ts';
import { sourceKind } from '../reports/source-kind.ts';
import type { Station } from '../stations/station.ts';
import { factKey, type StationReading } from './apply-collection.ts';
import type { StoredPrice } from './facts.ts';

/**
 * The readings that `networkPrices` mean for each station of the network that is known to sell the fuel: another source
 * has a row for it, with or without a price. Locators do not count, since they guess; `ownReadings` take precedence.
 */
export function expandNetworkPrices(
  source: string,
  networkPrices: readonly NetworkPrice[],
  stations: readonly Station[],
  facts: readonly StoredPrice[],
  ownReadings: readonly StationReading[],
  unit: string,
): StationReading[] {
  const networks = new Map(stations.map(({ id, network }) => [id, network]));
  const prices = new Map(networkPrices.map((each) => [`${each.network} ${each.fuel}`, each]));
  const taken = new Set(ownReadings.map(({ station, fuel }) => factKey(station, fuel)));
  const readings: StationReading[] = [];
  for (const fact of facts) {
    const { station, fuel, missingSince } = fact;
    if (fact.source === source || missingSince !== null || sourceKind(fact.source) === 'locator') continue;
    const network = networks.get(station) ?? '';
    const networkPrice = prices.get(`${network} ${fuel}`);
    const key = factKey(station, fuel);
    if (networkPrice === undefined || taken.has(key)) continue;
    taken.add(key);
    readings.push({ ...networkPrice, sourceId: '', station, unit });
  }
  return readings;
}
