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
  const timer = setTimeout(() => late.reject(errorOf()), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
