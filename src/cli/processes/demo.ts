/** `pompa demo`: the whole service on a simulated country, no network needed. */
import path from 'node:path';
import type { Command } from '../../app/command.ts';
import { runDemo } from '../../app/demo/run-demo.ts';
import { createLog } from '../../app/log/process-log.ts';
import { ConfigError } from '../../config/config.ts';

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
    const log = createLog(userConfig);
    const silentSource = flags['silent-source'] === true;
    await runDemo({ userConfig, folder, silentSource, still: flags.still === true, terminal, log, signal });
    return 0;
  },
};
