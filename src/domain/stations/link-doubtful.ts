/**
 * Links a station whose coordinates are doubtful or missing to the network's own description of it, if each is the
 * only unlinked one of the network in its administrative unit. That settles where it stands.
 */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { Newcomer } from './matching.ts';
import type { Station } from './station.ts';
import { administrativeUnitOf, hasDoubtfulCoordinates, type StationLocation } from './station-location.ts';

/** Newcomer's key → station id. `newcomers` and `stations` are those that place did not link. */
export function linkDoubtful(
  newcomers: readonly (Newcomer & StationLocation)[],
  stations: readonly Station[],
  gazetteer: Gazetteer,
): Map<string, string> {
  const areaOf = (place: StationLocation & { readonly network: string }) =>
    `${place.network} ${administrativeUnitOf(place, gazetteer)}`;
  const found = Map.groupBy(
    newcomers.filter((newcomer) => !hasDoubtfulCoordinates(newcomer, gazetteer)),
    areaOf,
  );
  const known = Map.groupBy(stations, areaOf);
  const linked = new Map<string, string>();
  for (const [area, [newcomer, ...others]] of found) {
    const [station, ...rivals] = known.get(area) ?? [];
    if (newcomer === undefined || station === undefined || others.length + rivals.length > 0) continue;
    if (hasDoubtfulCoordinates(station, gazetteer)) linked.set(newcomer.key, station.id);
  }
  return linked;
}
