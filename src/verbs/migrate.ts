/** `pompa migrate`: brings the tables up to date. */
import { openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrations.ts';
import { createLog } from './parts.ts';
import type { Verb } from './verb.ts';

export const migrateVerb: Verb = {
  name: 'migrate',
  usage: 'migrate [--json]',
  details: 'Forward only, all pending ones in one transaction; safe while others start.',
  flags: {},
  words: { least: 0, most: 0 },
  async run({ config, flags, terminal, signal }) {
    const log = createLog(config);
    const database = await openDatabase({
      databaseUrl: config.DATABASE_URL ?? undefined,
      dataDir: config.DATA_DIR,
      log,
      signal,
    });
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
