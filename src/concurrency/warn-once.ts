/** Reports an outage when it begins and when it is over, and not each failure of it. */

export type WarnOnceOptions<W> = {
  /** Called at the first failure in a row, with what went wrong. */
  readonly warn: (why: W) => void;
  /** Called at the first success after a failure that was reported. */
  readonly onRecovery?: () => void;
  /** Where good and bad results alternate: warnings come at least this far apart, by `clock`. */
  readonly minIntervalMs?: number;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

export class WarnOnce<W = string> {
  readonly #options: WarnOnceOptions<W>;
  #isReported = false;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WarnOnceOptions<W>) {
    this.#options = options;
  }

  /** Something failed: warns unless this failure was reported already, or another one just now. */
  failed(why: W): void {
    const { warn, minIntervalMs = 0, clock = () => performance.now() } = this.#options;
    if (this.#isReported || clock() - this.#reportedAt < minIntervalMs) return;
    this.#isReported = true;
    this.#reportedAt = clock();
    warn(why);
  }

  /** It works: the next failure is worth a warning again. */
  succeeded(): void {
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#options.onRecovery?.();
  }
}
