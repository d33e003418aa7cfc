/** Metrics of the nightly backups and their drills. */
import type { Registry } from 'prom-client';
import type { BackupStatus } from '../../store/backup/backup-runs.ts';
import { registerGauge, single } from './scraped-metrics.ts';
import { sharedReading } from './shared-reading.ts';

export function registerBackups(registry: Registry, read: () => Promise<BackupStatus>): void {
  const status = sharedReading(read);
  const gauge = (name: string, help: string, figureOf: (status: BackupStatus) => number | null | undefined) =>
    // Every process reads the same rows.
    registerGauge(registry, { name, help, aggregator: 'max' }, async () => {
      const known = await status();
      return single(known === null ? null : (figureOf(known) ?? null));
    });
  const seconds = (at: number | null | undefined) => (at === null || at === undefined ? null : at / 1_000);
  gauge(
    'pompa_backup_last_success_timestamp_seconds',
    'Of which moment the newest backup is that was restored for a check.',
    ({ last }) => seconds(last?.startedAt),
  );
  gauge('pompa_backup_size_bytes', 'Size of that backup.', ({ last }) => last?.bytes);
  gauge(
    'pompa_backup_sent_timestamp_seconds',
    'When BACKUP_COMMAND took it elsewhere; absent while it has not.',
    ({ last }) => seconds(last?.sentAt),
  );
  gauge(
    'pompa_restore_drill_last_success_timestamp_seconds',
    'When a restored backup last gave the answers of its moment.',
    ({ drillPassedAt }) => seconds(drillPassedAt),
  );
}
