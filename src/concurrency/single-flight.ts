/** One look at something costly for all who wait for one. */

/** Looks begin at least this far apart, however many ask. */
const PAUSE_MS = 75;
/** Nobody waits longer than this for the outcome. */
const PATIENCE_MS = 500;

type Waiting = { readonly promise: Promise<boolean>; readonly resolve: (looked: boolean) => void };

export class SharedLook {
  readonly #look: () => Promise<boolean>;
  #waiting: Waiting | undefined;
  #wanted = false;
  #running: Promise<void> | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `look` tells whether it came to an end, and does not throw. */
  constructor(look: () => Promise<boolean>) {
    this.#look = look;
  }

  /** Whether a look that begins from now on came to its end; false, too, when that takes too long. */
  next(): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    this.#waiting ??= this.#wait();
    const { promise } = this.#waiting;
    this.#wanted = true;
    this.#arrange();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#waiting?.resolve(false);
    await this.#running;
  }

  #wait(): Waiting {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
      resolve(false);
    }, PATIENCE_MS);
    const waiting: Waiting = {
      promise,
      resolve: (looked) => {
        clearTimeout(timer);
        resolve(looked);
      },
    };
    return waiting;
  }

  #arrange(): void {
    if (this.#running !== undefined || this.#timer !== undefined || this.#closed || !this.#wanted) return;
    const pause = this.#begunAt + PAUSE_MS - performance.now();
    if (pause <= 0) this.#begin();
    else this.#timer = setTimeout(() => this.#begin(), pause);
  }

  #begin(): void {
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#wanted = false;
    this.#begunAt = performance.now();
    this.#running = this.#look().then((looked) => {
      waiting?.resolve(looked);
      this.#running = undefined;
      this.#arrange();
    });
  }
}
