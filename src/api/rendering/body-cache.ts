/** Caches bodies for many requests of one snapshot, bounded by their total size. */
import type { Body } from '../encoding/body.ts';

/** How many names requested only once the cache remembers. */
const MAX_SEEN_ONCE = 2_048;

export class BodyCache {
  readonly #maxBytes: number;
  readonly #bodies = new Map<string, Body>();
  #seenOnce = new Set<string>();
  #size = 0;

  /** @param maxBytes bytes of plain bodies to keep; above that, the cache evicts the oldest body. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The body with this name, created if it is not cached. */
  get(name: string, make: () => Body): Body {
    const known = this.#bodies.get(name);
    if (known) return known;
    return this.#store(name, make());
  }

  /** Like `get`, for an unbounded set of names of which most never recur: caches from the second request on. */
  getCachingRepeats(name: string, make: () => Body): Body {
    const known = this.#bodies.get(name);
    if (known) return known;
    const body = make();
    if (this.#seenOnce.delete(name)) return this.#store(name, body);
    if (this.#seenOnce.size >= MAX_SEEN_ONCE) this.#seenOnce = new Set();
    this.#seenOnce.add(name);
    return body;
  }

  #store(name: string, body: Body): Body {
    body.markShared();
    this.#bodies.set(name, body);
    this.#size += body.length;
    this.#evict();
    return body;
  }

  #evict(): void {
    for (const [name, { length }] of this.#bodies) {
      if (this.#size <= this.#maxBytes || this.#bodies.size === 1) return;
      this.#bodies.delete(name);
      this.#size -= length;
    }
  }
}
