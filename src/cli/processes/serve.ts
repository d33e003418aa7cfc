/** `pompa serve`: the HTTP service, in one process or in several on one address. */

import type { Command } from '../../app/command.ts';
import { refuseDemoFolder } from '../../app/demo/demo-folder.ts';
import { createLog } from '../../app/log/process-log.ts';
import { processCount } from '../../app/processes/process-count.ts';
import { afterStopDelay } from '../../app/stop-delay.ts';
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { hasNoDatabase } from '../../config/follower-settings.ts';

export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve [--processes N|auto] [--no-worker]',
  details: `Listens at once, and applies pending migrations as soon as the database answers. With the embedded database it does the scheduled work as well.
  --processes N   that many serving processes on one address; auto = one per core, as far as the memory goes. A process
                  that ends is replaced; SIGHUP exchanges them one by one, and no request is lost
  --no-worker     leave the scheduled work to pompa worker`,
  flags: { processes: { type: 'string' }, 'no-worker': { type: 'boolean' } },
  args: { min: 0, max: 0 },
  async run({ config, flags, terminal, signal: stopRequested }) {
    refuseDemoFolder(config);
    const worker = config.DATABASE_URL === null && !hasNoDatabase(config) && flags['no-worker'] !== true;
    if (typeof flags.processes === 'string') {
      // Loaded apart: the supervisor needs a small part of the program.
      const { serveInProcesses } = await import('./serve-in-processes.ts');
      return serveInProcesses({
        processes: processCount(flags.processes),
        worker,
        config,
        terminal,
        signal: stopRequested,
      });
    }
    const { startService } = await import('../../app/start-service.ts');
    const log = createLog(config);
    const signal = afterStopDelay(stopRequested, config.STOP_DELAY, log);
    const service = await startService({ config, log, worker, simulated: false, signal, stopRequested });
    // From here on keys are verified and limits counted, if the database is available.
    await service.ready;
    if (!stopRequested.aborted) terminal.out(`listening on ${service.address}`);
    const stopped = whenAborted(signal);
    try {
      await Promise.race([stopped, service.database.then(() => stopped)]);
    } finally {
      await service.close();
    }
    return 0;
  },
};
