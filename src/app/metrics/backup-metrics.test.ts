/** The metrics of backups where nothing ever succeeded: alerts must see it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_BACKUPS } from '../../../test/support/service/no-backups.ts';
import type { BackupStatus } from '../../store/backup/backup-runs.ts';
import { createMetrics } from './metrics.ts';

async function shown(read: () => Promise<BackupStatus>, areSent: boolean): Promise<string[]> {
  const metrics = createMetrics();
  metrics.observeBackups(read, { areSent });
  return (await metrics.text()).split('\n').filter((line) => /^pompa_(backup|restore)/.test(line));
}

test('what never was is 0, and only a database that is away leaves out metrics', async () => {
  const times = [
    'pompa_backup_last_success_timestamp_seconds 0',
    'pompa_restore_drill_last_success_timestamp_seconds 0',
  ];
  assert.deepEqual(await shown(async () => NO_BACKUPS, false), times);
  const [first = '', last = ''] = times;
  assert.deepEqual(await shown(async () => NO_BACKUPS, true), [first, 'pompa_backup_sent_timestamp_seconds 0', last]);
  assert.deepEqual(await shown(() => Promise.reject(new Error('away')), true), []);
});
