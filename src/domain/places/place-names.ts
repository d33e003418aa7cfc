import { normalForm } from '../unicode-normal-form.ts';

/**
 * A name in the form used for comparison: lower case, without diacritics, every run of characters that are neither
 * letters nor digits (space, hyphen, dash, dot, comma, apostrophe) as one space. Cedilla and comma forms (`ş`, `ș`)
 * become the same letter.
 */
export function foldName(text: string): string {
  return withoutMarks(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A name in ASCII, as the public contract writes it: `Târgu Mureș` → `Targu Mures`. Keeps case and punctuation. */
export function asciiName(name: string): string {
  return normalForm(name, 'NFD').replaceAll(/\p{M}/gu, '');
}

/** A name as part of a URL, e.g. `Drobeta-Turnu Severin` → `drobeta-turnu-severin`. */
export function slugify(name: string): string {
  return foldName(name).replaceAll(' ', '-');
}

function withoutMarks(text: string): string {
  return /^[ -~]*$/.test(text) ? text : normalForm(text, 'NFKD').replaceAll(/\p{M}+/gu, '');
}

/** Twice the longest label with all its qualifiers. */
const MAX_TEXT_LENGTH = 200;

/**
 * Whether a text is longer than any place's name with its qualifiers, which bounds the work for it. Characters count as
 * what they stand for: U+FDFA alone is 18 letters.
 */
export function isLongerThanNames(text: string): boolean {
  if (text.length > MAX_TEXT_LENGTH) return true;
  return !/^[ -~]*$/.test(text) && normalForm(text, 'NFKC').length > MAX_TEXT_LENGTH;
}
