/** Bounds the log: a client that makes the service log line after line must not fill the disk that others need. */
import { TokenBuckets } from '../concurrency/token-buckets.ts';

/** Lines at once, then a second: far more than the service writes by itself. */
const LINES = { burst: 500, perSecond: 2, maxKeys: 1 };
const ALL = 'all';

export type LogRateOptions = {
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

/** Decides for each line of a log whether it is written. */
export class LogRate {
  readonly #lines: TokenBuckets;
  #leftOut = 0;

  constructor(options: LogRateOptions = {}) {
    this.#lines = new TokenBuckets({ ...LINES, ...options });
  }

  /** How many lines were left out since the last one that was written; `null` = this one is left out as well. */
  next(): number | null {
    if (!this.#lines.tryTake(ALL)) {
      this.#leftOut += 1;
      return null;
    }
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
