/** Permission for one call; the caller reports the outcome to it. */
export type Permit = {
  succeeded(): void;
  failed(): void;
};

const PAUSE_MS = { first: 1_000, longest: 30_000 };

/**
 * Spares callers the wait for a service that is down. After a failure it permits no calls for a second, then one trial;
 * each failed trial doubles the pause, up to half a minute. `clock` gives milliseconds that never go back.
 */
export class CircuitBreaker {
  readonly #clock: () => number;
  #pauseMs = 0;
  #openUntil = 0;
  #trying = false;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Whether all calls are permitted. */
  get isClosed(): boolean {
    return this.#pauseMs === 0;
  }

  /** A permit for one call now, or `null`. The caller reports the outcome to it. */
  tryAcquire(): Permit | null {
    const isTrial = !this.isClosed;
    if (isTrial && (this.#trying || this.#clock() < this.#openUntil)) return null;
    this.#trying = isTrial;
    return { succeeded: () => this.#close(), failed: () => this.#failed(isTrial) };
  }

  #close(): void {
    this.#pauseMs = 0;
    this.#trying = false;
  }

  #failed(trial: boolean): void {
    // The failures of calls that were under way at the first failure carry no news.
    if (!trial && !this.isClosed) return;
    this.#trying = false;
    this.#pauseMs = Math.min(PAUSE_MS.longest, Math.max(PAUSE_MS.first, this.#pauseMs * 2));
    this.#openUntil = this.#clock() + this.#pauseMs;
  }
}
