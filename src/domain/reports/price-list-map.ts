/** How an operator's price list is to be read where it does not speak our words: one entry of `PRICES_MAP`. */
import type { Fuel } from '../fuel.ts';
import { asciiName } from '../places/place-names.ts';

/** The columns of a price list. The first three must be there, the others may be absent or empty. */
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

/** What a column is filled with: their name, path or selector of it, or the same words in every row. */
export type ColumnSource = { readonly from: string } | { readonly always: string };

export type PriceListMap = {
  readonly columns: ReadonlyMap<ListColumn, ColumnSource>;
  /** Wide lists, with one column a fuel: their name of each; empty = the columns `fuel` and `price` are used. */
  readonly prices: ReadonlyMap<Fuel, string>;
  /** Their words for fuels, as `plainSpelling` gives them. */
  readonly fuels: ReadonlyMap<string, Fuel>;
  /** Where the rows are: a dotted path in JSON, a CSS selector in HTML. */
  readonly rows: string | null;
};

/** A word as it is compared: without case, diacritics and spacing; signs stay, since `95` and `95+` are two fuels. */
export function plainSpelling(text: string): string {
  return asciiName(text).toLowerCase().replace(/\s+/g, '');
}

/**
 * A column of an HTML row: `selector@attribute`, where either may be missing. Without a selector it is the row's own
 * attribute, without an attribute the text.
 */
export function splitSelector(text: string): { readonly selector: string; readonly attribute: string | null } {
  const [, selector = text, attribute = null] = /^(.*)@([a-z][a-z0-9_:-]*)$/i.exec(text.trim()) ?? [];
  return { selector: selector.trim(), attribute };
}
