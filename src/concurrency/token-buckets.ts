/** A token bucket for each key, in bounded memory: `burst` at once, `perSecond` in the long run. */
import { BoundedMap } from './bounded-map.ts';

export type TokenBucketOptions = {
  /** Tokens of a full bucket. */
  readonly burst: number;
  /** Tokens that a bucket gains in a second. */
  readonly perSecond: number;
  /** Keys remembered; a further one makes the key that was used longest ago start with a full bucket again. */
  readonly maxKeys: number;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

type Bucket = { readonly tokens: number; readonly at: number };

export class TokenBuckets {
  readonly #options: TokenBucketOptions;
  readonly #buckets: BoundedMap<Bucket>;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#buckets = new BoundedMap(options.maxKeys);
  }

  /** Whether `tryTake` would take a token of the key; takes none. */
  hasToken(key: string): boolean {
    return this.#available(key, this.#now()) >= 1;
  }

  /** Takes one token of the key, if it has one. */
  tryTake(key: string): boolean {
    const now = this.#now();
    const available = this.#available(key, now);
    const isTaken = available >= 1;
    this.#buckets.set(key, { tokens: isTaken ? available - 1 : available, at: now });
    return isTaken;
  }

  #available(key: string, now: number): number {
    const { burst, perSecond } = this.#options;
    const bucket = this.#buckets.get(key);
    return bucket === undefined ? burst : Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  }

  #now(): number {
    const { clock = () => performance.now() } = this.#options;
    return clock();
  }
}
