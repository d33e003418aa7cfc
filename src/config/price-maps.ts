/** `PRICES_MAP`: how to read the operator's price lists, by their names. */

import { createRequire } from 'node:module';
import type { Fuel } from '../domain/fuel.ts';
import { FUEL_CODES, fuelOfCode } from '../domain/fuel-codes.ts';
import {
  type ColumnSource,
  LIST_COLUMNS,
  type ListColumn,
  type PriceListMap,
  plainSpelling,
  splitSelector,
} from '../domain/reports/price-list-map.ts';
import { networkOf } from '../domain/stations/network.ts';
import { readJsonFile } from './json-file.ts';
import { BadValue } from './parse.ts';

/** Loaded for the first selector: every command reads settings, and it takes 20 ms. */
const selectors = (): typeof import('css-select') => createRequire(import.meta.url)('css-select');

const EXAMPLE =
  '{"socar": {"columns": {"price": "Pret"}, "fuels": {"Nano 95": "benzina_standard"}, "rows": "data.items"}}';
const MEMBERS = ['columns', 'fuels', 'rows'];
/** A column of a wide list: the prices of one fuel. */
const WIDE_COLUMN_PREFIX = 'price:';
const MAX_TEXT_LENGTH = 200;
/** Characters that are common in selectors but not in JSON names. */
const SELECTOR_SIGNS = /[#>[\]:*+~@,"'=|^]/;

/**
 * The maps of a file, by the NAME of `prices:NAME`. A relative path starts at `folder`; `null` = no maps. A NAME may
 * be that of a list that is not in service. Throws `BadValue`.
 */
export function readPriceMaps(file: string | null, folder: string): ReadonlyMap<string, PriceListMap> {
  if (file === null) return new Map();
  const { name, value } = readJsonFile(file, folder, EXAMPLE);
  const entries = membersOf(value);
  if (entries === null) throw new BadValue(`must point to an object such as ${EXAMPLE}; ${name} is not one`);
  return new Map(entries.map(([list, map]) => [list, parsePriceMap(map, `for ${quoted(list)} in ${name}`)]));
}

/** Parses one map; `where` names its list and file in messages. */
export function parsePriceMap(value: unknown, where: string): PriceListMap {
  const members = membersOf(value);
  if (members === null) throw new BadValue(`needs an object with "columns", "fuels" and "rows" ${where}`);
  const unknownMember = members.find(([name]) => !MEMBERS.includes(name))?.[0];
  if (unknownMember !== undefined) {
    throw new BadValue(`accepts "columns", "fuels" and "rows", not ${quoted(unknownMember)}, ${where}`);
  }
  const member = (name: string) => members.find(([own]) => own === name)?.[1];
  const columns = texts(member('columns'), 'columns', '{"price": "Pret"}', where);
  const map = {
    columns: new Map(columns.flatMap(([ours, theirs]) => plainColumn(ours, theirs, where))),
    prices: new Map(columns.flatMap(([ours, theirs]) => wideColumn(ours, theirs, where))),
    fuels: fuelWords(texts(member('fuels'), 'fuels', '{"Nano 95": "benzina_standard"}', where), where),
    rows: parseRowsPath(member('rows'), where),
  };
  refuseMixedColumns(map, where);
  if (map.rows !== null) refuseBadSelectors(map.rows, map, where);
  return map;
}

/** The members of an object whose values are non-empty texts; absent = none. */
function texts(value: unknown, name: string, example: string, where: string): [string, string][] {
  const members = value === undefined ? [] : membersOf(value);
  if (members === null) throw new BadValue(`needs "${name}" to be an object such as ${example} ${where}`);
  return members.map(([key, text]) => {
    if (typeof text === 'string' && text.trim() !== '' && text.length <= MAX_TEXT_LENGTH) return [key, text.trim()];
    throw new BadValue(`needs a text of 1 to ${MAX_TEXT_LENGTH} characters for ${quoted(key)} of "${name}" ${where}`);
  });
}

function plainColumn(ours: string, theirs: string, where: string): [ListColumn, ColumnSource][] {
  if (ours.startsWith(WIDE_COLUMN_PREFIX)) return [];
  const column = LIST_COLUMNS.find((name) => name === ours);
  if (column === undefined) {
    const known = `${LIST_COLUMNS.join(', ')}, and ${WIDE_COLUMN_PREFIX} with a fuel`;
    throw new BadValue(`does not accept the column ${quoted(ours)}; the columns are ${known}, ${where}`);
  }
  if (!theirs.startsWith('=')) return [[column, { from: theirs }]];
  const always = theirs.slice(1).trim();
  refuseBadConstant(column, always, where);
  return [[column, { always }]];
}

function refuseBadConstant(column: ListColumn, always: string, where: string): void {
  if (always === '') throw new BadValue(`needs a text after "=" for ${quoted(column)} of "columns" ${where}`);
  if (!['brand', 'fuel', 'city', 'county'].includes(column)) {
    throw new BadValue(`takes "=" for brand, fuel, city and county, not for ${quoted(column)}, ${where}`);
  }
  if (column === 'brand' && networkOf(always) === null) {
    throw new BadValue(`needs a letter or a digit in the brand ${quoted(always)} ${where}`);
  }
  if (column === 'fuel') parseFuel(always, 'after "="', where);
}

function wideColumn(ours: string, theirs: string, where: string): [Fuel, string][] {
  if (!ours.startsWith(WIDE_COLUMN_PREFIX)) return [];
  if (theirs.startsWith('=')) throw new BadValue(`takes no "=" for ${quoted(ours)}, ${where}`);
  return [[parseFuel(ours.slice(WIDE_COLUMN_PREFIX.length), `after "${WIDE_COLUMN_PREFIX}"`, where), theirs]];
}

function fuelWords(words: [string, string][], where: string): ReadonlyMap<string, Fuel> {
  const fuels = new Map<string, Fuel>();
  for (const [theirs, ours] of words) {
    const word = plainSpelling(theirs);
    if (word === '') throw new BadValue(`needs the name in the list for ${quoted(ours)} of "fuels" ${where}`);
    if (fuels.has(word)) {
      throw new BadValue(
        `names ${quoted(theirs)} of "fuels" twice (case, diacritics and spaces do not count) ${where}`,
      );
    }
    fuels.set(word, parseFuel(ours, `for ${quoted(theirs)} of "fuels"`, where));
  }
  return fuels;
}

function parseFuel(word: string, place: string, where: string): Fuel {
  const fuel = fuelOfCode(word);
  if (fuel !== undefined) return fuel;
  throw new BadValue(`needs one of ${FUEL_CODES.join(', ')} ${place}, not ${quoted(word)}, ${where}`);
}

function parseRowsPath(value: unknown, where: string): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT_LENGTH) return value.trim();
  throw new BadValue(`needs "rows" to be a path such as "data.items" or a CSS selector such as "table tr" ${where}`);
}

