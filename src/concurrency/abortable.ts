/** Settles as the work does; rejects with the signal's reason as soon as it is aborted. Starts nothing after that. */
export async function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, work()]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
