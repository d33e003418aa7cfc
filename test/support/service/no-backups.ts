/** Backups of which none was ever made. */
import type { BackupStatus } from '../../../src/store/backup/backup-runs.ts';

export const NO_BACKUPS: BackupStatus = {
  last: null,
  lastSentAt: null,
  failure: null,
  drill: null,
  drillPassedAt: null,
  ahead: null,
};
