/** Draws for one made-up request: the same seed and number give the same draws for ever. */
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';

export class SeededRandom {
  readonly #seed: number;
  readonly #number: number;
  #drawn = 0;

  constructor(seed: number, number: number) {
    this.#seed = seed;
    this.#number = number;
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    this.#drawn += 1;
    // The seed as a word: beside the first digit of a number it would cancel out, and two seeds share their requests.
    return low + Math.floor(randomFraction(0, this.#seed, this.#number, this.#drawn) * (high - low + 1));
  }

  /** Whether something happens that happens in so many of 100 cases. */
  percent(share: number): boolean {
    return this.integer(0, 99) < share;
  }

  /** One of the items; the list must not be empty. */
  oneOf<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** So many bytes of any value. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.integer(0, 255)));
  }
}
