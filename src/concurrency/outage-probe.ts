/**
 * When to ask a service that fails. After one failure it is left alone for a short pause, and the next caller tries it
 * again. After the second failure in a row nobody waits for it any more: a probe in the background asks it, with
 * growing pauses, until it answers. The circuit breaker lets a caller make the trial instead; here that caller would
 * wait for a service that hangs as long as all those before it.
 */

const FAILURES_BEFORE_PROBING = 2;
/** Short enough that callers are served again within seconds of the end of an outage. */
const LONGEST_PAUSE_MS = 1_000;

export type OutageProbeOptions = {
  /** Sends the service an empty request; rejects, in bounded time, while it fails. */
  readonly probe: () => Promise<unknown>;
  /** The first pause. */
  readonly pauseMs: number;
};

export class OutageProbe {
  readonly #options: OutageProbeOptions;
  #failuresInARow = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isProbing = false;

  constructor(options: OutageProbeOptions) {
    this.#options = options;
  }

  /** Whether the service is not to be asked now. */
  get isPaused(): boolean {
    return this.#isProbing || performance.now() < this.#pausedUntil;
  }

  /** The service answered a caller. */
  succeeded(): void {
    this.#failuresInARow = 0;
  }

  /** The service failed a caller. */
  failed(): void {
    const { pauseMs } = this.#options;
    this.#failuresInARow += 1;
    this.#pausedUntil = performance.now() + pauseMs;
    if (this.#failuresInARow < FAILURES_BEFORE_PROBING || this.#isProbing) return;
    this.#isProbing = true;
    this.#probeAfter(pauseMs);
  }

  /** Keeps no process running: the timer counts only as long as there is other work. */
  #probeAfter(ms: number): void {
    const next = () => this.#probeAfter(Math.min(2 * Math.max(ms, 1), LONGEST_PAUSE_MS));
    setTimeout(() => this.#options.probe().then(() => this.#end(), next), ms).unref();
  }

  #end(): void {
    this.#isProbing = false;
    this.#failuresInARow = 0;
  }
}
