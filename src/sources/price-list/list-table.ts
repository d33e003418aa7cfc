/** A price list as rows of cells under our columns, with the values as the network wrote them. */
import type { Fuel } from '../../domain/fuel.ts';
import { LIST_COLUMNS, type ListColumn, type PriceListMap } from '../../domain/reports/price-list-map.ts';
import { cleanText } from '../feed/fields.ts';
import { SourceFailed } from '../source.ts';

/** One of our columns; those with a fuel are the prices of a wide list. */
export type PriceListColumn = ListColumn | `price:${Fuel}`;

/** A cell as sent; `null` = absent or empty, `true` = neither text nor number. */
export type Cell = string | number | true | null;

export type ListTable = {
  /** The columns searched for, in the order of the cells. */
  readonly columns: readonly PriceListColumn[];
  /** The columns that the list has. */
  readonly found: ReadonlySet<PriceListColumn>;
  readonly rows: readonly (readonly Cell[])[];
  /** Elements that are not valid rows, and why. */
  readonly broken: readonly { readonly reason: string; readonly sample: string }[];
};

/** A column to search for, with its name in the list. */
export type WantedColumn = { readonly column: PriceListColumn; readonly from: string; readonly mapped: boolean };

export const MAX_ROWS = 200_000;
const MAX_CELL_LENGTH = 1_000;
const MAX_NAMES_LISTED = 30;

/** The columns to search for: mapped ones under the list's names, the others under ours. */
export function wantedColumns(map: PriceListMap | null): WantedColumn[] {
  const wide = [...(map?.prices ?? [])].map(
    ([fuel, from]): WantedColumn => ({ column: `price:${fuel}`, from, mapped: true }),
  );
  const plain = LIST_COLUMNS.filter((column) => wide.length === 0 || (column !== 'fuel' && column !== 'price'));
  const plainColumns = plain.flatMap((column): WantedColumn[] => {
    const source = map?.columns.get(column);
    if (source === undefined) return [{ column, from: column, mapped: false }];
    return 'from' in source ? [{ column, from: source.from, mapped: true }] : [];
  });
  return [...plainColumns, ...wide];
}

/**
 * Throws `SourceFailed` unless the list has brand, fuel and price, and each column that the map names. With
 * `allPrices` false, one price column of a wide list is enough. `names` are the list's own columns, for the message.
 */
export function requireColumns(
  wanted: readonly WantedColumn[],
  found: ReadonlySet<PriceListColumn>,
  list: { readonly brandImplied: boolean; readonly allPrices: boolean; readonly names: readonly string[] },
): void {
  const excused = !list.allPrices && wanted.some(({ column }) => isWide(column) && found.has(column));
  const missing = wanted.filter(({ column, mapped }) => {
    if (found.has(column) || (excused && isWide(column))) return false;
    return mapped || column === 'fuel' || column === 'price' || (column === 'brand' && !list.brandImplied);
  });
  if (missing.length === 0) return;
  const missingText = missing.map(({ column, from, mapped }) => (mapped ? `"${from}" (${column})` : column)).join(', ');
  const names = list.names.slice(0, MAX_NAMES_LISTED).map((name) => cleanText(name).slice(0, 40) || '""');
  throw new SourceFailed(`the list has no ${missingText}${names.length > 0 ? `; it has ${names.join(', ')}` : ''}`);
}

/** Throws `SourceFailed` if there are no rows, or too many for a price list. */
export function requireRows(rows: number): void {
  if (rows === 0) throw new SourceFailed('the list has no rows');
  if (rows > MAX_ROWS) throw new SourceFailed(`the list has more than ${MAX_ROWS} rows`);
}

function isWide(column: PriceListColumn): boolean {
  return column.startsWith('price:');
}

/** Converts any value to a cell. */
export function asCell(value: unknown): Cell {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value.slice(0, MAX_CELL_LENGTH);
  return typeof value === 'number' ? value : true;
}
