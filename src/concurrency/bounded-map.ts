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
    this.#values.delete(key);
    if (key === this.#oldestKey) this.#oldestKey = undefined;
  }

  entries(): MapIterator<[string, V]> {
    return this.#values.entries();
  }

  clear(): void {
    this.#values.clear();
    this.#oldestKey = undefined;
  }

  #findOldest(): string | undefined {
    // Never past the end: new entries come after the iterator; those it passed are removed or stored here.
    if (this.#oldestKey === undefined && this.#values.size > 0) this.#oldestKey = this.#order.next().value;
    return this.#oldestKey;
  }
}
