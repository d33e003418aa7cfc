/** Runs the process that makes dumps, and waits for its report. */
import { fileURLToPath } from 'node:url';
import type { DumpReport } from '../../worker/dumps/dump-options.ts';
import { type ChildProgram, runChild } from '../child/run-child.ts';
import type { DumpTask } from './dump-task.ts';

/** Less than 200 MB in all for ten years of 2,000 stations, measured by bench/dumps.ts. */
const PROGRAM: ChildProgram = { file: fileURLToPath(import.meta.resolve('./dump-process.ts')), heapMb: 128 };

/** Rejects with what the process says if it fails, and with the reason of the signal once it has ended by it. */
export function runDumpProcess(task: DumpTask, signal: AbortSignal): Promise<DumpReport> {
  return runChild<DumpTask, DumpReport>(PROGRAM, task, signal);
}
