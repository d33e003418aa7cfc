/** Parses a feed station's coordinates and checks whether they are near Romania. */
import { validCoordinates } from './fields.ts';
import { type ReportRejection, sample } from './station-feed.ts';

type StationCoordinates = { readonly lat: number; readonly lng: number };

/** A box slightly larger than Romania; swapped coordinates cannot lie inside. */
const ROMANIA = { south: 43.5, north: 48.4, west: 20.1, east: 29.9 };

/** Whether the point lies in the box around Romania, which includes parts of its neighbours. */
export function isNearRomania({ lat, lng }: StationCoordinates): boolean {
  return lat >= ROMANIA.south && lat <= ROMANIA.north && lng >= ROMANIA.west && lng <= ROMANIA.east;
}

/**
 * The point as sent; swapped if only the swapped point is near Romania, which means that the source mixed up latitude
 * and longitude. `null` if it is not a valid point on Earth.
 */
export function readCoordinates(
  id: string,
  latitude: unknown,
  longitude: unknown,
  reject: ReportRejection,
): StationCoordinates | null {
  const point = validCoordinates(latitude, longitude);
  if (point === null) {
    const absent = (latitude ?? '') === '' && (longitude ?? '') === '';
    reject(
      absent ? 'no_coordinates' : 'bad_coordinates',
      sample(id, `${sampleText(latitude)}, ${sampleText(longitude)}`),
    );
    return null;
  }
  const swapped = { lat: point.lng, lng: point.lat };
  if (isNearRomania(point) || !isNearRomania(swapped)) return point;
  reject('swapped_coordinates', sample(id, `${point.lat}, ${point.lng}`));
  return swapped;
}

function sampleText(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'not a plain value' : String(value).slice(0, 40);
}
