/**
 * Web Mercator. Maps are drawn in whole units of half a pixel of the world at a zoom, so that neighbouring tiles agree
 * to the last digit.
 */
import type { Box } from '../../algorithms/clip-ring.ts';
import type { Point } from '../../domain/point.ts';

/** Zooms as Leaflet and OpenStreetMap count them: the world is 256 · 2^zoom px wide. */
export const MIN_ZOOM = 6;
export const MAX_ZOOM = 14;
export const UNITS_PER_PIXEL = 2;

const TILE_PX = 256;
const RADIANS = Math.PI / 180;

/** What a map shows: a rectangle of the world at a zoom, in units. */
export type Viewport = Box & { readonly zoom: number };

/** x and y on the square world, 0 to 1 from its north-western corner. */
export function worldShare({ lat, lng }: Point): { x: number; y: number } {
  const sin = Math.sin(lat * RADIANS);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI) };
}

/** The place of a point on the world at a zoom, units, not rounded. */
export function toUnits(point: Point, zoom: number): { x: number; y: number } {
  const { x, y } = worldShare(point);
  return { x: x * worldUnits(zoom), y: y * worldUnits(zoom) };
}

/** The point at a place on the world. */
export function fromUnits({ x, y }: { readonly x: number; readonly y: number }, zoom: number): Point {
  const lat = Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldUnits(zoom)))) / RADIANS;
  return { lat, lng: (x / worldUnits(zoom) - 0.5) * 360 };
}

/** Width of the world at a zoom, units. */
export function worldUnits(zoom: number): number {
  return TILE_PX * 2 ** zoom * UNITS_PER_PIXEL;
}

/** Units that 1 km is long on the map at a latitude. */
export function unitsPerKm(lat: number, zoom: number): number {
  return worldUnits(zoom) / (EQUATOR_KM * Math.cos(lat * RADIANS));
}

/** Of the sphere that Web Mercator takes the earth for. */
const EQUATOR_KM = 40_075.017;
