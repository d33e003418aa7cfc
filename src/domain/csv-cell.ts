/** Cells of CSV files (RFC 4180) that spreadsheets open as data, never as formulas. */

/**
 * Spreadsheets run what begins with one of these signs, some of them also in full width, after spaces and invisible
 * characters or not, and may run what begins with a tab or line break. A plus or minus before nothing but digits,
 * spaces and the punctuation of phone numbers stays as it is.
 */
const FORMULA = /^(?:[\t\r]|[\s\p{Cf}]*(?:[=@＝＋－＠]|[+-](?![\d\s()./-]*$)))/u;
const BREAK = /[;\r\n]/;
/**
 * Where the comma is the decimal mark, as in Romania, Excel splits .csv at semicolons, whatever quotes are around them,
 * and a line at each break: what follows one begins a cell there, after quotes of its own or not.
 */
const FORMULA_AFTER_BREAK = /[;\r\n](?=(?:[^\S\r\n]|[\p{Cf}"])*[=@＝＋－＠+-])/gu;
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell; `null` and `undefined` are empty. An apostrophe before a formula makes it text. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const begun = FORMULA.test(value) ? `'${value}` : value;
  // A plain test first: files of months have millions of cells.
  const safe = BREAK.test(begun) ? begun.replace(FORMULA_AFTER_BREAK, "$&'") : begun;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
