import { foldName } from '../src/domain/places/place-names.ts';

/**
 * The other names by which people look up a place, folded, each once: Hungarian, German and older Romanian ones. It
 * leaves out names that fold to the name itself, other scripts, romanisations of other scripts (GeoNames writes them
 * in lower case), airport codes, and the digraph spelling (`Koeroes`) beside the accented one. Our own short names
 * always stay.
 */
export function usefulAlternates(name: string, alternates: readonly string[], shortNames: readonly string[]): string[] {
  const latin = alternates.filter(
    (text) => /^\p{Lu}[\p{Script=Latin}\p{M} .'-]+$/u.test(text) && !/^\p{Lu}{2,4}$/u.test(text),
  );
  const folded = new Set([...latin, ...shortNames].map(foldName));
  folded.delete(foldName(name));
  return [...folded].filter((text) => !isDigraphSpelling(text, folded)).sort();
}

function isDigraphSpelling(text: string, all: ReadonlySet<string>): boolean {
  const plain = text.replaceAll(/([aou])e/g, '$1');
  return plain !== text && all.has(plain);
}
