/** Small maps may keep up to this many removed entries in memory. */
const MIN_REMOVALS = 16;

/** A map of bounded size: a new key beyond it evicts the entry that was set longest ago. */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();
  readonly #maxSize: number;
  /**
   * Points before the oldest entry. It is kept because a new iterator steps over every entry removed since the engine
   * last compacted the map: 80 µs in a map of 100,000.
   */
  #order = this.#values.keys();
  /** The oldest key, once it was read: the iterator is past it then. */
  #oldestKey: string | undefined;
  /** Entries removed since the iterator was created. */
  #removals = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Whether a new key evicts an entry. */
  get isFull(): boolean {
    return this.#values.size >= this.#maxSize;
  }

  /** The value that was set longest ago and would be evicted first. */
  get oldest(): V | undefined {
    const key = this.#findOldest();
    return key === undefined ? undefined : this.#values.get(key);
  }

  get size(): number {
    return this.#values.size;
  }

  set(key: string, value: V): void {
    this.delete(key);
    if (this.isFull) this.delete(this.#findOldest() as string);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    if (key === this.#oldestKey) this.#oldestKey = undefined;
    this.#removals += 1;
    if (this.#removals > Math.max(MIN_REMOVALS, this.#values.size)) this.#restartOrder();
  }

  /** Removes the entries set longest ago, up to the first for which `isPast` is false. */
  deleteOldestWhile(isPast: (value: V) => boolean): void {
    for (;;) {
      const key = this.#findOldest();
      if (key === undefined || !isPast(this.#values.get(key) as V)) return;
      this.delete(key);
    }
  }

  entries(): MapIterator<[string, V]> {
    return this.#values.entries();
  }

  clear(): void {
    this.#values.clear();
    this.#oldestKey = undefined;
    this.#restartOrder();
  }

  /**
   * The engine keeps every version of the map's table since the iterator last moved, with the entries removed from it:
   * in a map that never fills up, all entries there ever were. Restarting once per as many removals as the map has
   * entries bounds what is kept, and costs a step over each removed entry once.
   */
  #restartOrder(): void {
    this.#order = this.#values.keys();
    this.#removals = 0;
  }

  #findOldest(): string | undefined {
    // Never past the end: new entries come after the iterator; those it passed are removed or stored here.
    if (this.#oldestKey === undefined && this.#values.size > 0) this.#oldestKey = this.#order.next().value;
    return this.#oldestKey;
  }
}
