/** `pompa restore`: a backup into an empty database. */

import { type Call, Failure, type Verb } from '../app/command.ts';
import { createLog, openAsItIs } from '../app/wiring.ts';
import { type Backup, openBackup } from '../store/backup/file.ts';
import { levelOf, restore } from '../store/backup/restore.ts';
import { patiently } from '../store/connection/idle-timeout.ts';
import { forgetLastGood } from '../store/prices/last-good.ts';
import { megabytes, secondsSince, told } from './backup.ts';

/** References and statistics of large tables are made without a word. */
const SILENT_MS = 600_000;

export const restoreVerb: Verb = {
  name: 'restore',
  usage: 'restore FILE [--check] [--json]',
  details: `The database must be empty and nobody else connected: end every serve and worker first. All or nothing.
  --check   read the whole file and tell what it holds; the database is not touched`,
  flags: { check: { type: 'boolean' } },
  words: { least: 1, most: 1 },
  async run(call) {
    const begun = performance.now();
    const backup = await openBackup(call.words[0] as string).catch((error) => Promise.reject(told(error)));
    try {
      const { later } = levelOf(backup.contents.origin.migrations);
      const migrated = call.flags.check ? later.map(({ name }) => name) : await restoreInto(call, backup);
      tell(call, backup, migrated, secondsSince(begun));
      return 0;
    } catch (error) {
      throw told(error);
    } finally {
      await backup.close();
    }
  },
};

async function restoreInto({ config, terminal, signal }: Call, backup: Backup): Promise<readonly string[]> {
  const database = await openAsItIs(config, createLog(config), signal, 1);
  let table = 0;
  const onTable = (name: string) => {
    table += 1;
    terminal.progress(`restore: ${name}, ${table} of ${backup.contents.tables.length} tables`);
  };
  try {
    const { migrated } = await patiently(SILENT_MS, () => restore(database, backup, { onTable, signal }));
    terminal.progress('');
    await forgetLastGood(config.DATA_DIR).catch((error) => {
      throw new Failure(
        `everything was restored, but the last good state of before could not be removed: ${error.message}`,
      );
    });
    return migrated;
  } finally {
    await database.close();
  }
}

function tell(
  { words, flags, terminal }: Call,
  { contents }: Backup,
  migrated: readonly string[],
  seconds: number,
): void {
  const { origin, tables, bytes } = contents;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const check = flags.check === true;
  if (flags.json) {
    const { made, program } = origin;
    const told = {
      file: words[0],
      made,
      program,
      tables: tables.length,
      rows,
      bytes,
      migrated,
      restored: !check,
      seconds,
    };
    terminal.out(JSON.stringify(told));
    return;
  }
  const what = `${rows} rows of ${tables.length} tables, ${megabytes(bytes)}, made ${origin.made} by Pompa ${origin.program}`;
  const later = migrated.length === 0 ? '' : `; migrations that came later: ${migrated.join(', ')}`;
  terminal.out(`${words[0]}: ${check ? 'good' : 'restored'}: ${what}${later}, ${seconds} s`);
}
