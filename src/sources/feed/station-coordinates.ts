/** Where a station of a feed is, and whether that is in Romania. */
import { validCoordinates } from './fields.ts';
import { type OnRejection, sample } from './station-feed.ts';

type StationCoordinates = { readonly lat: number; readonly lng: number };

/** A little more than Romania; what is turned round cannot be inside. */
const ROMANIA = { south: 43.5, north: 48.4, west: 20.1, east: 29.9 };

/** Whether the point lies within the box around Romania. Neighbours reach into it. */
export function isNearRomania({ lat, lng }: StationCoordinates): boolean {
  return lat >= ROMANIA.south && lat <= ROMANIA.north && lng >= ROMANIA.west && lng <= ROMANIA.east;
}

/**
 * The point as sent; turned round where latitude and longitude were mixed up, which only the turned point being near
 * Romania can mean. `null` when there is none on Earth.
 */
export function readCoordinates(
  id: string,
  latitude: unknown,
  longitude: unknown,
  refuse: OnRejection,
): StationCoordinates | null {
  const point = validCoordinates(latitude, longitude);
  if (point === null) {
    const absent = (latitude ?? '') === '' && (longitude ?? '') === '';
    refuse(
      absent ? 'no_coordinates' : 'bad_coordinates',
      sample(id, `${sampleText(latitude)}, ${sampleText(longitude)}`),
    );
    return null;
  }
  const swapped = { lat: point.lng, lng: point.lat };
  if (isNearRomania(point) || !isNearRomania(swapped)) return point;
  refuse('swapped_coordinates', sample(id, `${point.lat}, ${point.lng}`));
  return swapped;
}

function sampleText(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'no plain value' : String(value).slice(0, 40);
}