function refuseMixedColumns({ columns, prices }: PriceListMap, where: string): void {
  const both = (['price', 'fuel'] as const).find((name) => columns.has(name));
  if (prices.size > 0 && both !== undefined) {
    throw new BadValue(`takes either "price" and "fuel" or "${WIDE_COLUMN_PREFIX}" columns, not both, ${where}`);
  }
}

/** `rows` alone does not distinguish JSON from HTML: if one text cannot be a JSON path, all must be selectors. */
function refuseBadSelectors(rows: string, { columns, prices }: PriceListMap, where: string): void {
  const named = [...columns].flatMap(([ours, source]) => ('from' in source ? [[ours as string, source.from]] : []));
  const wide = [...prices.values()].map((theirs) => ['price', theirs]);
  const all = [...named, ...wide] as [string, string][];
  if (![rows, ...all.map(([, theirs]) => theirs)].some((text) => SELECTOR_SIGNS.test(text))) return;
  if (!isSelector(rows)) throw new BadValue(`needs "rows" to be a CSS selector, not ${quoted(rows)}, ${where}`);
  for (const [ours, theirs] of all) {
    const { selector, attribute } = splitSelector(theirs);
    if (selector === '' ? attribute !== null : isSelector(selector)) continue;
    throw new BadValue(`needs a CSS selector for ${quoted(ours)} of "columns", not ${quoted(theirs)}, ${where}`);
  }
}

function isSelector(text: string): boolean {
  try {
    selectors().compile(text);
    return true;
  } catch {
    return false;
  }
}

/** The members of an object as written, with `__proto__` as an ordinary name; `null` = not an object. */
function membersOf(value: unknown): [string, unknown][] | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
