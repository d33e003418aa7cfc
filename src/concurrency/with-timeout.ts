/** Bounds the wait for a promise. The work itself continues; a late result is dropped. */

/** The work did not end in time. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/**
 * Settles as the promise does; rejects with a `TimeoutError` or the caller's own error if it takes longer than `ms`.
 */
export async function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  errorOf: () => Error = () => new TimeoutError(`no result within ${ms} ms`),
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = startTimeout(ms, () => late.reject(errorOf()));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    cancel();
  }
}

/**
 * Calls `onTimeout` after `ms`, with the time by `performance.now()`, but first lets the event loop read what has
 * arrived by then: while it was held up, at a start for example, an answer may have come in time. Returns a function
 * that cancels it.
 */
export function startTimeout(ms: number, onTimeout: (at: number) => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // The event loop runs timers, then reads from sockets, then runs this.
    immediate = setImmediate(onTimeout, performance.now());
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
