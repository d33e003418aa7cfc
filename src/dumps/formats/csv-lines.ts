/** A table as CSV (RFC 4180): UTF-8, a point as the decimal mark, empty cells where nothing is known. */
import { csvCell } from '../../domain/csv-cell.ts';
import { utcInstant } from '../../domain/days.ts';
import type { Cell, ColumnType, Table } from '../table.ts';

/** The line with the names of the columns. */
export function csvHeader({ columns }: Table<never>): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`;
}

/** A line for each row, made when it is read. */
export function* csvLinesOf<Row>({ columns }: Table<Row>, rows: Iterable<Row>): Generator<string, void, void> {
  for (const row of rows) yield `${columns.map(({ type, cellOf }) => cellText(type, cellOf(row))).join(',')}\r\n`;
}

function cellText(type: ColumnType, value: Cell): string {
  if (type === 'datetime' && typeof value === 'number') return utcInstant(value);
  return csvCell(value);
}
