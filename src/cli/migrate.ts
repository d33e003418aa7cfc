/** `pompa migrate`: brings the tables up to date. */

import type { Verb } from '../app/command.ts';
import { createLog, openAsItIs } from '../app/wiring.ts';
import { migrate } from '../store/connection/migrations.ts';

export const migrateVerb: Verb = {
  name: 'migrate',
  usage: 'migrate [--json]',
  details: 'Forward only, all pending ones in one transaction; safe while others start.',
  flags: {},
  words: { least: 0, most: 0 },
  async run({ config, flags, terminal, signal }) {
    const database = await openAsItIs(config, createLog(config), signal);
    try {
      const applied = await migrate(database);
      if (flags.json) terminal.out(JSON.stringify({ applied }));
      else terminal.out(applied.length === 0 ? 'the tables are up to date' : `applied ${applied.join(', ')}`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
