/** A list in a page: rows and their cells by the map's CSS selectors. No script runs, nothing is fetched. */
import { type HTMLElement, parse } from 'node-html-parser';
import { splitSelector } from '../../domain/reports/price-list-map.ts';
import { SourceFailed } from '../source.ts';
import {
  asCell,
  type Cell,
  type ListTable,
  type PriceListColumn,
  requireColumns,
  requireRows,
  type WantedColumn,
} from './table.ts';

/** Reads the rows. Throws `SourceFailed` where nothing matches the selectors. */
export function readHtml(
  text: string,
  rows: string,
  wanted: readonly WantedColumn[],
  brandImplied: boolean,
): ListTable {
  const root = parse(text, { blockTextElements: { script: false, style: false, noscript: false } });
  const elements = querySafely(rows, 'rows', () => root.querySelectorAll(rows));
  if (elements.length === 0) {
    throw new SourceFailed(`the list is HTML or XML in which nothing matches "${rows}" ("rows" of PRICES_MAP)`);
  }
  requireRows(elements.length);
  // A page has no columns of our names: without the map there is none.
  const readers = wanted.map(({ from, column, mapped }) => (mapped ? cellReader(from, column) : () => null));
  const columns = wanted.map(({ column }) => column);
  const found = new Set<PriceListColumn>();
  const read: Cell[][] = [];
  for (const element of elements) {
    const cells = readers.map((cell) => cell(element));
    for (const [at, column] of columns.entries()) if (cells[at] !== null) found.add(column);
    // A row without any of the cells is a heading or a line between, not a bad row.
    if (cells.some((cell) => cell !== null)) read.push(cells);
  }
  requireColumns(wanted, found, { brandImplied, allPrices: false, names: [] });
  return { columns, found, rows: read, broken: [] };
}

function cellReader(from: string, column: string): (row: HTMLElement) => Cell {
  const { selector, attribute } = splitSelector(from);
  return (row) => {
    const element = selector === '' ? row : querySafely(selector, column, () => row.querySelector(selector));
    if (element === null) return null;
    return asCell((attribute === null ? element.textContent : element.getAttribute(attribute))?.trim());
  };
}

function querySafely<T>(selector: string, what: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new SourceFailed(`the list is HTML or XML, but "${selector}" for ${what} in PRICES_MAP is no CSS selector`);
  }
}
