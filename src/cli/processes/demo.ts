/** `pompa demo`: the whole service on a simulated country, no network needed. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../../app/command.ts';
import { createLog } from '../../app/log/process-log.ts';
import { bindSockets } from '../../app/processes/bind-sockets.ts';
import { ConfigError } from '../../config/config.ts';
import { attachToDatabase } from '../../store/embedded/supervisor-client.ts';

/** Loading the program blocks the event loop, which first needs this long to start the supervisor of the database. */
const STARTED_WITHIN_MS = 10;

export const demoCommand: Command = {
  name: 'demo',
  usage: 'demo [--silent-source] [--still]',
  details: `A simulated national register and a simulated German source on loopback, collections, the worker, the API and
the site, with its own data in DATA_DIR/demo. One price moves every minute, which the feed of changes, its Atom feeds and
webhooks tell. PORT, HOST and DATA_DIR are honoured. ALL DATA ARE SIMULATED.

  --silent-source  a new country has one more source, which has been silent for three days: /health answers 503
  --still          no price moves between collections`,
  flags: { 'silent-source': { type: 'boolean' }, still: { type: 'boolean' } },
  args: { min: 0, max: 0 },
  async run({ config: userConfig, flags, terminal, signal }) {
    if (userConfig.DATABASE_URL !== null) {
      throw new ConfigError('DATABASE_URL must be unset for pompa demo: simulated data belong in their own database');
    }
    if (userConfig.FOLLOW_URL !== null)
      throw new ConfigError('FOLLOW_URL must be unset for pompa demo: it shows simulated data alone');
    const folder = path.join(userConfig.DATA_DIR, 'demo');
    // A demo on a taken port must not leave a database.
    const { sockets } = await bindSockets(userConfig.HOST, userConfig.PORT, 1, { tries: 1 });
    for (const socket of sockets) socket.close();
    const log = createLog(userConfig);
    const ended = new AbortController();
    // PostgreSQL creates its files while the program is loaded. A failure is left to the service, which attaches too.
    const whileRunning = AbortSignal.any([signal, ended.signal]);
    const attachment = attachToDatabase(folder, { signal: whileRunning, log }).catch(() => null);
    try {
      await sleep(STARTED_WITHIN_MS);
      const { runDemo } = await import('../../app/demo/run-demo.ts');
      const silentSource = flags['silent-source'] === true;
      await runDemo({ userConfig, folder, silentSource, still: flags.still === true, terminal, log, signal });
    } finally {
      ended.abort();
      await (await attachment)?.close();
    }
    return 0;
  },
};
