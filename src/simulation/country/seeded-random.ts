/** Repeatable random draws: each is a pure function of the seed and of its purpose. */

/** A number in [0, 1) that depends only on the seed and the given words. */
export function randomFraction(seed: number, ...words: (string | number)[]): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const word of words) hash = hashWord(hash, String(word));
  return mix(hash) / 0x1_0000_0000;
}

/** A whole number from `low` to `high`, both included. */
export function randomInteger(low: number, high: number, seed: number, ...words: (string | number)[]): number {
  return low + Math.floor(randomFraction(seed, ...words) * (high - low + 1));
}

/** One of the items. The list must not be empty. */
export function randomItem<T>(items: readonly T[], seed: number, ...words: (string | number)[]): T {
  return items[randomInteger(0, items.length - 1, seed, ...words)] as T;
}

/** The items in random order: the name from `nameOf` places each item, so a new item moves no other. */
export function shuffled<T>(items: readonly T[], nameOf: (item: T) => string, seed: number, about: string): T[] {
  return items
    .map((item) => ({ item, name: nameOf(item), at: randomFraction(seed, about, nameOf(item)) }))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
    .map(({ item }) => item);
}

/** FNV-1a over the characters and a separator, so that ('ab', 'c') and ('a', 'bc') differ. */
function hashWord(hash: number, word: string): number {
  let result = hash;
  for (let at = 0; at < word.length; at += 1) result = Math.imul(result ^ word.charCodeAt(at), 0x01000193);
  return Math.imul(result ^ 0x1f, 0x01000193) >>> 0;
}

/** The finaliser of MurmurHash3: spreads neighbouring inputs over the whole range. */
function mix(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
