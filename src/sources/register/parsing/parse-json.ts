/** The register's JSON body, checked for its shape only. */
import { tryParseJson } from '../../../json/try-parse-json.ts';
import { type FeedObject, isObject } from '../../feed/fields.ts';

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

/** Parses a JSON body: the GasItems envelope, the bare `[]` that some wrong parameters cause, or a wrong shape. */
export function parseJson(text: string): ParsedBody {
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
  const area = isObject(value.area) ? listField(value.area, 'Points') : null;
  return {
    kind: 'items',
    items: { stations, products, services: listField(value, 'services') ?? [], area: area ?? [] },
  };
}

function listField(row: FeedObject, name: string): readonly unknown[] | null {
  const value = row[name] ?? [];
  return Array.isArray(value) ? value : null;
}

export function wrongShape(why: string): ParsedBody {
  return { kind: 'wrong-shape', why };
}
