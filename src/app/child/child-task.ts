/**
 * A process that does one task for whoever started it. It reads the task, one line of JSON, from standard input, and
 * writes its report to standard output. Memory that the work takes ends with it, and a failure ends nothing else.
 */
import { once } from 'node:events';
import os from 'node:os';
import { createInterface } from 'node:readline';
import type { OperatorLog } from '../../store/database-errors.ts';

/** Below whoever answers requests on the same cores. */
const PRIORITY = 10;

/** Does the task and ends this process: with 0 and the report, or with 1 and one line on standard error. */
export async function runChildTask<Task, Report>(
  work: (task: Task, log: OperatorLog) => Promise<Report>,
): Promise<void> {
  const log = { info: () => undefined, warn: (text: string) => void process.stderr.write(`${text}\n`) };
  try {
    const lines = createInterface({ input: process.stdin });
    const [line] = (await once(lines, 'line')) as [string];
    // Whoever started it has gone.
    lines.once('close', () => process.exit(1));
    lowerPriority();
    const report = await work(JSON.parse(line) as Task, log);
    process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`, () => process.exit(1));
  }
}

/** A wish: filters of system calls, such as that of deploy/systemd, may forbid it. */
function lowerPriority(): void {
  try {
    os.setPriority(PRIORITY);
  } catch {
    // The work is done with the priority that it has.
  }
}
