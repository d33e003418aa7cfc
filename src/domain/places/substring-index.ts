import { firstIndexThat } from '../../algorithms/binary-search.ts';

/** Yields the numbers of the words that contain the needle, in the given order, each once. */
export type SubstringIndex = (needle: string) => Generator<number>;

/**
 * Substring search over many words at once: they are joined into one text, so that the engine's own string search does
 * the scanning. `words[i]` lists the spellings of the i-th word; no spelling may contain a line break.
 */
export function substringIndex(words: readonly (readonly string[])[]): SubstringIndex {
  const lines = words.flatMap((spellings, index) => spellings.map((spelling) => ({ spelling, index })));
  const text = lines.map(({ spelling }) => `${spelling}\n`).join('');
  const ends: number[] = [];
  for (const { spelling } of lines) ends.push((ends.at(-1) ?? 0) + spelling.length + 1);
  return function* (needle) {
    let last = -1;
    let line = 0;
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, ends[line])) {
      line = lineAt(ends, at, line);
      const index = lines[line]?.index ?? -1;
      if (index !== last) yield index;
      last = index;
    }
  };
}

/** The line that holds the position, by binary search from `low` on. */
function lineAt(ends: readonly number[], position: number, low: number): number {
  return firstIndexThat((line) => (ends[line] as number) > position, low, ends.length - 1);
}
