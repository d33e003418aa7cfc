/** A run ends at its deadline even if a question is never answered. */

/** What `work` comes to, or a rejection with the signal's reason as soon as it is raised. */
export async function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, work()]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
