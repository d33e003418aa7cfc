/** Metrics of the nightly backups and their drills. */
import { Gauge, type Registry } from 'prom-client';
import type { BackupStatus } from '../../store/backup/backup-runs.ts';

/** Shows nothing while `read` fails; asks it once for each scrape. */
export function registerBackups(registry: Registry, read: () => Promise<BackupStatus>): void {
  let status: Promise<BackupStatus | null> | undefined;
  const readOnce = () => {
    status ??= read()
      .catch(() => null)
      .finally(() => {
        status = undefined;
      });
    return status;
  };
  const gauge = (name: string, help: string, figureOf: (known: BackupStatus) => number | undefined) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const known = await readOnce();
        const value = known === null ? undefined : figureOf(known);
        // Without labels it would show 0 where nothing was set.
        this.remove();
        if (value !== undefined) this.set(value);
      },
    });
  const seconds = (at: number | null | undefined) => (at === null || at === undefined ? undefined : at / 1_000);
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
