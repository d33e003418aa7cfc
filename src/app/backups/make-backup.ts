/** Makes one nightly backup: written, restored for a check, and only then under its name. */

import type { BackupAnswers } from '../../domain/backup-answers.ts';
import { atBackupMoment } from '../../store/backup/backup-moment.ts';
import { dump } from '../../store/backup/dump.ts';
import { openBackup } from '../../store/backup/open-backup.ts';
import { tryRestore } from '../../store/backup/try-restore.ts';
import { writeBackup } from '../../store/backup/write-backup.ts';
import { openDirectDatabase } from '../../store/connection/direct-database.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import type { OperatorLog } from '../../store/database-errors.ts';
import { acceptBackup, backupName, removeUnfinished, unverifiedPath } from '../../worker/backups/backup-folder.ts';
import type { MadeBackup } from '../../worker/backups/backup-job.ts';
import { ensureInstallationId } from '../../worker/backups/installation-id.ts';
import type { BackupTask } from './backup-task.ts';
import { readAnswers } from './read-answers.ts';

/** A large table or a slow disk keeps a database silent for up to this long. */
const SQL_IDLE_TIMEOUT_MS = 600_000;
const NEVER = new AbortController().signal;

/** Rejects with one line if any step fails; what is left of it then is removed by the next call. */
export async function makeBackup(task: BackupTask, log: OperatorLog): Promise<MadeBackup> {
  const installation = await ensureInstallationId(task.dataDir);
  const file = backupName(installation, task.now);
  const unverified = unverifiedPath(task.folder, file);
  await removeUnfinished(task.folder, installation);
  return withIdleTimeout(SQL_IDLE_TIMEOUT_MS, async () => {
    const { rows, bytes, answers } = await write(task, unverified, log);
    const backup = await openBackup(unverified);
    try {
      await tryRestore(backup, { signal: NEVER, log });
    } finally {
      await backup.close();
    }
    await acceptBackup(task.folder, file);
    return { file, bytes, rows, answers };
  });
}

/** One connection reads the rows, another one what is served, both of the same moment. */
async function write(task: BackupTask, file: string, log: OperatorLog) {
  const { databaseUrl, directUrl, dataDir, program, now, ranges, inService } = task;
  const database = await openDirectDatabase({
    databaseUrl: databaseUrl ?? undefined,
    directUrl: directUrl ?? undefined,
    ...{ dataDir, log, connections: 2, work: 'a backup' },
  });
  try {
    let answers: BackupAnswers | undefined;
    const atMoment = async (snapshot: string) => {
      answers = await atBackupMoment(database.kysely, snapshot, (tx) =>
        readAnswers(tx, { now, program, ranges, inService }),
      );
    };
    const { contents, bytes } = await writeBackup(file, dump(database, { program, now, atMoment }), NEVER);
    if (answers === undefined) throw new Error('a backup without answers');
    return { answers, bytes, rows: contents.tables.reduce((sum, { rows }) => sum + rows, 0) };
  } finally {
    await database.close();
  }
}
