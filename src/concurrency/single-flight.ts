/** One look at something costly for all who wait for one. */

/** Looks begin at least this far apart, however many ask. */
const MIN_INTERVAL_MS = 75;
/** Nobody waits longer than this for the outcome. */
const TIMEOUT_MS = 500;

type PendingRun = { readonly promise: Promise<boolean>; readonly resolve: (succeeded: boolean) => void };

export class SingleFlight {
  readonly #work: () => Promise<boolean>;
  #pending: PendingRun | undefined;
  #isRequested = false;
  #running: Promise<void> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `look` tells whether it came to an end, and does not throw. */
  constructor(work: () => Promise<boolean>) {
    this.#work = work;
  }

  /** Whether a look that begins from now on came to its end; false, too, when that takes too long. */
  run(): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    this.#pending ??= this.#createPending();
    const { promise } = this.#pending;
    this.#isRequested = true;
    this.#schedule();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#pending?.resolve(false);
    await this.#running;
  }

  #createPending(): PendingRun {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => {
      if (this.#pending === waiting) this.#pending = undefined;
      resolve(false);
    }, TIMEOUT_MS);
    const waiting: PendingRun = {
      promise,
      resolve: (looked) => {
        clearTimeout(timer);
        resolve(looked);
      },
    };
    return waiting;
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#timer !== undefined || this.#closed || !this.#isRequested) return;
    const pause = this.#startedAt + MIN_INTERVAL_MS - performance.now();
    if (pause <= 0) this.#start();
    else this.#timer = setTimeout(() => this.#start(), pause);
  }

  #start(): void {
    this.#timer = undefined;
    const waiting = this.#pending;
    this.#pending = undefined;
    this.#isRequested = false;
    this.#startedAt = performance.now();
    this.#running = this.#work().then((looked) => {
      waiting?.resolve(looked);
      this.#running = undefined;
      this.#schedule();
    });
  }
}
