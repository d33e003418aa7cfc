/** `pompa dump`: the files of open data, now. */
import { hostname } from 'node:os';
import path from 'node:path';
import { type Command, type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { withDatabase } from '../app/database/configured-database.ts';
import { isDemoFolder } from '../app/demo/demo-folder.ts';
import { collectionSettingsOf } from '../app/settings/derived-settings.ts';
import { publicUrl } from '../config/config.ts';
import { BadValue } from '../config/parse.ts';
import { isMonth } from '../dumps/months.ts';
import { dumpFolder } from '../dumps/published/dump-folder.ts';
import { underDumpLease } from '../worker/dumps/dump-lease.ts';
import { type DumpOptions, DumpRefused, type DumpReport } from '../worker/dumps/dump-options.ts';
import { makeDump } from '../worker/dumps/make-dump.ts';
import { parseFlag } from './arguments.ts';
import { megabytes, secondsSince } from './backup.ts';

/** One line of a file for people. */
const MAX_REASON_LENGTH = 300;

export const dumpCommand: Command = {
  name: 'dump',
  usage: 'dump [--out DIR] [--month YYYY-MM [--why TEXT]] [--json]',
  details: `Writes stations, current prices, every change and daily prices of DUMP_SOURCES as CSV, Parquet and GeoJSON, with
their descriptions. A worker does it every night; months that ended some days ago stay as they were published.
  --out DIR        a folder of its own, to copy elsewhere; by default the one that serve publishes, in DATA_DIR
  --month YYYY-MM  make this month again, although it is final
  --why TEXT       why it may differ from what was published; goes into ERATA.md, with a new name of the file`,
  flags: { out: { type: 'string' }, month: { type: 'string' }, why: { type: 'string' } },
  args: { min: 0, max: 0 },
  async run(call) {
    const { config, flags, terminal, signal } = call;
    if (config.DUMP_SOURCES.length === 0)
      throw new CommandError(
        'no source may be dumped: set DUMP_SOURCES to those whose licence allows it, such as DUMP_SOURCES=manual',
      );
    const correction = correctionOf(call);
    const folder = flags.out === undefined ? dumpFolder(config.DATA_DIR) : path.resolve(outOf(call));
    const startedAt = performance.now();
    const report = await withDatabase(call, (database) =>
      underDumpLease(
        database.kysely,
        { holder: `${hostname()}:${process.pid}`, restAfterFailure: false, signal },
        (mayGoOn) =>
          makeDump(database.kysely, {
            ...{ folder, correction, signal: mayGoOn },
            allowed: config.DUMP_SOURCES,
            settings: collectionSettingsOf(config),
            publicUrl: publicUrl(config, config.PORT),
            simulated: isDemoFolder(config.DATA_DIR),
            now: Date.now(),
            onTable: (table, month) => terminal.progress(`dump: ${table} ${month ?? ''}`),
          }),
      ),
    ).catch(asCommandError);
    if (report === null)
      throw new CommandError('another process is making dumps, a worker perhaps: try again in a minute');
    terminal.progress('');
    terminal.out(
      flags.json ? JSON.stringify({ ...report, seconds: secondsSince(startedAt) }) : lineOf(report, startedAt),
    );
    return 0;
  },
};

function correctionOf(call: CommandCall): DumpOptions['correction'] {
  const month = parseFlag(call, 'month', parseMonth);
  const why = parseFlag(call, 'why', parseReason) ?? null;
  if (month !== undefined) return { month, why };
  if (why !== null) throw new UsageError('--why needs --month, the month that is made again');
  return null;
}

function parseMonth(text: string): string {
  if (!isMonth(text)) throw new BadValue('must be a month, such as 2026-03');
  return text;
}

function parseReason(text: string): string {
  const line = text.trim();
  if (line === '' || line.length > MAX_REASON_LENGTH || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line))
    throw new BadValue(`must be one line of at most ${MAX_REASON_LENGTH} characters`);
  return line;
}

function outOf({ flags }: CommandCall): string {
  const folder = String(flags.out);
  if (folder === '') throw new UsageError('--out needs a folder, such as --out /srv/dumps');
  return folder;
}

function lineOf({ folder, files, written, rows, bytes }: DumpReport, startedAt: number): string {
  return `${folder}: ${written} of ${files} files are new; ${rows} rows, ${megabytes(bytes)}, ${secondsSince(startedAt)} s`;
}

/** Turns a refused dump, and a folder that cannot be written, into a one-line error for the operator. */
function asCommandError(error: unknown): never {
  const isSystemError = error instanceof Error && 'syscall' in error;
  throw error instanceof DumpRefused || isSystemError
    ? new CommandError(`the dumps were not made: ${error.message}`)
    : error;
}
