/** A CSV list: a header line, then one row per line. */
import { parse } from 'csv-parse/sync';
import { plainSpelling } from '../../domain/reports/price-list-map.ts';
import { cleanText } from '../feed/fields.ts';
import { SourceFailed } from '../source.ts';
import {
  asCell,
  type Cell,
  type ListTable,
  MAX_ROWS,
  requireColumns,
  requireRows,
  type WantedColumn,
} from './list-table.ts';

const MAX_RECORD_LENGTH = 100_000;
/** Delimiters in Romanian files, the most likely last. */
const DELIMITERS = ['\t', ';', ','];

/** Parses the rows. Throws `SourceFailed` if the file is broken or lacks a column. */
export function readCsv(text: string, wanted: readonly WantedColumn[], brandImplied: boolean): ListTable {
  const [header = [], ...records] = parseCsv(withoutExcelsHint(text));
  const indexes = wanted.map(({ from }) => columnIndex(from, header));
  const columns = wanted.map(({ column }) => column);
  const found = new Set(columns.filter((_, at) => indexes[at] !== -1));
  requireColumns(wanted, found, { brandImplied, allPrices: true, names: header });
  requireRows(records.length);
  const rows: Cell[][] = [];
  const broken: { reason: string; sample: string }[] = [];
  for (const record of records) {
    if (record.length === header.length) rows.push(indexes.map((index) => asCell(record[index])));
    else broken.push({ reason: 'wrong_columns', sample: cleanText(record.slice(0, 12).join(' | ').slice(0, 400)) });
  }
  return { columns, found, rows, broken };
}

/** The column with exactly this name; else the only one that differs just in case, diacritics or spaces. -1 = none. */
function columnIndex(from: string, header: readonly string[]): number {
  const exact = header.flatMap((name, index) => (name === from ? [index] : []));
  const alike = header.flatMap((name, index) => (plainSpelling(name) === plainSpelling(from) ? [index] : []));
  const found = exact.length > 0 ? exact : alike;
  if (found.length > 1) throw new SourceFailed(`the list has the column "${cleanText(from)}" ${found.length} times`);
  return found[0] ?? -1;
}

function parseCsv(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: MAX_ROWS + 2,
      max_record_size: MAX_RECORD_LENGTH,
    }) as unknown as string[][];
  } catch (error) {
    throw new SourceFailed(`the CSV cannot be read: ${cleanText((error as Error).message)}`);
  }
}

/** The most frequent delimiter in the header line, outside quotes. */
function delimiterOf(text: string): string {
  const start = text.trimStart().slice(0, MAX_RECORD_LENGTH);
  const header = start.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  const times = (sign: string) => header.split(sign).length;
  return DELIMITERS.reduce((best, sign) => (times(sign) >= times(best) ? sign : best));
}

/** Drops Excel's optional first line, such as `sep=;`; the header line reveals the delimiter too. */
function withoutExcelsHint(text: string): string {
  return text.replace(/^\s*"?sep=[^\r\n]{1,3}(\r\n|\r|\n)/i, '');
}
