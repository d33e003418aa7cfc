/**
 * Runs `work` on each item in list order, at most `concurrency` at a time. After a failure it starts no further item,
 * and rejects with the first failure once all running work has ended.
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
