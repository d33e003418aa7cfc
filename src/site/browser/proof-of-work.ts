/**
 * Solves the challenge of a review with text in the browser, in slices, so that the page stays responsive. With a
 * SHA-256 of its own: the browser's needs a promise for each hash, which takes longer than the hash, and https.
 */
import type { Challenge, Solution } from '../../domain/access/proof-of-work.ts';

/** The longest time for which the page does not respond. */
const SLICE_MS = 12;
/** Hashes between two readings of the clock. */
const HASHES_PER_READING = 256;

/**
 * The token of a solved challenge, as `/api/v1/review` takes it. Rejects when there is no solution, or when aborted.
 */
export async function solve(challenge: Challenge, signal?: AbortSignal): Promise<string> {
  const number = await findNumber(challenge, signal);
  const { algorithm, challenge: hash, salt, signature } = challenge;
  const solution: Solution = { algorithm, challenge: hash, number, salt, signature };
  return btoa(JSON.stringify(solution));
}

async function findNumber({ challenge, maxnumber, salt }: Challenge, signal?: AbortSignal): Promise<number> {
  const wanted = wordsOf(challenge);
  let number = 0;
  while (number <= maxnumber) {
    signal?.throwIfAborted();
    const sliceEnd = performance.now() + SLICE_MS;
    do {
      const end = Math.min(number + HASHES_PER_READING, maxnumber + 1);
      for (; number < end; number += 1) if (isHash(salt + number, wanted)) return number;
    } while (number <= maxnumber && performance.now() < sliceEnd);
    await new Promise((resolve) => setTimeout(resolve));
  }
  throw new Error('the challenge has no solution');
}

/** The words of a hash in hexadecimal. */
function wordsOf(hex: string): Int32Array {
  return Int32Array.from({ length: 8 }, (_, at) => Number.parseInt(hex.slice(8 * at, 8 * at + 8), 16));
}

/** Whether the words are the SHA-256 of an ASCII text. */
export function isHash(text: string, words: Int32Array): boolean {
  sha256(text);
  for (let at = 0; at < 8; at += 1) if (state[at] !== words[at]) return false;
  return true;
}

const WORDS_PER_BLOCK = 16;
/** What FIPS 180-4 derives from the first primes: fractional parts of square roots and of cube roots. */
const START = new Int32Array(8);
const ROUNDS = new Int32Array(64);
for (let found = 0, candidate = 2; found < 64; candidate += 1) {
  if (!isPrime(candidate)) continue;
  if (found < 8) START[found] = fraction(candidate ** (1 / 2));
  ROUNDS[found] = fraction(candidate ** (1 / 3));
  found += 1;
}

function isPrime(candidate: number): boolean {
  for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) return false;
  return true;
}

/** The first 32 bits after the point. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

/** Used again for each hash: allocating them would take longer than hashing. */
const state = new Int32Array(8);
const schedule = new Int32Array(64);

/** SHA-256 of an ASCII text into `state`. */
function sha256(text: string): void {
  const { length } = text;
  const lastBlock = (length + 8) >> 6;
  state.set(START);
  for (let block = 0; block <= lastBlock; block += 1) {
    for (let word = 0; word < WORDS_PER_BLOCK; word += 1) {
      const at = 64 * block + 4 * word;
      schedule[word] =
        (byteAt(text, at) << 24) | (byteAt(text, at + 1) << 16) | (byteAt(text, at + 2) << 8) | byteAt(text, at + 3);
    }
    if (block === lastBlock) schedule[WORDS_PER_BLOCK - 1] = 8 * length;
    compress();
  }
}

/** A byte of the padded text: a single 1 bit follows it, then zeros. */
function byteAt(text: string, at: number): number {
  if (at < text.length) return text.charCodeAt(at);
  return at === text.length ? 0x80 : 0;
}

const rotated = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** One block, FIPS 180-4, section 6.2.2. */
function compress(): void {
  for (let t = WORDS_PER_BLOCK; t < 64; t += 1) {
    const [w2, w15] = [schedule[t - 2] as number, schedule[t - 15] as number];
    const small0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    const small1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    schedule[t] = ((schedule[t - 16] as number) + small0 + (schedule[t - 7] as number) + small1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t += 1) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (ROUNDS[t] as number) + (schedule[t] as number)) | 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at += 1) state[at] = (state[at] as number) + (sums[at] as number);
}
