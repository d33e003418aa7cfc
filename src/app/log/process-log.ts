/** The log of a process. A client that makes it log line after line must not fill the disk that others need. */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import type { Config } from '../../config/config.ts';
import { withoutKeys } from '../../domain/access/api-key.ts';
import { requestFields } from '../../telemetry/request-scope.ts';
import { terminalText } from './terminal-text.ts';

/**
 * Logs to stderr, one JSON object a line, at a bounded rate and without keys.
 * @param base fields of every line, such as which process of several writes it.
 */
export function createLog(
  config: Pick<Config, 'LOG_LEVEL'>,
  base: Readonly<Record<string, number>> | null = null,
): Logger {
  const rate = new LogRate();
  const options: LoggerOptions = {
    ...{ level: config.LOG_LEVEL, base, timestamp: pino.stdTimeFunctions.isoTime },
    // Finds all that was logged for one request, also by parts that know none.
    mixin: requestFields,
    hooks: {
      logMethod(line, write) {
        const leftOut = rate.next();
        if (leftOut === null) return;
        if (leftOut > 0) write.call(this, `${leftOut} lines were left out: there were too many at once`);
        write.apply(this, line);
      },
    },
  };
  const stderr = pino.destination(2);
  return pino(options, { write: (line) => void stderr.write(terminalText(withoutKeys(line))) });
}

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
