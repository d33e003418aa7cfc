/** What a run has checked and tested: counted as it goes, printed as its last line. */
import type { TestsStream } from 'node:test';

export type Tally = { passed: number; failed: number };

/** Starts a tally; the process prints it as its last line when it exits. */
export function startTally(): Tally {
  const tally = { passed: 0, failed: 0 };
  process.on('exit', () => {
    console.log(`${tally.passed} passed, ${tally.failed} failed`);
  });
  return tally;
}

/** Counts the tests of a run, and sets the exit code at its end; a skipped test counts as failed. */
export function countTests(stream: TestsStream, tally: Tally): void {
  const countable = (data: { details?: { type?: string } }) => data.details?.type !== 'suite';
  stream.on('test:pass', (data) => {
    if (data.skip !== undefined || data.todo !== undefined) tally.failed += 1;
    else if (countable(data)) tally.passed += 1;
  });
  stream.on('test:fail', (data) => {
    if (countable(data)) tally.failed += 1;
  });
  stream.on('end', () => {
    process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;
  });
}
