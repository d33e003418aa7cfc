/**
 * Unicode normalisation in time linear in the length. The platform's own sorts the marks of one character, which takes
 * time quadratic in their number: every text from outside is normalised here. Source: UAX 15.
 */

/** As many marks on one character as Unicode's stream-safe format allows; nobody can distinguish more. */
const MAX_MARKS = 30;
/**
 * What normalisation sorts: marks that are seen, and two halfwidth letters that become marks. Marks that show nothing
 * (variation selectors) keep their places.
 */
const MARK = String.raw`[[\p{M}\uff9e\uff9f]--\p{Default_Ignorable_Code_Point}]`;
const EXCESSIVE_MARKS = new RegExp(`${MARK}{${MAX_MARKS + 1}}`, 'v');
const RUNS_OF_MARKS = new RegExp(`(${MARK}{${MAX_MARKS}})${MARK}+`, 'gv');

/** Whether more than 30 marks follow each other. */
export function hasExcessiveMarks(text: string): boolean {
  return EXCESSIVE_MARKS.test(text);
}

/** The text in a normal form, with the first 30 marks of each character. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(RUNS_OF_MARKS, '$1').normalize(form);
}
