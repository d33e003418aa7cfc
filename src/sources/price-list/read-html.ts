/** A list in a page: the map's CSS selectors find rows and cells. It runs no scripts and fetches nothing. */
import { selectAll, selectOne } from 'css-select';
import { DomUtils } from 'htmlparser2';
import { splitSelector } from '../../domain/reports/price-list-map.ts';
import { cleanText } from '../feed/fields.ts';
import { type HtmlElement, type HtmlNode, parsePage } from '../feed/parse-html.ts';
import { SourceFailed } from '../source.ts';
import {
  asCell,
  type Cell,
  type ListTable,
  type PriceListColumn,
  requireColumns,
  requireRows,
  type WantedColumn,
} from './list-table.ts';

/**
 * The depth limit of browsers, and 25 times the elements of the largest list (20,000 rows). A tree of that many
 * elements takes some 200 MB, far from the memory limit of the worker: V8 may end the whole process there instead of
 * the worker.
 */
const HTML_LIMITS = { depth: 512, elements: 500_000 };

/** Parses the rows. Throws `SourceFailed` if nothing matches the selectors, a RangeError beyond the limits. */
export function readHtml(
  text: string,
  rows: string,
  wanted: readonly WantedColumn[],
  brandImplied: boolean,
): ListTable {
  const { root, unclosed } = parsePage(text, HTML_LIMITS);
  const elements = querySafely(rows, 'rows', () => selectAll<HtmlNode, HtmlElement>(rows, root, css()));
  if (elements.length === 0) {
    throw new SourceFailed(`the list is HTML or XML in which nothing matches "${rows}" ("rows" of PRICES_MAP)`);
  }
  requireRows(elements.length);
  // A page has no columns with our names: only mapped columns exist.
  const readers = wanted.map(({ from, column, mapped }) => (mapped ? cellReader(from, column) : () => null));
  const columns = wanted.map(({ column }) => column);
  const found = new Set<PriceListColumn>();
  const read: Cell[][] = [];
  for (const element of elements) {
    if (unclosed.has(element)) continue;
    const cells = readers.map((cell) => cell(element));
    for (const [at, column] of columns.entries()) if (cells[at] !== null) found.add(column);
    // A row without any of the cells is a heading or a separator, not a bad row.
    if (cells.some((cell) => cell !== null)) read.push(cells);
  }
  requireColumns(wanted, found, { brandImplied, allPrices: false, names: [] });
  return { columns, found, rows: read, broken: elements.filter((element) => unclosed.has(element)).map(cutRow) };
}

/** A row that is open at the end of the page may have been cut in the middle of a price. */
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

/** The attribute's value, ignoring the case of its name; `undefined` if there is none. */
function attributeOf({ attribs }: HtmlElement, name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(attribs, key) ? attribs[key] : undefined;
}

/** Selector options that also suit XML: attribute values match exactly, and templates are content. */
function css() {
  return { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true };
}

function querySafely<T>(selector: string, what: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new SourceFailed(
      `the list is HTML or XML, but "${selector}" for ${what} in PRICES_MAP is not a CSS selector`,
    );
  }
}
