/** Tables as CSV (RFC 4180). */
import type { MilliPrice } from '../../domain/fuel.ts';

/** A line for each row. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
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
