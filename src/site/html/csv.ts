/** Tables as CSV (RFC 4180). */
import type { MilliPrice } from '../../domain/fuel.ts';

/** A line for each row, made when it is read. */
export function* csvLines(rows: Iterable<readonly (string | number)[]>): Generator<string, void, void> {
  for (const row of rows) yield `${row.map(cell).join(',')}\r\n`;
}

/** RON per litre with a point as the decimal mark, as programs read it. */
export function csvPrice(price: MilliPrice): string {
  return (price / 1000).toFixed(price % 10 === 0 ? 2 : 3);
}

/** Quoted where it must be; a cell that a spreadsheet would run as a formula gets an apostrophe. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
