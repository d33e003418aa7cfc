/** `pompa serve`: the HTTP service. */

import type { Verb } from '../app/command.ts';
import { startServing } from '../app/service.ts';
import { stopped } from '../app/shutdown.ts';
import { createLog } from '../app/wiring.ts';

export const serveVerb: Verb = {
  name: 'serve',
  usage: 'serve [--no-worker]',
  details: `Applies pending migrations first. With the embedded database the scheduled work is done inside as well.
  --no-worker   leave the scheduled work to pompa worker`,
  flags: { 'no-worker': { type: 'boolean' } },
  words: { least: 0, most: 0 },
  async run({ config, flags, terminal, signal }) {
    const log = createLog(config);
    const worker = config.DATABASE_URL === null && flags['no-worker'] !== true;
    const serving = await startServing({ config, log, worker, simulated: false, signal });
    // Whoever asks from here on finds keys verified and limits counted, where the database can be had.
    await serving.settled;
    if (!signal.aborted) terminal.out(`listening on ${serving.address}`);
    const ended = stopped(signal);
    try {
      await Promise.race([ended, serving.database.then(() => ended)]);
    } finally {
      await serving.close();
    }
    return 0;
  },
};
