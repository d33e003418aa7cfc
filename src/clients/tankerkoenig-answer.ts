/** Parses the answer of Tankerkönig's `list.php`. It is untrusted: every field is checked. */

import { type MilliPrice, toMilliPrice } from '../domain/fuel.ts';
import type { GermanStation } from '../domain/german-station.ts';
import { visibleText } from '../domain/visible-text.ts';
import type { JsonLimits } from '../json/json-limits.ts';
import { tryParseJsonBytes } from '../json/try-parse-json.ts';
import type { ReceivedResponse } from './http/response.ts';

export type GermanSearchResult =
  | {
      /** Nearest first. */
      readonly stations: readonly GermanStation[];
      /** Rows that could not be understood, by reason. */
      readonly dropped: Readonly<Record<string, number>>;
    }
  /** There is no answer: why, in one clause for the log. */
  | { readonly failed: string };

type TankerkoenigRow = Readonly<Record<string, unknown>>;

/** The densest area of 25 km in Germany has a few hundred. */
const MOST_STATIONS = 2_000;
/** Parsing more of them would delay other requests; a station has 16 members. */
const JSON_LIMITS: JsonLimits = { depth: 10, tokens: 50_000, members: 40_000 };

/** The stations of an answer, or why there are none. */
export function readTankerkoenig({ status, contentType, body }: ReceivedResponse): GermanSearchResult {
  if (status !== 200) return { failed: `it answered ${status}` };
  const reply = tryParseJsonBytes(body, JSON_LIMITS);
  if (!isRow(reply)) return { failed: `it answered ${contentType.slice(0, 60) || 'something'} that is no JSON object` };
  if (reply.ok !== true)
    return { failed: `it refused: ${typeof reply.message === 'string' ? reply.message : 'no reason'}` };
  if (!Array.isArray(reply.stations)) return { failed: 'its answer has no list of stations' };
  if (reply.stations.length > MOST_STATIONS) return { failed: 'its answer has more stations than there can be' };
  return readRows(reply.stations);
}

function readRows(rows: readonly unknown[]): GermanSearchResult {
  const stations: GermanStation[] = [];
  const dropped: Record<string, number> = {};
  for (const row of rows) {
    const read = isRow(row) ? readStation(row) : 'no_object';
    if (typeof read === 'string') dropped[read] = (dropped[read] ?? 0) + 1;
    else stations.push(read);
  }
  if (rows.length > 0 && stations.length === 0) {
    return { failed: `none of its ${rows.length} stations can be understood (${Object.keys(dropped).join(', ')})` };
  }
  stations.sort((a, b) => a.distanceKm - b.distanceKm);
  return { stations, dropped };
}

/** The station, or the reason why its row is dropped. */
function readStation(row: TankerkoenigRow): GermanStation | string {
  const texts = [row.name, row.brand, row.place, row.street, row.houseNumber].map(textOf);
  if (texts.includes(null)) return 'bad_text';
  const [name = '', brand = '', city = '', street = '', houseNumber = ''] = texts as string[];
  const postcode = postcodeOf(row.postCode);
  if (postcode === null) return 'bad_postcode';
  const { lat, lng, dist: distanceKm, isOpen: open } = row;
  if (!isWithin(lat, 90) || !isWithin(lng, 180)) return 'bad_coordinates';
  if (!isWithin(distanceKm, 1_000) || distanceKm < 0) return 'bad_distance';
  if (typeof open !== 'boolean') return 'bad_opening';
  const [e5, e10, diesel] = [priceOf(row.e5), priceOf(row.e10), priceOf(row.diesel)];
  if (e5 === undefined || e10 === undefined || diesel === undefined) return 'bad_price';
  const address = `${street} ${houseNumber}`.trim();
  return { name, brand, address, city, postcode, lat, lng, distanceKm, e5, e10, diesel, open };
}

/**
 * EUR a litre → thousandths. Rule 35: `false`, 0, `null` and absent are no price; `undefined` = not to be understood.
 */
function priceOf(sent: unknown): MilliPrice | null | undefined {
  if (sent === false || sent === null || sent === undefined || sent === 0) return null;
  return typeof sent === 'number' ? (toMilliPrice(sent) ?? undefined) : undefined;
}

const LONGEST_TEXT = 300;

/** Without hidden characters; '' if there is none, `null` if it is not a text or no usable one. */
function textOf(sent: unknown): string | null {
  if (sent === null || sent === undefined) return '';
  if (typeof sent !== 'string' || sent.length > LONGEST_TEXT) return null;
  return visibleText(sent.toWellFormed().replaceAll(/\p{Cc}+/gu, ' '));
}

/** A number has lost its leading zero (1067 is Dresden's 01067); a text has not. */
function postcodeOf(sent: unknown): number | null {
  const value = typeof sent === 'string' && /^\d{4,5}$/.test(sent.trim()) ? Number(sent) : sent;
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 99_999 ? value : null;
}

function isWithin(sent: unknown, most: number): sent is number {
  return typeof sent === 'number' && Math.abs(sent) <= most;
}

function isRow(sent: unknown): sent is TankerkoenigRow {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}
