/** Metrics of the nightly backups and their drills. */
import type { Registry } from 'prom-client';
import type { BackupStatus } from '../../store/backup/backup-runs.ts';
import { registerGauge, single } from './scraped-metrics.ts';
import { sharedReading } from './shared-reading.ts';

/**
 * A time that never was is 0, which alerts see, unlike a metric that is absent: all are absent while the database is
 * away. `areSent` = `BACKUP_COMMAND` takes backups elsewhere.
 */
export function registerBackups(
  registry: Registry,
  read: () => Promise<BackupStatus>,
  { areSent }: { readonly areSent: boolean },
): void {
  const status = sharedReading(read);
  const gauge = (name: string, help: string, figureOf: (status: BackupStatus) => number | null | undefined) =>
    // Every process reads the same rows.
    registerGauge(registry, { name, help, aggregator: 'max' }, async () => {
      const known = await status();
      return single(known === null ? null : (figureOf(known) ?? null));
    });
  const seconds = (at: number | null | undefined) => (at ?? 0) / 1_000;
  gauge(
    'pompa_backup_last_success_timestamp_seconds',
    'Of which moment the newest backup is that was restored for a check; 0 while there is none.',
    ({ last }) => seconds(last?.startedAt),
  );
  gauge('pompa_backup_size_bytes', 'Size of that backup.', ({ last }) => last?.bytes);
  gauge(
    'pompa_backup_sent_timestamp_seconds',
    'When BACKUP_COMMAND last took a backup elsewhere; 0 while it never has, absent where that is unset.',
    ({ lastSentAt }) => (areSent ? seconds(lastSentAt) : null),
  );
  gauge(
    'pompa_restore_drill_last_success_timestamp_seconds',
    'When a restored backup last gave the answers of its moment; 0 while none has.',
    ({ drillPassedAt }) => seconds(drillPassedAt),
  );
}
