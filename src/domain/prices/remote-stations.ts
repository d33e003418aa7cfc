/** Stations that a source places outside the country: they would be served in the nearest Romanian town. */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { StationDescription } from '../reports/observation.ts';
import type { Sweep } from '../reports/sweep.ts';
import { declaredCity, pointOf } from '../stations/station-location.ts';

/** No station in Romania is further from every locality of the gazetteer. */
export const MAX_KM_TO_LOCALITY = 30;

/**
 * The sweep without the stations whose coordinates alone say where they are, and say that it is far from every
 * Romanian place; each is counted as `outside_romania`. A declared town takes precedence over coordinates (rule 21).
 */
export function withoutRemoteStations(sweep: Sweep, gazetteer: Gazetteer): Sweep {
  const remote = sweep.stations.filter((station) => {
    const point = pointOf(station);
    if (point === null || declaredCity(station, gazetteer) !== undefined) return false;
    return !gazetteer.hasLocalityWithin(point, MAX_KM_TO_LOCALITY);
  });
  return withoutStations(sweep, new Set(remote), 'outside_romania');
}

/** The sweep without these of its stations and without their prices; each is counted. */
export function withoutStations(sweep: Sweep, rejected: ReadonlySet<StationDescription>, reason: string): Sweep {
  if (rejected.size === 0) return sweep;
  for (const { sourceId, network, brand } of rejected) {
    sweep.rejections.addToRow({ network, sourceId }, reason, `${brand} ${sourceId}`);
  }
  const names = new Set([...rejected].map(({ sourceId, network }) => `${sourceId} ${network}`));
  return {
    ...sweep,
    stations: sweep.stations.filter((station) => !rejected.has(station)),
    readings: sweep.readings.filter(({ sourceId, network }) => !names.has(`${sourceId} ${network}`)),
  };
}
