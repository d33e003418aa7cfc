/** Cells of CSV files (RFC 4180) that spreadsheets open as data, never as formulas. */

/**
 * Spreadsheets run what begins with one of these signs, after spaces or not, and may run what begins with a tab or line
 * break. A plus or minus before nothing but digits, spaces and the punctuation of phone numbers stays as it is.
 */
const FORMULA = /^(?:[\t\r]|\s*(?:[=@]|[+-](?![\d\s()./-]*$)))/u;
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell; `null` and `undefined` are empty. An apostrophe before a formula makes it text. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
