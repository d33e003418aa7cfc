/** A drill: the newest backup, restored into a database of its own, answers as the service did at its moment. */
import path from 'node:path';
import { differentAnswers } from '../../domain/backup-answers.ts';
import { BackupRefused, isOfThisMachine } from '../../store/backup/backup-refusals.ts';
import { type Drill, type GoodBackup, readBackupStatus } from '../../store/backup/backup-runs.ts';
import { openBackup } from '../../store/backup/open-backup.ts';
import { tryRestore } from '../../store/backup/try-restore.ts';
import type { Database } from '../../store/connection/database.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { messageOf, type OperatorLog } from '../../store/database-errors.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { readAnswers } from './read-answers.ts';

const SQL_IDLE_TIMEOUT_MS = 600_000;

export type DrillOptions = {
  readonly folder: string;
  /** Version of this program. */
  readonly program: string;
  /** Epoch ms. */
  readonly now: number;
  readonly log: OperatorLog;
  readonly signal: AbortSignal;
  /** Called when each table begins. */
  readonly onTable?: (table: string) => void;
};

/**
 * Restores the newest backup that the database knows into an embedded database, which is removed afterwards, and
 * compares answers. What is wrong with the backup is in the result. Rejects where it could not be tried, with
 * `BackupRefused` if there is none, if its file is not here, or if there is no room for it.
 */
export async function drillNewest(db: Database<Schema>['kysely'], options: DrillOptions): Promise<Drill> {
  const { last } = await readBackupStatus(db, options.now);
  if (last === null)
    throw new BackupRefused('there is no nightly backup yet: the worker makes one where BACKUP_DIR is set');
  const begunAt = performance.now();
  const result = await compare(last, options).catch((error) => {
    options.signal.throwIfAborted();
    if (isOfThisMachine(error)) throw error;
    return { compared: [], differences: [], failure: messageOf(error) };
  });
  const seconds = Math.round((performance.now() - begunAt) / 100) / 10;
  return { startedAt: options.now, seconds, file: last.file, ...result };
}

async function compare(
  { file, answers: recorded }: GoodBackup,
  { folder, program, log, signal, onTable }: DrillOptions,
): Promise<Pick<Drill, 'compared' | 'differences' | 'failure'>> {
  const { answers, ...moment } = recorded;
  const backup = await openBackup(path.join(folder, file));
  try {
    const { used } = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () =>
      tryRestore(backup, { signal, log, ...(onTable && { onTable }) }, (restored) =>
        inReadSnapshot(restored.kysely, (tx) => readAnswers(tx, moment)),
      ),
    );
    const differences = differentAnswers(answers, used?.answers ?? {});
    const isOtherProgram = differences.length > 0 && moment.program !== program;
    const failure = `Pompa ${moment.program} answered then, and this is ${program}: drill the next backup`;
    return { compared: Object.keys(answers), differences, failure: isOtherProgram ? failure : null };
  } finally {
    await backup.close();
  }
}
