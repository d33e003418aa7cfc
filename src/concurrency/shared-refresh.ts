/** One costly refresh, shared by all who request it. */
import { startTimeout } from './with-timeout.ts';

export type SharedRefreshOptions = {
  /** Minimum time between the starts of two refreshes. */
  readonly minIntervalMs: number;
  /** Maximum time that a caller waits for the outcome. */
  readonly timeoutMs: number;
};

type PendingRun = { readonly promise: Promise<boolean>; readonly resolve: (succeeded: boolean) => void };

/** Unlike `SingleFlight`, no caller gets the result of a refresh that began before the call: it may be outdated. */
export class SharedRefresh {
  readonly #refresh: () => Promise<boolean>;
  readonly #options: SharedRefreshOptions;
  #pending: PendingRun | undefined;
  #isRequested = false;
  #running: Promise<void> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `refresh` returns whether it succeeded, and does not throw. */
  constructor(refresh: () => Promise<boolean>, options: SharedRefreshOptions) {
    this.#refresh = refresh;
    this.#options = options;
  }

  /** Whether a refresh that starts from now on succeeded; false, too, when that takes too long. */
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
    const cancel = startTimeout(this.#options.timeoutMs, () => {
      if (this.#pending === pending) this.#pending = undefined;
      resolve(false);
    });
    const pending: PendingRun = {
      promise,
      resolve: (succeeded) => {
        cancel();
        resolve(succeeded);
      },
    };
    return pending;
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#timer !== undefined || this.#closed || !this.#isRequested) return;
    const pause = this.#startedAt + this.#options.minIntervalMs - performance.now();
    if (pause <= 0) this.#start();
    else this.#timer = setTimeout(() => this.#start(), pause);
  }

  #start(): void {
    this.#timer = undefined;
    const pending = this.#pending;
    this.#pending = undefined;
    this.#isRequested = false;
    this.#startedAt = performance.now();
    this.#running = this.#refresh().then((succeeded) => {
      pending?.resolve(succeeded);
      this.#running = undefined;
      this.#schedule();
    });
  }
}
