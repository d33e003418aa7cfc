/** The records of a snapshot, as far as the feed of changes tells them. */
import type { ChangePlace, ServedRecord } from '../domain/changes/served-change.ts';
import { servedPriceOf } from '../domain/changes/served-price.ts';
import type { ServedStation, Snapshot } from './snapshot.ts';

/** In the order of the snapshot. */
export function servedRecordsOf({ records }: Snapshot): ServedRecord[] {
  return records.map(({ station, fuel, verdict }) => {
    const fact = 'fact' in verdict ? verdict.fact : null;
    const told = { source: fact?.source ?? null, observed: fact?.observed ?? null };
    return { station: station.id, fuel, served: servedPriceOf(verdict), ...told, ...changePlaceOf(station) };
  });
}

/** Where a station is, for filters. */
export function changePlaceOf({ county, citySlug: city, network }: ServedStation): ChangePlace {
  return { county, city, network: network.slug };
}
