/** `pompa serve`: the HTTP service. */

import type { Command } from '../../app/command.ts';
import { createLog } from '../../app/composition.ts';
import { startService } from '../../app/service.ts';
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { hasNoDatabase } from '../../config/follower-settings.ts';

export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve [--no-worker]',
  details: `Listens at once, and applies pending migrations as soon as the database answers. With the embedded database it does the scheduled work as well.
  --no-worker   leave the scheduled work to pompa worker`,
  flags: { 'no-worker': { type: 'boolean' } },
  args: { min: 0, max: 0 },
  async run({ config, flags, terminal, signal }) {
    const log = createLog(config);
    const worker = config.DATABASE_URL === null && !hasNoDatabase(config) && flags['no-worker'] !== true;
    const service = await startService({ config, log, worker, simulated: false, signal });
    // From here on keys are verified and limits counted, if the database is available.
    await service.ready;
    if (!signal.aborted) terminal.out(`listening on ${service.address}`);
    const stopRequested = whenAborted(signal);
    try {
      await Promise.race([stopRequested, service.database.then(() => stopRequested)]);
    } finally {
      await service.close();
    }
    return 0;
  },
};
