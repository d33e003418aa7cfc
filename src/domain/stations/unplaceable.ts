/** Rows of a price list that nobody can place: no coordinates, and not the only station of its network in its town. */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import type { Station } from './station.ts';
import { administrativeUnitOf, pointOf } from './station-location.ts';

/**
 * Those of `newcomers` that would make a second pin of a station known from elsewhere: without coordinates, and with no
 * town or in one where a station of the network is known.
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
