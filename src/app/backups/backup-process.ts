/** The process that makes backups, and drills them, for a worker. */
import { openDatabase } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import type { OperatorLog } from '../../store/database-errors.ts';
import { runChildTask } from '../child/child-task.ts';
import type { BackupTask } from './backup-task.ts';
import { drillNewest } from './drill.ts';
import { makeBackup } from './make-backup.ts';

await runChildTask(
  (task: BackupTask, log): Promise<unknown> => (task.work === 'backup' ? makeBackup(task, log) : drill(task, log)),
);

async function drill({ databaseUrl, dataDir, folder, program, now }: BackupTask, log: OperatorLog) {
  const database = await openDatabase<Schema>({
    databaseUrl: databaseUrl ?? undefined,
    ...{ dataDir, log, connections: 1 },
  });
  try {
    return await drillNewest(database.kysely, { folder, program, now, log, signal: new AbortController().signal });
  } finally {
    await database.close();
  }
}
