/** The nightly backups of the configured database, for the worker. */
import type { Config } from '../../config/config.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { type BackupJob, createBackupRunner } from '../../worker/backups/backup-job.ts';
import { runBackupProcess, runDrillProcess } from './run-backup-process.ts';
import { sendBackup } from './send-backup.ts';

/** `undefined` = no folder for backups is set. */
export function createNightlyBackups(
  config: Config,
  { ranges, inService }: Pick<CollectionSettings, 'ranges' | 'inService'>,
  { program, ...parts }: Pick<BackupJob, 'database' | 'holder' | 'clock' | 'log'> & { readonly program: string },
): ((signal: AbortSignal) => Promise<void>) | undefined {
  const { BACKUP_DIR: folder, BACKUP_KEEP: keep, BACKUP_COMMAND: words, BACKUP_COMMAND_TIMEOUT: timeoutMs } = config;
  if (folder === null) return undefined;
  const task = () => ({
    ...{ databaseUrl: config.DATABASE_URL, directUrl: config.DATABASE_DIRECT_URL, dataDir: config.DATA_DIR },
    ...{ folder, program },
    ...{ now: parts.clock(), ranges, inService },
  });
  return createBackupRunner({
    ...{ ...parts, folder, keep },
    make: (signal) => runBackupProcess(task(), signal),
    drill: (file, signal) => runDrillProcess(task(), file, signal),
    send: words === null ? null : (file, signal) => sendBackup(file, { words, timeoutMs }, signal),
  });
}
