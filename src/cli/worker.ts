/** `pompa worker`: the scheduled work only. */

import { Failure, type Verb } from '../app/command.ts';
import { connectWithPatience } from '../app/database-connection.ts';
import { stopped } from '../app/shutdown.ts';
import { collectorOf, createLog, openStore, scheduleOf } from '../app/wiring.ts';
import type { RunRecord } from '../store/prices/runs.ts';
import { startWorker, workOnce } from '../worker/scheduler.ts';
import { failureText, runLine } from './reports/run-report.ts';

export const workerVerb: Verb = {
  name: 'worker',
  usage: 'worker [--once]',
  details: `Any number may run; a lease lets one at a time do each job.
  --once   do what is due now and end`,
  flags: { once: { type: 'boolean' } },
  words: { least: 0, most: 0 },
  async run({ config, flags, terminal, signal }) {
    const log = createLog(config);
    if (flags.once) {
      const database = await openStore(config, log, signal);
      try {
        const schedule = scheduleOf(config, collectorOf(config, database, log), log);
        const done: RunRecord[] = [];
        await workOnce({ ...schedule, onRuns: (runs) => done.push(...runs) }, signal);
        for (const run of done) terminal.out(runLine(run));
        const failed = done.filter(({ outcome }) => outcome !== 'delivered');
        if (failed.length > 0) throw new Failure(failed.map(failureText).join('; '));
        return 0;
      } finally {
        await database.close();
      }
    }
    const database = await connectWithPatience(config, log, signal);
    if (database === null) return 0;
    const worker = startWorker(scheduleOf(config, collectorOf(config, database, log), log));
    log.info(
      `working: collecting ${config.SOURCES.join(', ') || 'nothing'} every ${config.COLLECT_EVERY / 60_000} min`,
    );
    await stopped(signal);
    await worker.close();
    await database.close();
    return 0;
  },
};
