import { withTimeout } from '../../../src/concurrency/with-timeout.ts';

/** What `work` gives; rejects when it takes longer. */
export async function withDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  return withTimeout(ms, work, () => new Error(`${what}: not within ${ms} ms`));
}
