/** Tables as CSV (RFC 4180). */
import { csvCell } from '../../domain/csv-cell.ts';
import type { MilliPrice } from '../../domain/fuel.ts';

/** A line for each row, made when it is read. */
export function* csvLines(rows: Iterable<readonly (string | number)[]>): Generator<string, void, void> {
  for (const row of rows) yield `${row.map(csvCell).join(',')}\r\n`;
}

/** RON per litre with a point as the decimal mark, as programs read it. */
export function csvPrice(price: MilliPrice): string {
  return (price / 1000).toFixed(price % 10 === 0 ? 2 : 3);
}
