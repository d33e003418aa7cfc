import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { addReport, RUN, roundsOf } from '../support/run-settings.ts';

export type FuzzOutcome = {
  readonly cases: number;
  /** Of these, read and not refused. */
  readonly read: number;
};

/**
 * Reads many damaged answers; `read` gives `null` for one that is refused, and throws when it accepts what it must not.
 * Each run draws other cases unless `--seed N` is given; a failure says which seed makes it again.
 */
export async function fuzz<T>(
  t: TestContext,
  answers: fc.Arbitrary<T>,
  read: (answer: T) => Promise<unknown>,
): Promise<FuzzOutcome> {
  let [readCount, slowestMs] = [0, 0];
  const start = performance.now();
  const cases = roundsOf({ short: 1_000, medium: 4_000, long: 20_000 });
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const begun = performance.now();
      if ((await read(answer)) !== null) readCount += 1;
      slowestMs = Math.max(slowestMs, performance.now() - begun);
    }),
    { numRuns: cases, ...(RUN.seed !== undefined && { seed: RUN.seed }) },
  );
  const ms = ((performance.now() - start) / cases).toFixed(2);
  addReport(t, [`${cases} cases, ${readCount} read, ${ms} ms each, the slowest ${slowestMs.toFixed(0)} ms`]);
  return { cases, read: readCount };
}
