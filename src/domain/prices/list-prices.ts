/** The extra steps for a network's own price list, which knows prices better than stations. Rule 25. */

import { sourceKind } from '../reports/source-kind.ts';
import type { Sweep } from '../reports/sweep.ts';
import type { SourceStation } from '../stations/source-station.ts';
import type { Station } from '../stations/station.ts';
import { findUnplaceable } from '../stations/unplaceable.ts';
import type { StationReading } from './apply-collection.ts';
import type { CollectionSettings } from './collection-settings.ts';
import type { StoredPrice } from './facts.ts';
import { expandNetworkPrices } from './network-prices.ts';
import { withoutStations } from './remote-stations.ts';

/** The sweep without the stations that cannot be placed, and without their prices; each is counted. */
export function withoutUnplaceable(
  sweep: Sweep,
  known: readonly SourceStation[],
  stations: readonly Station[],
  { gazetteer }: CollectionSettings,
): Sweep {
  const knownIds = new Set(known.flatMap(({ key }) => [key, key.slice(key.indexOf(':') + 1)]));
  const newStations = sweep.stations.filter(({ sourceId }) => !knownIds.has(sourceId));
  const rejected = findUnplaceable(newStations, stations, gazetteer);
  return withoutStations(sweep, rejected, 'unplaced_station');
}

/** The readings of stations that still belong to the list's network; the others are rejected and counted. */
export function ofListNetwork(
  readings: readonly StationReading[],
  stations: readonly Station[],
  { rejections }: Sweep,
): StationReading[] {
  const networks = new Map(stations.map(({ id, network }) => [id, network]));
  return readings.filter((reading) => {
    const { station, network, sourceId, fuel } = reading;
    if ((networks.get(station) ?? network) === network) return true;
    rejections.addToRow(reading, 'station_of_other_network', `${network} ${sourceId} ${fuel}`);
    return false;
  });
}

/** Expands the prices of a whole network into readings for each of its stations that is known to sell the fuel. */
export function networkWideReadings(
  source: string,
  { networkPrices = [], units }: Sweep,
  ownReadings: readonly StationReading[],
  stations: readonly Station[],
  facts: readonly StoredPrice[],
  { inService }: CollectionSettings,
): StationReading[] {
  if (networkPrices.length === 0) return [];
  const factsInService = facts.filter(
    (fact) => inService === null || sourceKind(fact.source) === 'manual' || inService.includes(fact.source),
  );
  const [unit = ''] = units.keys();
  return expandNetworkPrices(source, networkPrices, stations, factsInService, ownReadings, unit);
}
