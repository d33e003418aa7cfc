/**
 * A name as everything is compared by: lower case, without diacritics, every run of anything that is no letter or digit
 * (space, hyphen, dash, dot, comma, apostrophe) one space. Cedilla and comma forms (`ş`, `ș`) become the same letter.
 * Idempotent: `fold(fold(x)) === fold(x)`.
 */
export function foldName(text: string): string {
  return withoutMarks(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A name in the letters of the public contract, e.g. `Târgu Mureș` → `Targu Mures`: case and punctuation stay. */
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
