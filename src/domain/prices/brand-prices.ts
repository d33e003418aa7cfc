/** Expands a price for a whole network into a reading for each of its stations that sells the fuel. */

import type { BrandPrice } from '../reports/observation.ts';
import { sourceKind } from '../reports/source-kind.ts';
import type { Station } from '../stations/station.ts';
import { factKey, type StationReading } from './apply-collection.ts';
import type { StoredPrice } from './facts.ts';

/**
 * Readings of `brandPrices` for the networks' stations that are known to sell the fuel: another source has a row for
 * it, with or without a price. Locators do not count, since they guess; the list's own rows in `own` take precedence.
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
