/** Runs the process that makes backups or drills one, and waits for its report. */
import { fileURLToPath } from 'node:url';
import type { Drill } from '../../store/backup/backup-runs.ts';
import type { MadeBackup } from '../../worker/backups/backup-job.ts';
import { ChildKilled, type ChildProgram, runChild } from '../child/run-child.ts';
import type { BackupTask } from './backup-task.ts';

/** bench/scaling/nightly-backup.ts measures it. */
const PROGRAM: ChildProgram = { file: fileURLToPath(import.meta.resolve('./backup-process.ts')), heapMb: 256 };

type Task = Omit<BackupTask, 'work'>;

/** Rejects with what the process says if it fails, and with the reason of the signal once it has ended by it. */
export function runBackupProcess(task: Task, signal: AbortSignal): Promise<MadeBackup> {
  return runChild<BackupTask, MadeBackup>(PROGRAM, { ...task, work: 'backup' }, signal);
}

/**
 * Likewise, for the newest backup, whose name is `file`. One whose process is killed, for want of memory perhaps, has
 * failed: it would fail likewise when it is repeated.
 */
export async function runDrillProcess(task: Task, file: string, signal: AbortSignal): Promise<Drill> {
  const begunAt = performance.now();
  try {
    return await runChild<BackupTask, Drill>(PROGRAM, { ...task, work: 'drill' }, signal);
  } catch (error) {
    if (!(error instanceof ChildKilled)) throw error;
    const seconds = Math.round((performance.now() - begunAt) / 100) / 10;
    return { startedAt: task.now, seconds, file, compared: [], differences: [], failure: error.message };
  }
}
