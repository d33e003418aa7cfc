import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { addReport, type LongerForm, RUN, roundsOf } from '../support/run-settings.ts';

export type FuzzOutcome = {
  readonly cases: number;
  /** How many of them were read, not refused. */
  readonly read: number;
};

/**
 * Reads many damaged answers; `read` returns `null` for one that it refuses, and throws when it accepts an unsound one.
 * Each run uses other cases unless `--seed N` is given; a failure names the seed that repeats it.
 */
export async function fuzz<T>(
  t: TestContext,
  answers: fc.Arbitrary<T>,
  read: (answer: T) => Promise<unknown>,
  rounds: Readonly<Record<LongerForm, number>> = { medium: 4_000, long: 20_000 },
): Promise<FuzzOutcome> {
  let [readCount, slowestMs] = [0, 0];
  const start = performance.now();
  const cases = roundsOf(rounds);
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
