/** What is remembered of names for a while, the oldest forgotten first when there are too many. */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();
  readonly #maxSize: number;

  constructor(most: number) {
    this.#maxSize = most;
  }

  get(name: string): V | undefined {
    return this.#values.get(name);
  }

  /** Whether there is no room without forgetting. */
  get isFull(): boolean {
    return this.#values.size >= this.#maxSize;
  }

  /** What was set longest ago, and would be forgotten first. */
  get oldest(): V | undefined {
    return this.#values.values().next().value;
  }

  get size(): number {
    return this.#values.size;
  }

  set(name: string, value: V): void {
    this.#values.delete(name);
    if (this.isFull) this.#values.delete(this.#values.keys().next().value as string);
    this.#values.set(name, value);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  entries(): MapIterator<[string, V]> {
    return this.#values.entries();
  }

  clear(): void {
    this.#values.clear();
  }
}
