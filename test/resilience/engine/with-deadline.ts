import { withTimeout } from '../../../src/concurrency/with-timeout.ts';

/** Resolves like `work`; rejects when it takes longer than `ms`. */
export async function withDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  return withTimeout(ms, work, () => new Error(`${what}: not within ${ms} ms`));
}
