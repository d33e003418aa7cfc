/** Finds the rows of a price list that cannot be placed: they lack coordinates and may duplicate a known station. */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import type { Station } from './station.ts';
import { administrativeUnitOf, pointOf } from './station-location.ts';

/**
 * The new stations that might duplicate one known from another source: without coordinates, and with no town or in a
 * town where a station of the network is known.
 */
export function findUnplaceable(
  newStations: readonly StationDescription[],
  stations: readonly Station[],
  gazetteer: Gazetteer,
): ReadonlySet<StationDescription> {
  const withoutCoordinates = newStations.filter((station) => pointOf(station) === null);
  if (withoutCoordinates.length === 0) return new Set();
  const occupiedUnits = new Set(
    stations.map((station) => `${station.network} ${administrativeUnitOf(station, gazetteer)}`),
  );
  return new Set(
    withoutCoordinates.filter((station) => {
      const unit = administrativeUnitOf(station, gazetteer);
      return unit === null || occupiedUnits.has(`${station.network} ${unit}`);
    }),
  );
}
