/** `pompa worker`: the scheduled work only. */

import { observeBackups } from '../../app/backups/observe-backups.ts';
import { type Command, CommandError } from '../../app/command.ts';
import { createDatabaseConnection, openMigrated } from '../../app/database/configured-database.ts';
import { refuseDemoFolder } from '../../app/demo/demo-folder.ts';
import { createLog } from '../../app/log/process-log.ts';
import { openMetrics } from '../../app/metrics/open-metrics.ts';
import { startMetricsServer } from '../../app/metrics-server.ts';
import { createCollector } from '../../app/scheduled-work/create-collector.ts';
import { createSchedule } from '../../app/scheduled-work/schedule.ts';
import { startScheduledWork } from '../../app/scheduled-work/start-scheduled-work.ts';
import { version } from '../../app/settings/version.ts';
import { startTracing } from '../../app/tracing/start-tracing.ts';
import { whenAborted } from '../../concurrency/when-aborted.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import { runDueWork } from '../../worker/scheduler.ts';
import { failureText, runLine } from '../reports/run-report.ts';

export const workerCommand: Command = {
  name: 'worker',
  usage: 'worker [--once]',
  details: `Any number may run; a lease lets one at a time do each job.
  --once   run the due jobs, then exit`,
  flags: { once: { type: 'boolean' } },
  args: { min: 0, max: 0 },
  async run({ config, flags, terminal, signal }) {
    refuseDemoFolder(config);
    const log = createLog(config);
    if (flags.once) {
      const database = await openMigrated(config, log, signal);
      try {
        const schedule = createSchedule(config, createCollector(config, database, log), log);
        const done: RunRecord[] = [];
        await runDueWork({ ...schedule, onRuns: (runs) => done.push(...runs) }, signal);
        for (const run of done) terminal.out(runLine(run));
        const failed = done.filter(({ outcome }) => outcome !== 'delivered');
        if (failed.length > 0) throw new CommandError(failed.map(failureText).join('; '));
        return 0;
      } finally {
        await database.close();
      }
    }
    const tracing = await startTracing(config, version(), log);
    const metrics = await openMetrics(config, version());
    const metricsServer = await startMetricsServer(metrics, config, log);
    metrics.expectDatabase();
    const database = await createDatabaseConnection(config, log, signal).connect();
    if (database === null) {
      await Promise.all([metricsServer.close(), tracing.close()]);
      return 0;
    }
    metrics.observeDatabase(database);
    observeBackups(metrics, config, database);
    const worker = startScheduledWork(config, database, log, {
      counts: { webhook: metrics.webhooks },
      onWebhook: metrics.deliveries,
      work: metrics.observeWorker(),
    });
    log.info(
      `working: collecting ${config.SOURCES.join(', ') || 'nothing'} every ${config.COLLECT_EVERY / 60_000} min`,
    );
    await whenAborted(signal);
    await worker.close();
    await database.close();
    await Promise.all([metricsServer.close(), tracing.close()]);
    return 0;
  },
};
