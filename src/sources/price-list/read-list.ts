/** Parses the body of a price list in any format. It may take arbitrarily long: see `readInWorker`. */
import type { PriceListMap } from '../../domain/reports/price-list-map.ts';
import { cleanText } from '../feed/fields.ts';
import { TooManyElements } from '../feed/parse-html.ts';
import { SourceFailed } from '../source.ts';
import { type ListTable, wantedColumns } from './list-table.ts';
import { formatOf, type ListFormat, listText } from './list-text.ts';
import { readCsv } from './read-csv.ts';
import { readHtml } from './read-html.ts';
import { readJson } from './read-json.ts';

export type ListReadRequest = {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly map: PriceListMap | null;
  /** Whether rows may omit the brand. */
  readonly brandImplied: boolean;
};

/** Parses the rows of a list. Throws `SourceFailed`, with one sentence, if it cannot be read. */
export function readList({ body, contentType, map, brandImplied }: ListReadRequest): ListTable {
  const text = listText(body);
  const format = formatOf(text, contentType);
  const rows = map?.rows ?? null;
  const wanted = wantedColumns(map);
  try {
    if (format === 'json') return readJson(text, rows, wanted, brandImplied);
    if (format === 'csv' && rows === null) return readCsv(text, wanted, brandImplied);
    if (format === 'html' && rows !== null) return readHtml(text, rows, wanted, brandImplied);
  } catch (error) {
    if (error instanceof TooManyElements)
      throw new SourceFailed(`the list has more than ${error.limit} elements: it cannot be read`);
    if (error instanceof RangeError) throw new SourceFailed('the list is nested too deeply to be read');
    throw error;
  }
  throw new SourceFailed(unexpectedFormat(format, text));
}

function unexpectedFormat(format: ListFormat, text: string): string {
  if (format === 'html') {
    return 'the list is HTML or XML, but CSV or JSON is expected; set "rows" and "columns" of PRICES_MAP to read a page';
  }
  const start = cleanText(text.trimStart().slice(0, 60));
  return `the list must be JSON or HTML for "rows" of PRICES_MAP, but it begins with "${start}"`;
}
