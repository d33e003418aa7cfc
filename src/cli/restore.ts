/** `pompa restore`: a backup into an empty database. */

import { type Command, type CommandCall, CommandError } from '../app/command.ts';
import { createLog, openUnmigrated } from '../app/wiring.ts';
import { type Backup, openBackup } from '../store/backup/open-backup.ts';
import { restore, splitMigrations } from '../store/backup/restore.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';
import { deleteLastGood } from '../store/prices/last-good.ts';
import { asCommandError, megabytes, rowsOf, secondsSince } from './backup.ts';

/** PostgreSQL sends nothing while it creates foreign keys and statistics of large tables. */
const SQL_IDLE_TIMEOUT_MS = 600_000;

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'restore FILE [--check] [--json]',
  details: `The database must be empty and nobody else connected: stop every serve and worker first. All or nothing.
  --check   read the whole file and print what it holds; the database is not touched`,
  flags: { check: { type: 'boolean' } },
  args: { min: 1, max: 1 },
  async run(call) {
    const startedAt = performance.now();
    const backup = await openBackup(call.args[0] as string).catch((error) => Promise.reject(asCommandError(error)));
    try {
      const { later } = splitMigrations(backup.contents.migrations);
      const migrated = call.flags.check ? later.map(({ name }) => name) : await restoreInto(call, backup);
      printResult(call, backup, migrated, secondsSince(startedAt));
      return 0;
    } catch (error) {
      throw asCommandError(error);
    } finally {
      await backup.close();
    }
  },
};

async function restoreInto({ config, terminal, signal }: CommandCall, backup: Backup): Promise<readonly string[]> {
  const database = await openUnmigrated(config, createLog(config), signal, 1);
  let table = 0;
  const onTable = (name: string) => {
    table += 1;
    terminal.progress(`restore: ${name}, ${table} of ${backup.contents.tables.length} tables`);
  };
  try {
    const { migrated } = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () =>
      restore(database, backup, { onTable, signal }),
    );
    terminal.progress('');
    await deleteLastGood(config.DATA_DIR).catch((error) => {
      throw new CommandError(
        `everything was restored, but the previous last good state could not be removed: ${error.message}`,
      );
    });
    return migrated;
  } finally {
    await database.close();
  }
}

function printResult(
  { args, flags, terminal }: CommandCall,
  { contents, bytes }: Backup,
  migrated: readonly string[],
  seconds: number,
): void {
  const { made, program, tables } = contents;
  const rows = rowsOf(contents);
  const check = flags.check === true;
  if (flags.json) {
    const result = {
      file: args[0],
      made,
      program,
      tables: tables.length,
      rows,
      bytes,
      migrated,
      restored: !check,
      seconds,
    };
    terminal.out(JSON.stringify(result));
    return;
  }
  const what = `${rows} rows of ${tables.length} tables, ${megabytes(bytes)}, made ${made} by Pompa ${program}`;
  const later = migrated.length === 0 ? '' : `; migrations that came later: ${migrated.join(', ')}`;
  terminal.out(`${args[0]}: ${check ? 'good' : 'restored'}: ${what}${later}, ${seconds} s`);
}
