/** How to read an operator's price list that uses its own column and fuel names: one entry of `PRICES_MAP`. */
import type { Fuel } from '../fuel.ts';
import { asciiName } from '../places/place-names.ts';

/** The columns of a price list. The first three are required, the others may be absent or empty. */
export const LIST_COLUMNS = [
  'brand',
  'fuel',
  'price',
  'station',
  'observed_at',
  'name',
  'address',
  'city',
  'county',
  'lat',
  'lng',
] as const;
export type ListColumn = (typeof LIST_COLUMNS)[number];

/** Where a column's value comes from: the list's own column name, path or selector, or the same text in every row. */
export type ColumnSource = { readonly from: string } | { readonly always: string };

export type PriceListMap = {
  readonly columns: ReadonlyMap<ListColumn, ColumnSource>;
  /** The price column of each fuel in a wide list; empty = the list has the columns `fuel` and `price`. */
  readonly prices: ReadonlyMap<Fuel, string>;
  /** The list's own names of fuels, in the form of `plainSpelling`. */
  readonly fuels: ReadonlyMap<string, Fuel>;
  /** Where to find the rows: a dotted path in JSON, a CSS selector in HTML. */
  readonly rows: string | null;
};

/**
 * A word in the form used for comparison: without case, diacritics and spaces. Signs stay, since `95` and `95+` differ.
 */
export function plainSpelling(text: string): string {
  return asciiName(text).toLowerCase().replace(/\s+/g, '');
}

/**
 * Splits a column of an HTML row, `selector@attribute`; either part is optional. Without a selector it is the row's
 * own attribute, without an attribute the text.
 */
export function splitSelector(text: string): { readonly selector: string; readonly attribute: string | null } {
  const [, selector = text, attribute = null] = /^(.*)@([a-z][a-z0-9_:-]*)$/i.exec(text.trim()) ?? [];
  return { selector: selector.trim(), attribute };
}
