/** Random values for one request: the same seed and request number always give the same values. */
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';

export class SeededRandom {
  readonly #seed: number;
  readonly #number: number;
  #drawn = 0;

  constructor(seed: number, number: number) {
    this.#seed = seed;
    this.#number = number;
  }

  /** An integer from `low` to `high`, inclusive. */
  integer(low: number, high: number): number {
    this.#drawn += 1;
    // The seed is a separate part of the key: combined with the first digit of the number, it could cancel out, and two
    // seeds would share requests.
    return low + Math.floor(randomFraction(0, this.#seed, this.#number, this.#drawn) * (high - low + 1));
  }

  /** True in `share` of 100 cases. */
  percent(share: number): boolean {
    return this.integer(0, 99) < share;
  }

  /** A random item; the list must not be empty. */
  oneOf<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** `count` random bytes. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.integer(0, 255)));
  }
}
