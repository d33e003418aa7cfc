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

/** A name in ASCII, as the public contract writes it: `Târgu Mureș` → `Targu Mures`. Case and punctuation stay. */
export function asciiName(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** A name as part of a URL, e.g. `Drobeta-Turnu Severin` → `drobeta-turnu-severin`. */
export function slugify(name: string): string {
  return foldName(name).replaceAll(' ', '-');
}

function withoutMarks(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
}
