/**
 * Reports an outage when it begins and when it ends, but not each failure, and no two outages within a minute: clients
 * who can make something fail and succeed alternately must not fill the log.
 */

export type WarnOnceOptions<W> = {
  /** Called at the first failure in a row, with its reason. */
  readonly warn: (why: W) => void;
  /** Called at the first success after a failure that was reported. */
  readonly onRecovery?: () => void;
  /** Minimum time between warnings, by `clock`; a minute unless given. */
  readonly minIntervalMs?: number;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

const MIN_INTERVAL_MS = 60_000;

export class WarnOnce<W = string> {
  readonly #options: WarnOnceOptions<W>;
  #isReported = false;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WarnOnceOptions<W>) {
    this.#options = options;
  }

  /** Records a failure: warns unless the outage is reported already, or another one was just now. */
  failed(why: W): void {
    const { warn, minIntervalMs = MIN_INTERVAL_MS, clock = () => performance.now() } = this.#options;
    if (this.#isReported || clock() - this.#reportedAt < minIntervalMs) return;
    this.#isReported = true;
    this.#reportedAt = clock();
    warn(why);
  }

  /** Records a success: the next failure warns again. */
  succeeded(): void {
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#options.onRecovery?.();
  }
}
