/** Shows the nightly backups in the metrics of a process, where it has a folder for them. */
import type { Config } from '../../config/config.ts';
import { type BackupStatus, readBackupStatus } from '../../store/backup/backup-runs.ts';
import type { Database } from '../../store/connection/database.ts';

/** Where they are shown. */
type ShownBackups = {
  observeBackups(read: () => Promise<BackupStatus>, about: { readonly areSent: boolean }): void;
};

/** The figures are left out of a scrape if the database does not give them within this time. */
const TIMEOUT_MS = 2_000;

/** `serve` and `worker` show the same: one of them may run alone. */
export function observeBackups(
  metrics: ShownBackups,
  { BACKUP_DIR, BACKUP_COMMAND }: Pick<Config, 'BACKUP_DIR' | 'BACKUP_COMMAND'>,
  database: Pick<Database, 'transaction'>,
): void {
  if (BACKUP_DIR === null) return;
  const read = () => database.transaction((tx) => readBackupStatus(tx, Date.now()), { withinMs: TIMEOUT_MS });
  metrics.observeBackups(read, { areSent: BACKUP_COMMAND !== null });
}
