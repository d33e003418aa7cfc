/** Distances between spellings. Names are folded first, so that the distance is about letters alone. */

/** Rows of the distance table; a distance is computed in one go, so all computations share them. */
let [earlier, previous, current] = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)];

/** Distances beyond this count as this, which is far above every limit in use. */
const MAX_DISTANCE = 250;

/**
 * Edit distance of two words: letters added, removed or changed, or two neighbours swapped (optimal string alignment).
 * Returns `limit + 1` as soon as the distance exceeds `limit`, which is at most 250.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  growRows(b.length + 1);
  for (let j = 0; j <= b.length; j++) previous[j] = Math.min(j, MAX_DISTANCE);
  for (let i = 1; i <= a.length; i++) {
    if (fillRow(a, b, i) > limit) return limit + 1;
    [earlier, previous, current] = [previous, current, earlier];
  }
  return Math.min(previous[b.length] as number, limit + 1);
}

/** Computes the row of the table for the first `i` letters of `a`. Returns its least distance. */
function fillRow(a: string, b: string, i: number): number {
  let left = Math.min(i, MAX_DISTANCE);
  let least = left;
  current[0] = left;
  const letter = a.charCodeAt(i - 1);
  for (let j = 1; j <= b.length; j++) {
    const other = b.charCodeAt(j - 1);
    let distance = (previous[j - 1] as number) + (letter === other ? 0 : 1);
    const gap = Math.min(left, previous[j] as number) + 1;
    if (gap < distance) distance = gap;
    if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other)
      distance = Math.min(distance, (earlier[j - 2] as number) + 1);
    left = Math.min(distance, MAX_DISTANCE);
    current[j] = left;
    if (left < least) least = left;
  }
  return least;
}

function growRows(length: number): void {
  if (length <= current.length) return;
  [earlier, previous, current] = [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)];
}

/**
 * Words indexed for spelling suggestions. A search compares letter by letter only those words whose length and letters
 * allow them to be close: some dozens of 7,000 names.
 */
export class SpellingIndex {
  readonly #words: readonly string[];
  /** Positions of the words of each length, in the given order. */
  readonly #byLength: readonly (readonly number[])[];
  /** The letters of each word, and those that it has twice. */
  readonly #once: Int32Array;
  readonly #twice: Int32Array;

  constructor(words: Iterable<string>) {
    this.#words = [...new Set(words)];
    const byLength: number[][] = [];
    this.#once = new Int32Array(this.#words.length);
    this.#twice = new Int32Array(this.#words.length);
    for (const [position, word] of this.#words.entries()) {
      byLength[word.length] ??= [];
      byLength[word.length]?.push(position);
      [this.#once[position], this.#twice[position]] = letterSets(word);
    }
    this.#byLength = Array.from(byLength, (positions) => positions ?? []);
  }

  /**
   * The words spelled most like the text, closest first, at most `count`; equally close words keep their order. A
   * word is close if it needs at most `limit` edits: by default a third of the letters of the text, at least one and at
   * most three.
   */
  closest(text: string, count: number, limit = editsAllowed(text)): string[] {
    const found: { readonly position: number; readonly distance: number }[] = [];
    for (const position of this.#candidates(text, limit)) {
      const distance = editDistance(text, this.#words[position] as string, limit);
      if (distance <= limit) found.push({ position, distance });
    }
    return found
      .sort((a, b) => a.distance - b.distance || a.position - b.position)
      .slice(0, count)
      .map(({ position }) => this.#words[position] as string);
  }

  /** Each edit adds at most one letter to a word and takes at most one away: more differences rule a word out. */
  #candidates(text: string, limit: number): number[] {
    const [once, twice] = letterSets(text);
    const candidates: number[] = [];
    const longest = Math.min(text.length + limit, this.#byLength.length - 1);
    for (let length = Math.max(0, text.length - limit); length <= longest; length++) {
      for (const position of this.#byLength[length] as readonly number[]) {
        const otherOnce = this.#once[position] as number;
        if (bitCount(once & ~otherOnce) > limit || bitCount(otherOnce & ~once) > limit) continue;
        const otherTwice = this.#twice[position] as number;
        if (bitCount(once & ~otherOnce) + bitCount(twice & ~otherTwice) > limit) continue;
        if (bitCount(otherOnce & ~once) + bitCount(otherTwice & ~twice) > limit) continue;
        candidates.push(position);
      }
    }
    return candidates;
  }
}

function editsAllowed(text: string): number {
  return Math.min(3, Math.max(1, Math.floor(text.length / 3)));
}

const LETTER_A = 97;
const LETTERS = 26;
/** Other characters share the bits that letters leave. */
const OTHER_BITS = 6;

/** The letters that a word has at least once, and at least twice, as bits. */
function letterSets(word: string): [once: number, twice: number] {
  let once = 0;
  let twice = 0;
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    const letter = code - LETTER_A;
    const bit = 1 << (letter >= 0 && letter < LETTERS ? letter : LETTERS + (code % OTHER_BITS));
    twice |= once & bit;
    once |= bit;
  }
  return [once, twice];
}

/** The number of set bits. Source: H. S. Warren, "Hacker's Delight", 5-1. */
function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
