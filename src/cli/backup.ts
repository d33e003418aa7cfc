/** `pompa backup`: everything but the raw archive, in one file. */

import { type Command, CommandError } from '../app/command.ts';
import { openDirect } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import { version } from '../app/settings/version.ts';
import { BackupRefused } from '../store/backup/backup-refusals.ts';
import type { Contents } from '../store/backup/contents.ts';
import { dump } from '../store/backup/dump.ts';
import { writeBackup } from '../store/backup/write-backup.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';

/** A large table or a slow output disk keeps the database silent for up to this long. */
const SQL_IDLE_TIMEOUT_MS = 600_000;

export const backupCommand: Command = {
  name: 'backup',
  usage: 'backup FILE [--json]',
  details: `FILE must not exist yet; it is readable only by its owner and holds secrets and personal data.
Writes everything in the database as of one moment, while others work; not the raw archive in DATA_DIR.`,
  flags: {},
  args: { min: 1, max: 1 },
  async run({ args, flags, config, terminal, signal }) {
    const file = args[0] as string;
    const startedAt = performance.now();
    const database = await openDirect(config, createLog(config), { work: 'a backup', connections: 1, signal });
    let table = 0;
    const onTable = (name: string, tables: number) => {
      table += 1;
      terminal.progress(`backup: ${name}, ${table} of ${tables} tables`);
    };
    try {
      const content = dump(database, { program: version(), now: Date.now(), onTable });
      const { contents, bytes } = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () => writeBackup(file, content, signal));
      const tables = contents.tables.length;
      const rows = rowsOf(contents);
      const seconds = secondsSince(startedAt);
      terminal.progress('');
      terminal.out(
        flags.json
          ? JSON.stringify({ file, tables, rows, bytes, seconds })
          : `${file}: ${rows} rows of ${tables} tables, ${megabytes(bytes)}, ${seconds} s; keep it secret`,
      );
      return 0;
    } catch (error) {
      signal.throwIfAborted();
      throw asCommandError(error);
    } finally {
      await database.close();
    }
  },
};

export function rowsOf({ tables }: Contents): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Turns a refused backup into a one-line error for the operator. */
export function asCommandError(error: unknown): unknown {
  return error instanceof BackupRefused ? new CommandError(error.message) : error;
}

export function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
