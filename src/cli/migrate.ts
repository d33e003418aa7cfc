/** `pompa migrate`: brings the tables up to date. */

import type { Command } from '../app/command.ts';
import { migrateConfigured, openUnmigrated } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: 'migrate [--json]',
  details: 'Forward only; safe while others start, read and write.',
  flags: {},
  args: { min: 0, max: 0 },
  async run({ config, flags, terminal, signal }) {
    const log = createLog(config);
    const database = await openUnmigrated(config, log, signal);
    try {
      const applied = await migrateConfigured(config, log, database, signal);
      if (flags.json) terminal.out(JSON.stringify({ applied }));
      else terminal.out(applied.length === 0 ? 'the tables are up to date' : `applied ${applied.join(', ')}`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
