/** What a run has checked and tested: counted as it goes, printed as its last line. */
import type { TestsStream } from 'node:test';

export type Tally = { passed: number; failed: number };

/** Starts a tally; when the process exits, it prints it as its last line and fails if anything has failed. */
export function startTally(): Tally {
  const tally = { passed: 0, failed: 0 };
  process.on('exit', () => {
    if (tally.failed > 0 || tally.passed === 0) process.exitCode = 1;
    console.log(`${tally.passed} passed, ${tally.failed} failed`);
  });
  return tally;
}

/** Counts the tests of a run; a skipped test counts as failed, and so does a suite that could not be loaded. */
export function countTests(stream: TestsStream, tally: Tally): void {
  const countable = (data: { details?: { type?: string } }) => data.details?.type !== 'suite';
  stream.on('test:pass', (data) => {
    if (data.skip !== undefined || data.todo !== undefined) tally.failed += 1;
    else if (countable(data)) tally.passed += 1;
  });
  stream.on('test:fail', (data) => {
    if (countable(data) || !hasFailedTests(data.details)) tally.failed += 1;
  });
}

/** Whether the failure is that of tests in it, which count by themselves. */
export function hasFailedTests({ error }: { error: Error & { failureType?: string } }): boolean {
  return error.failureType === 'subtestsFailed';
}
