/** The register's JSON body, checked for its shape only. */

import { isObject } from '../../../json/is-object.ts';
import { type JsonLimits, jsonExcess } from '../../../json/json-limits.ts';
import { tryParseJson } from '../../../json/try-parse-json.ts';
import type { FeedObject } from '../../feed/fields.ts';

/** The rows of one answer, as sent. `area` holds the points of the searched area, if given. */
export type RegisterItems = {
  readonly stations: readonly unknown[];
  readonly products: readonly unknown[];
  readonly services: readonly unknown[];
  readonly area: readonly unknown[];
};

export type ParsedBody =
  | { readonly kind: 'items'; readonly items: RegisterItems }
  | { readonly kind: 'empty-list' }
  | { readonly kind: 'wrong-shape'; readonly why: string };

/** 50 stations with all that belongs to them have a depth of 5, 12,000 tokens and 9,000 members at the most. */
export const REGISTER_JSON_LIMITS: JsonLimits = { depth: 20, tokens: 60_000, members: 30_000 };
/** Why an answer that would cost too much to parse is refused. */
export const TOO_MUCH_STRUCTURE = 'the body has more structure than any answer of the register';
/** Of each list; ten times what all stations of the largest unit would have. */
const MAX_ROWS = 2_000;

/** Parses a JSON body: the GasItems envelope, the bare `[]` that some wrong parameters cause, or a wrong shape. */
export function parseJson(text: string): ParsedBody {
  if (jsonExcess(text, REGISTER_JSON_LIMITS) !== null) return wrongShape(TOO_MUCH_STRUCTURE);
  const value = tryParseJson(text);
  if (value === undefined) return wrongShape(`the body is not JSON: ${text.slice(0, 80)}`);
  return parseEnvelope(value);
}

/** The shape that JSON and XML share: lists may be absent, but Stations or Products must be there. */
export function parseEnvelope(value: unknown): ParsedBody {
  if (Array.isArray(value) && value.length === 0) return { kind: 'empty-list' };
  if (!isObject(value)) return wrongShape('the body is not an object');
  if (!('Stations' in value) && !('Products' in value)) {
    return wrongShape(`no Stations and no Products, but ${Object.keys(value).slice(0, 8).join(', ') || 'nothing'}`);
  }
  const stations = listField(value, 'Stations');
  const products = listField(value, 'Products');
  if (!stations || !products) return wrongShape(`${stations ? 'Products' : 'Stations'} is not a list`);
  const services = listField(value, 'services') ?? [];
  if (Math.max(stations.length, products.length, services.length) > MAX_ROWS) {
    return wrongShape(`a list of more than ${MAX_ROWS} rows`);
  }
  const area = isObject(value.area) ? listField(value.area, 'Points') : null;
  return {
    kind: 'items',
    items: { stations, products, services, area: area ?? [] },
  };
}

function listField(row: FeedObject, name: string): readonly unknown[] | null {
  const value = row[name] ?? [];
  return Array.isArray(value) ? value : null;
}

export function wrongShape(why: string): ParsedBody {
  return { kind: 'wrong-shape', why };
}
