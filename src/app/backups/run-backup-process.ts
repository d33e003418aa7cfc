/** Runs the process that makes backups or drills one, and waits for its report. */
import { fileURLToPath } from 'node:url';
import type { Drill } from '../../store/backup/backup-runs.ts';
import type { MadeBackup } from '../../worker/backups/backup-job.ts';
import { type ChildProgram, runChild } from '../child/run-child.ts';
import type { BackupTask } from './backup-task.ts';

/** bench/scaling/nightly-backup.ts measures it. */
const PROGRAM: ChildProgram = { file: fileURLToPath(import.meta.resolve('./backup-process.ts')), heapMb: 256 };

type Task = Omit<BackupTask, 'work'>;

/** Rejects with what the process says if it fails, and with the reason of the signal once it has ended by it. */
export function runBackupProcess(task: Task, signal: AbortSignal): Promise<MadeBackup> {
  return runChild<BackupTask, MadeBackup>(PROGRAM, { ...task, work: 'backup' }, signal);
}

/** Likewise. */
export function runDrillProcess(task: Task, signal: AbortSignal): Promise<Drill> {
  return runChild<BackupTask, Drill>(PROGRAM, { ...task, work: 'drill' }, signal);
}
