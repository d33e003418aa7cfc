/** What `work` gives; rejects when it takes longer. */
export async function withDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error(`${what}: not within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
