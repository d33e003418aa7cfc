/** Shares work by key: callers that arrive while the work for a key is under way get its result. */

export class SingleFlight<T> {
  readonly #inFlight = new Map<string, Promise<T>>();

  /** Keys whose work is under way. */
  get size(): number {
    return this.#inFlight.size;
  }

  /** The work for the key that is under way, if any. */
  get(key: string): Promise<T> | undefined {
    return this.#inFlight.get(key);
  }

  /** Starts the work for the key, in place of any that is under way, and shares it until it settles. */
  start(key: string, work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => {
      if (this.#inFlight.get(key) === running) this.#inFlight.delete(key);
    });
    this.#inFlight.set(key, running);
    return running;
  }
}
