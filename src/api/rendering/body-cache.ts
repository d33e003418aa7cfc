/** Caches bodies for many requests of one snapshot, bounded by their total size. */
import type { Body } from '../encoding/body.ts';

/** How many names requested only once the cache remembers, and how many characters they may have together. */
const MAX_SEEN_ONCE = 2_048;
const MAX_SEEN_CHARACTERS = 256 * 1024;

export class BodyCache {
  readonly #maxBytes: number;
  readonly #maxRepeatBytes: number;
  readonly #bodies = new Map<string, Body>();
  #seenOnce = new Set<string>();
  #seenCharacters = 0;
  #size = 0;

  /**
   * @param maxBytes bytes of plain bodies and their names to keep; above that, the cache evicts the oldest body.
   * @param maxRepeatBytes longest body that `getCachingRepeats` caches.
   */
  constructor(maxBytes: number, maxRepeatBytes = maxBytes) {
    this.#maxBytes = maxBytes;
    this.#maxRepeatBytes = maxRepeatBytes;
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
    if (body.length > this.#maxRepeatBytes) return body;
    if (this.#forget(name)) return this.#store(name, body);
    this.#remember(name);
    return body;
  }

  /** Whether the name was requested once. */
  #forget(name: string): boolean {
    const wasSeen = this.#seenOnce.delete(name);
    if (wasSeen) this.#seenCharacters -= name.length;
    return wasSeen;
  }

  #remember(name: string): void {
    if (this.#seenOnce.size >= MAX_SEEN_ONCE || this.#seenCharacters + name.length > MAX_SEEN_CHARACTERS) {
      this.#seenOnce = new Set();
      this.#seenCharacters = 0;
    }
    this.#seenOnce.add(name);
    this.#seenCharacters += name.length;
  }

  #store(name: string, body: Body): Body {
    body.markShared();
    this.#bodies.set(name, body);
    this.#size += name.length + body.length;
    this.#evict();
    return body;
  }

  #evict(): void {
    for (const [name, { length }] of this.#bodies) {
      if (this.#size <= this.#maxBytes || this.#bodies.size === 1) return;
      this.#bodies.delete(name);
      this.#size -= name.length + length;
    }
  }
}
