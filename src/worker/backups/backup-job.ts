/** Makes a backup every night, takes it elsewhere, and drills one every week. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { lastTimeOfDay } from '../../domain/days.ts';
import {
  type BackupStatus,
  type Drill,
  type GoodBackup,
  readBackupStatus,
  recordBackup,
  recordDrill,
  recordSending,
} from '../../store/backup/backup-runs.ts';
import type { Database } from '../../store/connection/database.ts';
import { underLease } from '../leases/under-lease.ts';
import { pruneBackups } from './backup-folder.ts';

export type MadeBackup = Pick<GoodBackup, 'file' | 'bytes' | 'rows' | 'answers'>;

export type BackupJob = {
  readonly database: Database;
  readonly holder: string;
  readonly folder: string;
  /** How many backups stay. */
  readonly keep: number;
  readonly clock: () => number;
  /** Makes a backup and restores it for a check, in a process of its own. */
  readonly make: (signal: AbortSignal) => Promise<MadeBackup>;
  /**
   * Restores the newest, whose name this is, and compares answers, in a process of its own. Rejects where that could
   * not be tried: what the backup or its restoring is to blame for is in the result.
   */
  readonly drill: (file: string, signal: AbortSignal) => Promise<Drill>;
  /** Takes a file elsewhere; `null` = backups stay here. */
  readonly send: ((file: string, signal: AbortSignal) => Promise<void>) | null;
  readonly log: { info(message: string): void; warn(message: string): void };
};

/** Few people read at this hour in Bucharest, and the dumps are made an hour later. */
const NIGHT_HOUR = 2;
const DAY_MS = 86_400_000;
/** From a drill to the nightly backup that is drilled next: one week is a little less than seven days. */
const DRILL_EVERY_MS = 6.5 * DAY_MS;
const SEND_AGAIN_MS = 3_600_000;
/** How often the database is asked whether something is due. */
const LOOK_EVERY_MS = 30_000;
const LEASE = { lease: 'backup', lost: 'another process makes the backup now: this one was silent for too long' };

/** Does what is due; looks for it every half minute. */
export function createBackupRunner(job: BackupJob): (signal: AbortSignal) => Promise<void> {
  const { database, holder, clock } = job;
  let nextLook = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    if (clock() < nextLook) return;
    nextLook = clock() + LOOK_EVERY_MS;
    if (workDue(job, await readBackupStatus(database.kysely, clock())) === null) return;
    await underLease(database.kysely, LEASE, { holder, restAfterFailure: true, signal }, async (mayGoOn) => {
      // Each step is looked up again: another process may have done it meanwhile.
      for (;;) {
        const due = workDue(job, await readBackupStatus(database.kysely, clock()));
        if (due === null) return;
        await due(mayGoOn);
      }
    });
  };
}

type Work = (signal: AbortSignal) => Promise<void>;

/** What is due next; `null` = nothing. */
function workDue(job: BackupJob, { last, drill }: BackupStatus): Work | null {
  const now = job.clock();
  if (last === null || last.startedAt < lastTimeOfDay(NIGHT_HOUR, now)) return (signal) => makeOne(job, signal);
  if (!existsSync(path.join(job.folder, last.file))) return null;
  if (isSendingDue(job, last)) return (signal) => send(job, last, signal);
  if (isDrillDue(last, drill)) return (signal) => drillOne(job, last, signal);
  return null;
}

/** Each follows a backup, at night; one that failed is followed by one of the next backup. */
function isDrillDue(last: GoodBackup, drill: Drill | null): boolean {
  if (drill === null) return true;
  const passed = drill.failure === null && drill.differences.length === 0;
  return last.startedAt - drill.startedAt >= (passed ? DRILL_EVERY_MS : 1);
}

function isSendingDue({ send, clock }: BackupJob, { sentAt, sendTriedAt }: GoodBackup): boolean {
  return send !== null && sentAt === null && (sendTriedAt === null || clock() - sendTriedAt >= SEND_AGAIN_MS);
}

async function makeOne({ database, folder, keep, clock, make, log }: BackupJob, signal: AbortSignal): Promise<void> {
  const startedAt = clock();
  const record = (outcome: Parameters<typeof recordBackup>[2]) =>
    recordBackup(database.kysely, { startedAt, finishedAt: clock() }, outcome);
  const made = await make(signal).catch(async (error: Error) => {
    if (!signal.aborted) await record({ failure: error.message });
    throw error;
  });
  await record(made);
  const removed = await pruneBackups(folder, made.file, keep);
  const { file, rows, bytes } = made;
  log.info(
    `backup: ${path.join(folder, file)}, ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, restored for a check; ${removed} older ones removed`,
  );
}

/** A backup that could not be sent is a good one: the failure is recorded, and sending is tried again. */
async function send({ database, folder, clock, send, log }: BackupJob, { id, file }: GoodBackup, signal: AbortSignal) {
  const failure = await send?.(path.join(folder, file), signal).then(
    () => null,
    (error: Error) => error.message,
  );
  signal.throwIfAborted();
  await recordSending(database.kysely, id, clock(), failure ?? null);
  if (failure)
    log.warn(`backup: BACKUP_COMMAND did not take ${file} elsewhere, and is tried again in an hour: ${failure}`);
  else log.info(`backup: BACKUP_COMMAND took ${file} elsewhere`);
}

async function drillOne(
  { database, drill, log }: BackupJob,
  last: Pick<GoodBackup, 'file'>,
  signal: AbortSignal,
): Promise<void> {
  const result = await drill(last.file, signal);
  await recordDrill(database.kysely, result);
  const { file, compared, differences, failure, seconds } = result;
  if (failure !== null) log.warn(`the drill of ${file} failed: ${failure}`);
  else if (differences.length > 0) log.warn(`the drill of ${file} found other answers: ${differences.join(', ')}`);
  else log.info(`drill: ${file} was restored, ${compared.length} answers are the same, ${seconds} s`);
}
