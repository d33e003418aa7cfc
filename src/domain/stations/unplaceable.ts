/** Rows of a price list that cannot be placed: no coordinates, and not the only station of its network in its town. */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import type { Station } from './station.ts';
import { administrativeUnitOf, pointOf } from './station-location.ts';

/**
 * The newcomers that might duplicate a station known from another source: without coordinates, and with no town or in
 * a town where a station of the network is known.
 */
export function findUnplaceable(
  newcomers: readonly StationDescription[],
  stations: readonly Station[],
  gazetteer: Gazetteer,
): ReadonlySet<StationDescription> {
  const places = newcomers.filter((station) => pointOf(station) === null);
  if (places.length === 0) return new Set();
  const taken = new Set(stations.map((station) => `${station.network} ${administrativeUnitOf(station, gazetteer)}`));
  return new Set(
    places.filter((station) => {
      const unit = administrativeUnitOf(station, gazetteer);
      return unit === null || taken.has(`${station.network} ${unit}`);
    }),
  );
}
