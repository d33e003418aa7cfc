/** A place on the earth, WGS84 degrees. */
export type Point = { readonly lat: number; readonly lng: number };

/** Degrees; nothing of it crosses the 180th meridian. */
export type BoundingBox = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** Mean radius of the earth, km. */
export const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Length of one degree of latitude, and of one degree of longitude at the equator, km. */
export const KM_PER_DEGREE = EARTH_RADIUS_KM * RADIANS;

/** Great-circle distance (haversine), km. */
export function distanceKm(a: Point, b: Point): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLng = Math.sin(((b.lng - a.lng) * RADIANS) / 2);
  const chord = sinLat * sinLat + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLng * sinLng;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
}
