/** Several hands on one list. */

/**
 * Does `work` on each item, `hands` at a time, in the order of the list. After the first failure nobody takes up another
 * item, and it rejects once all have put down theirs.
 */
export async function forEachConcurrent<T>(
  list: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = list.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  if (failures.length > 0) throw failures[0];
}
