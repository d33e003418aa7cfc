/** A table as CSV (RFC 4180): UTF-8, a point as the decimal mark, empty cells where nothing is known. */
import { csvCell } from '../../domain/csv-cell.ts';
import { utcInstant } from '../../domain/days.ts';
import type { Cell, ColumnType, Table } from '../table.ts';

/** The line with the names of the columns. */
export function csvHeader({ columns }: Table<never>): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}

/** The header and a line for each row, made when it is read. */
export function* csvTable<Row>(table: Table<Row>, rows: Iterable<Row>): Generator<string, void, void> {
  yield csvHeader(table);
  yield* csvLinesOf(table, rows);
}

/** A line for each row, made when it is read. */
export function* csvLinesOf<Row>({ columns }: Table<Row>, rows: Iterable<Row>): Generator<string, void, void> {
  const cellText = cellTexts();
  for (const row of rows) yield `${columns.map(({ type, cellOf }) => cellText(type, cellOf(row))).join(',')}\r\n`;
}

/** Rows that follow one another often share an instant, whose text costs more than the rest of the row. */
function cellTexts(): (type: ColumnType, value: Cell) => string {
  let last = { at: Number.NaN, text: '' };
  return (type, value) => {
    if (type !== 'datetime' || typeof value !== 'number') return csvCell(value);
    if (value !== last.at) last = { at: value, text: utcInstant(value) };
    return last.text;
  };
}
