/** What a network's own price list needs beyond another source: it knows prices better than stations. Rule 25. */

import { sourceKind } from '../reports/source-kind.ts';
import type { Sweep } from '../reports/sweep.ts';
import type { Alias } from '../stations/alias.ts';
import type { Station } from '../stations/station.ts';
import { findUnplaceable } from '../stations/unplaceable.ts';
import type { StationReading } from './apply-collection.ts';
import { expandBrandPrices } from './brand-prices.ts';
import type { StoredPrice } from './facts.ts';
import type { PricingRules } from './rules.ts';

/** The sweep without the stations that cannot be placed, and without their prices; each is counted. */
export function withoutUnplaceable(
  sweep: Sweep,
  known: readonly Alias[],
  stations: readonly Station[],
  { gazetteer }: PricingRules,
): Sweep {
  const keys = new Set(known.flatMap(({ key }) => [key, key.slice(key.indexOf(':') + 1)]));
  const newStations = sweep.stations.filter(({ sourceId }) => !keys.has(sourceId));
  const refused = findUnplaceable(newStations, stations, gazetteer);
  if (refused.size === 0) return sweep;
  for (const { sourceId, brand } of refused) sweep.rejections.add('unplaced_station', `${brand} ${sourceId}`);
  const names = new Set([...refused].map(({ sourceId, network }) => `${sourceId} ${network}`));
  return {
    ...sweep,
    stations: sweep.stations.filter((station) => !refused.has(station)),
    readings: sweep.readings.filter(({ sourceId, network }) => !names.has(`${sourceId} ${network}`)),
  };
}

/** The readings of stations that still belong to the list's network: it prices no others. The rest is counted. */
export function ofListNetwork(
  readings: readonly StationReading[],
  stations: readonly Station[],
  { rejections }: Sweep,
): StationReading[] {
  const networks = new Map(stations.map(({ id, network }) => [id, network]));
  return readings.filter(({ station, network, sourceId, fuel }) => {
    if ((networks.get(station) ?? network) === network) return true;
    rejections.add('station_of_other_network', `${network} ${sourceId} ${fuel}`);
    return false;
  });
}

/** Expands the prices of a whole network into readings for each of its stations that is known to sell the fuel. */
export function brandWideReadings(
  source: string,
  { brandPrices = [], units }: Sweep,
  own: readonly StationReading[],
  stations: readonly Station[],
  facts: readonly StoredPrice[],
  { inService }: PricingRules,
): StationReading[] {
  if (brandPrices.length === 0) return [];
  const served = facts.filter(
    (fact) => inService === null || sourceKind(fact.source) === 'manual' || inService.includes(fact.source),
  );
  const [unit = ''] = units.keys();
  return expandBrandPrices(source, brandPrices, stations, served, own, unit);
}
