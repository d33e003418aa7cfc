/**
 * Links a station whose coordinates are suspect or missing to the description of it by a source with exact coordinates,
 * if each is the only unlinked one of its network in its administrative unit. Rule 28.
 */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { UnlinkedStation } from './link-by-place.ts';
import type { Station } from './station.ts';
import { administrativeUnitOf, hasSuspectOrNoCoordinates, type StationLocation } from './station-location.ts';

/** Key → station id. `unlinked` and `stations` are those that place did not link. */
export function linkByAdministrativeUnit(
  unlinked: readonly (UnlinkedStation & StationLocation)[],
  stations: readonly Station[],
  gazetteer: Gazetteer,
): Map<string, string> {
  const networkAndUnit = (station: StationLocation & { readonly network: string }) =>
    `${station.network} ${administrativeUnitOf(station, gazetteer)}`;
  const unlinkedByUnit = Map.groupBy(
    unlinked.filter((station) => !hasSuspectOrNoCoordinates(station, gazetteer)),
    networkAndUnit,
  );
  const stationsByUnit = Map.groupBy(stations, networkAndUnit);
  const linked = new Map<string, string>();
  for (const [unit, [only, ...others]] of unlinkedByUnit) {
    const [station, ...rivals] = stationsByUnit.get(unit) ?? [];
    if (only === undefined || station === undefined || others.length + rivals.length > 0) continue;
    if (hasSuspectOrNoCoordinates(station, gazetteer)) linked.set(only.key, station.id);
  }
  return linked;
}
