/** `pompa backup`: everything but the raw archive, in one file. */

import { type Command, CommandError } from '../app/command.ts';
import { version } from '../app/version.ts';
import { createLog, openUnmigrated } from '../app/wiring.ts';
import { dump } from '../store/backup/dump.ts';
import { BackupRefused, writeBackup } from '../store/backup/file.ts';
import type { Piece } from '../store/backup/pieces.ts';
import { withIdleTimeout } from '../store/connection/idle-timeout.ts';

/** A table may be large, and the disk that is written to slow: the database has nothing to say for so long. */
const SQL_IDLE_TIMEOUT_MS = 600_000;

export const backupCommand: Command = {
  name: 'backup',
  usage: 'backup FILE [--json]',
  details: `FILE must not be there yet; it is readable by its owner alone and holds secrets and personal data.
Everything in the database as of one moment, while others work; not the raw archive in DATA_DIR.`,
  flags: {},
  args: { min: 1, max: 1 },
  async run({ args, flags, config, terminal, signal }) {
    const file = args[0] as string;
    const startedAt = performance.now();
    const database = await openUnmigrated(config, createLog(config), signal, 1);
    const counted = { tables: 0, rows: 0 };
    try {
      const content = dump(database, {
        program: version(),
        now: Date.now(),
        onTable: (table, tables) => terminal.progress(`backup: ${table}, ${counted.tables + 1} of ${tables} tables`),
      });
      const bytes = await withIdleTimeout(SQL_IDLE_TIMEOUT_MS, () =>
        writeBackup(file, countRows(content, counted), signal),
      );
      const seconds = secondsSince(startedAt);
      terminal.progress('');
      terminal.out(
        flags.json
          ? JSON.stringify({ file, ...counted, bytes, seconds })
          : `${file}: ${counted.rows} rows of ${counted.tables} tables, ${megabytes(bytes)}, ${seconds} s; keep it secret`,
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

async function* countRows(pieces: AsyncIterable<Piece>, counted: { tables: number; rows: number }) {
  for await (const piece of pieces) {
    yield piece;
    if (piece.kind !== 'end') continue;
    counted.tables += 1;
    counted.rows += piece.value.rows;
  }
}

/** What an operator is told of a backup that came to nothing. */
export function asCommandError(error: unknown): unknown {
  return error instanceof BackupRefused ? new CommandError(error.message) : error;
}

export function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
