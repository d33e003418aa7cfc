/** A list in a page: rows and their cells by the map's CSS selectors. No script runs, nothing is fetched. */
import { selectAll, selectOne } from 'css-select';
import { DomUtils } from 'htmlparser2';
import { splitSelector } from '../../domain/reports/price-list-map.ts';
import { cleanText } from '../feed/fields.ts';
import { type HtmlElement, type HtmlNode, parsePage } from '../feed/html.ts';
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

/** Browsers build no page deeper than this. How large a page may be, time and memory of the worker decide. */
const LIMITS = { depth: 512, elements: Number.POSITIVE_INFINITY };

/** Reads the rows. Throws `SourceFailed` where nothing matches the selectors, a RangeError beyond the limits. */
export function readHtml(
  text: string,
  rows: string,
  wanted: readonly WantedColumn[],
  brandImplied: boolean,
): ListTable {
  const { root, unclosed } = parsePage(text, LIMITS);
  const elements = querySafely(rows, 'rows', () => selectAll<HtmlNode, HtmlElement>(rows, root, css()));
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
    if (unclosed.has(element)) continue;
    const cells = readers.map((cell) => cell(element));
    for (const [at, column] of columns.entries()) if (cells[at] !== null) found.add(column);
    // A row without any of the cells is a heading or a line between, not a bad row.
    if (cells.some((cell) => cell !== null)) read.push(cells);
  }
  requireColumns(wanted, found, { brandImplied, allPrices: false, names: [] });
  return { columns, found, rows: read, broken: elements.filter((element) => unclosed.has(element)).map(cutRow) };
}

/** A row that the page ends in may have been cut in the middle of a price. */
function cutRow(row: HtmlElement): { reason: string; sample: string } {
  return { reason: 'wrong_columns', sample: cleanText(DomUtils.textContent(row).slice(0, 400)) };
}

function cellReader(from: string, column: string): (row: HtmlElement) => Cell {
  const { selector, attribute } = splitSelector(from);
  return (row) => {
    const element =
      selector === ''
        ? row
        : querySafely(selector, column, () => selectOne<HtmlNode, HtmlElement>(selector, row, css()));
    if (element === null) return null;
    return asCell((attribute === null ? DomUtils.textContent(element) : attributeOf(element, attribute))?.trim());
  };
}

/** By a name in any case; `undefined` where the element has no such attribute. */
function attributeOf({ attribs }: HtmlElement, name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(attribs, key) ? attribs[key] : undefined;
}

/** As `compile` takes them in PRICES_MAP, but XML too: attributes match exactly, and templates are content. */
function css() {
  return { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true };
}

function querySafely<T>(selector: string, what: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new SourceFailed(`the list is HTML or XML, but "${selector}" for ${what} in PRICES_MAP is no CSS selector`);
  }
}
