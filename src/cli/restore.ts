/** `pompa restore`: a backup into an empty database, or a try of one. */

import { type Command, type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { openDirect } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import { BackupRefused } from '../store/backup/backup-refusals.ts';
import { type Backup, openBackup } from '../store/backup/open-backup.ts';
import { restore } from '../store/backup/restore.ts';
import { tryRestore } from '../store/backup/try-restore.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';
import { deleteLastGood } from '../store/prices/last-good.ts';
import { asCommandError, megabytes, rowsOf, secondsSince } from './backup.ts';
import { runDrill } from './run-drill.ts';

/** PostgreSQL sends nothing while it creates foreign keys and statistics of large tables. */
const SQL_IDLE_TIMEOUT_MS = 600_000;

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'restore (FILE [--check] | --drill) [--json]',
  details: `The database must be empty and nobody else connected: stop every serve and worker first. All or nothing.
  --check   restore into a new embedded database that is removed at once; your own database is not touched
  --drill   likewise with the newest nightly backup, and compare what the service answered at its moment`,
  flags: { check: { type: 'boolean' }, drill: { type: 'boolean' } },
  args: { min: 0, max: 1 },
  async run(call) {
    const { args, flags } = call;
    if ((args.length === 0) !== (flags.drill === true) || (flags.drill && flags.check))
      throw new UsageError(`usage: pompa ${restoreCommand.usage}`);
    if (flags.drill) return runDrill(call);
    const startedAt = performance.now();
    const backup = await openBackup(call.args[0] as string).catch((error) => Promise.reject(asCommandError(error)));
    try {
      const migrated = call.flags.check ? await check(call, backup) : await restoreInto(call, backup);
      printResult(call, backup, migrated, secondsSince(startedAt));
      return 0;
    } catch (error) {
      throw asCommandError(error);
    } finally {
      await backup.close();
    }
  },
};

/** Proves that `restore` would restore this file, and names the migrations that it would apply. */
async function check(call: CommandCall, backup: Backup): Promise<readonly string[]> {
  const { terminal, signal } = call;
  const options = { onTable: progressOf(call, backup), signal, log: SILENT };
  try {
    const { migrated } = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => tryRestore(backup, options));
    return migrated;
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    throw new CommandError(`${call.args[0]} is not good: ${error.message}`);
  } finally {
    terminal.progress('');
  }
}

/** A database that is gone in a moment is nothing to log. */
const SILENT = { info: () => undefined, warn: () => undefined };

async function restoreInto(call: CommandCall, backup: Backup): Promise<readonly string[]> {
  const { config, terminal, signal } = call;
  const database = await openDirect(config, createLog(config), {
    ...{ work: 'a restore', isAlone: true, connections: 1, signal },
  });
  try {
    const options = { onTable: progressOf(call, backup), signal };
    const { migrated } = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => restore(database, backup, options));
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

function progressOf({ terminal, flags }: CommandCall, { contents }: Backup): (table: string) => void {
  let tables = 0;
  return (table) => {
    tables += 1;
    terminal.progress(`${flags.check ? 'check' : 'restore'}: ${table}, ${tables} of ${contents.tables.length} tables`);
  };
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
