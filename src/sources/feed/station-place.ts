/** Where a station of a feed is, and whether that is in Romania. */
import { earthly } from './fields.ts';
import { type Refuse, sample } from './station-feed.ts';

type Point = { readonly lat: number; readonly lng: number };

/** A little more than Romania; what is turned round cannot be inside. */
const ROMANIA = { south: 43.5, north: 48.4, west: 20.1, east: 29.9 };

/** Whether the point lies within the box around Romania. Neighbours reach into it. */
export function nearRomania({ lat, lng }: Point): boolean {
  return lat >= ROMANIA.south && lat <= ROMANIA.north && lng >= ROMANIA.west && lng <= ROMANIA.east;
}

/**
 * The point as sent; turned round where latitude and longitude were mixed up, which only the turned point being near
 * Romania can mean. `null` when there is none on Earth.
 */
export function readPlace(id: string, latitude: unknown, longitude: unknown, refuse: Refuse): Point | null {
  const point = earthly(latitude, longitude);
  if (point === null) {
    const absent = (latitude ?? '') === '' && (longitude ?? '') === '';
    refuse(absent ? 'no_coordinates' : 'bad_coordinates', sample(id, `${words(latitude)}, ${words(longitude)}`));
    return null;
  }
  const turned = { lat: point.lng, lng: point.lat };
  if (nearRomania(point) || !nearRomania(turned)) return point;
  refuse('swapped_coordinates', sample(id, `${point.lat}, ${point.lng}`));
  return turned;
}

function words(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'no plain value' : String(value).slice(0, 40);
}
