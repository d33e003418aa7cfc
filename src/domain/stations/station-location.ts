/** Where a described station stands, according to its source and the gazetteer. */
import type { Gazetteer } from '../places/gazetteer.ts';
import type { Locality } from '../places/locality.ts';
import type { Point } from '../point.ts';

/** The location part of any source's description of a station. */
export type StationLocation = {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly siruta: number | null;
  readonly locality?: string | null;
};

/** The city a source declares: the locality it names, else the city of the unit it names. Rule 21. */
export function declaredCity({ locality, siruta }: StationLocation, gazetteer: Gazetteer): Locality | undefined {
  if (locality != null) return gazetteer.localityBySlug(locality);
  return siruta === null ? undefined : gazetteer.cityOfUnit(siruta);
}

/** SIRUTA code of the unit it lies in: the declared one, else that of the nearest locality; `null` without either. */
export function administrativeUnitOf(place: StationLocation, gazetteer: Gazetteer): number | null {
  const point = pointOf(place);
  const city = declaredCity(place, gazetteer) ?? (point && gazetteer.nearestLocality(point));
  return city?.siruta ?? null;
}

/** Whether the coordinates are missing or cannot be right. Rule 29. */
export function hasSuspectOrNoCoordinates(place: StationLocation, gazetteer: Gazetteer): boolean {
  const point = pointOf(place);
  return point === null || isSuspectPoint(point, declaredCity(place, gazetteer), gazetteer);
}

/** Whether coordinates cannot be right for a station that declares this city. Rule 29. */
export function isSuspectPoint(point: Point, declared: Locality | undefined, gazetteer: Gazetteer): boolean {
  return gazetteer.suspectCoordinates(point, (declared && gazetteer.countyByCode(declared.county)) ?? null);
}

/** The coordinates, if both are given. */
export function pointOf({ lat, lng }: StationLocation): Point | null {
  return lat === null || lng === null ? null : { lat, lng };
}
