/** Parses the line of a route from a routing engine: an encoded polyline or GeoJSON. It rejects implausible lines. */

import { distanceKm, type Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import type { InvalidAnswer } from './routing-engine.ts';

/** A route across Romania on its smallest roads has about a quarter of these. */
const MAX_POINTS = 100_000;
/** How far a place may be from every road (the same as for the built-in roads). */
const MAX_END_DISTANCE_KM = 30;
/** Five bits a letter: 180 degrees to 6 digits need fewer than 7 letters. */
const MAX_LETTERS = 7;

/** A line, or why there is none, in a clause. */
type LineOrReason = Polyline | InvalidAnswer;

/**
 * Reads the line of a route between two places: GeoJSON, or a polyline of 6 or 5 digits, whichever starts and ends
 * within 30 km of the places. Accepts 2 to 100,000 points, all of them on the earth.
 */
export function readLine(geometry: unknown, from: Point, to: Point): LineOrReason {
  if (typeof geometry !== 'string') return checkEnds(geoJsonLine(geometry), from, to);
  const fine = checkEnds(decodePolyline(geometry, 6), from, to);
  if (!('invalid' in fine)) return fine;
  const coarse = checkEnds(decodePolyline(geometry, 5), from, to);
  return 'invalid' in coarse ? fine : coarse;
}

/** Joins several lines, the legs of one route. */
export function joinPolylines(shapes: readonly unknown[], from: Point, to: Point): LineOrReason {
  const line: Polyline[number][] = [];
  for (const shape of shapes) {
    const leg = typeof shape === 'string' ? decodePolyline(shape, 6) : null;
    if (leg === null || line.length + leg.length > MAX_POINTS) return checkEnds(null, from, to);
    for (const point of leg) line.push(point);
  }
  return checkEnds(line.length >= 2 ? line : null, from, to);
}

function checkEnds(line: Polyline | null, from: Point, to: Point): LineOrReason {
  if (line === null) return { invalid: 'its line cannot be read' };
  if (isNear(line[0], from) && isNear(line.at(-1), to)) return line;
  return { invalid: 'its line does not lead between the places asked for' };
}

function isNear(end: Polyline[number] | undefined, place: Point): boolean {
  return end !== undefined && distanceKm({ lat: end[0], lng: end[1] }, place) <= MAX_END_DISTANCE_KM;
}

/** Parses a LineString: longitude first, a height may follow. */
function geoJsonLine(geometry: unknown): Polyline | null {
  const { type, coordinates } = Object(geometry) as { type?: unknown; coordinates?: unknown };
  if (type !== 'LineString' || !Array.isArray(coordinates)) return null;
  if (coordinates.length < 2 || coordinates.length > MAX_POINTS) return null;
  const line = coordinates.map((position: unknown) =>
    Array.isArray(position) ? pointOf(position[1], position[0]) : null,
  );
  return line.every((point) => point !== null) ? line : null;
}

/** Google's encoded polyline: alternating differences of latitude and longitude, with `digits` decimals. */
function decodePolyline(text: string, digits: number): Polyline | null {
  const line: Polyline[number][] = [];
  const scale = 10 ** digits;
  const sums = { lat: 0, lng: 0 };
  let at = 0;
  while (at < text.length) {
    for (const axis of ['lat', 'lng'] as const) {
      const length = numberLength(text, at);
      if (length === 0) return null;
      sums[axis] += numberAt(text, at, length);
      at += length;
    }
    const point = pointOf(sums.lat / scale, sums.lng / scale);
    if (!point || line.push(point) > MAX_POINTS) return null;
  }
  return line.length < 2 ? null : line;
}

/** How many letters the number takes; 0 = it is cut off, too long, or not made of the letters `?` to `~`. */
function numberLength(text: string, start: number): number {
  for (let length = 1; length <= MAX_LETTERS; length += 1) {
    const bits = text.charCodeAt(start + length - 1) - 63;
    if (!(bits >= 0 && bits < 64)) return 0;
    if (bits < 32) return length;
  }
  return 0;
}

function numberAt(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start + length - 1; at >= start; at -= 1) value = value * 32 + ((text.charCodeAt(at) - 63) % 32);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function pointOf(lat: unknown, lng: unknown): Polyline[number] | null {
  if (typeof lat !== 'number' || typeof lng !== 'number') return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? [lat, lng] : null;
}
