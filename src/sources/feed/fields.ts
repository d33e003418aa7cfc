/** Parsers of untrusted fields: each returns a clean value or `null`. */

import { visibleText } from '../../domain/visible-text.ts';
import { isObject } from '../../json/is-object.ts';

export type FeedObject = Readonly<Record<string, unknown>>;

const MAX_TEXT_LENGTH = 200;

/** The value as a row; an empty row if it is not an object. */
export function asObject(value: unknown): FeedObject {
  return isObject(value) ? value : {};
}

/**
 * Text without hidden characters and extra spaces, at most `longest` characters; `''` if there is none, or if a
 * character of it has excessive marks.
 */
export function cleanText(value: unknown, longest = MAX_TEXT_LENGTH): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const sent = String(value)
    .slice(0, 8 * longest)
    .toWellFormed()
    // A control character separates words: without it they would become one, which may mean something else.
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ');
  const text = (visibleText(sent) ?? '').replace(/ {2,}/g, ' ');
  // The cut must not leave half a surrogate pair.
  return text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

/** An identifier: clean text of at most 64 characters, else `null`. */
export function cleanId(value: unknown): string | null {
  const text = cleanText(value);
  return text !== '' && text.length <= 64 ? text : null;
}

/** A JSON number, or a string that is a plain decimal with a dot (XML knows only strings); else `null`. */
export function plainNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^-?\d{1,10}(\.\d{1,20})?$/.test(text) ? Number(text) : null;
}

/** A valid point on Earth; 0,0 means an unset field. */
export function validCoordinates(latitude: unknown, longitude: unknown): { lat: number; lng: number } | null {
  const lat = plainNumber(latitude);
  const lng = plainNumber(longitude);
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0))
    return null;
  return { lat, lng };
}
