/** A price for a whole network → a reading for each of its stations that sells the fuel. */

import type { BrandPrice } from '../reports/observation.ts';
import { sourceKind } from '../reports/source-kind.ts';
import type { Station } from '../stations/station.ts';
import { factKey, type StationReading } from './apply-collection.ts';
import type { StoredPrice } from './facts.ts';

/**
 * Readings of `brandPrices` for the stations of those networks that are known to sell the fuel: some other source has a
 * row of it, with a price or without. Locators do not count, they guess; and what stands in `own` goes before.
 */
export function expandBrandPrices(
  source: string,
  brandPrices: readonly BrandPrice[],
  stations: readonly Station[],
  facts: readonly StoredPrice[],
  own: readonly StationReading[],
  unit: string,
): StationReading[] {
  const networks = new Map(stations.map(({ id, network }) => [id, network]));
  const prices = new Map(brandPrices.map((each) => [`${each.network} ${each.fuel}`, each]));
  const taken = new Set(own.map(({ station, fuel }) => factKey(station, fuel)));
  const readings: StationReading[] = [];
  for (const fact of facts) {
    const { station, fuel, missingSince } = fact;
    if (fact.source === source || missingSince !== null || sourceKind(fact.source) === 'locator') continue;
    const network = networks.get(station) ?? '';
    const brand = prices.get(`${network} ${fuel}`);
    const key = factKey(station, fuel);
    if (brand === undefined || taken.has(key)) continue;
    taken.add(key);
    readings.push({ ...brand, sourceId: '', station, unit });
  }
  return readings;
}
