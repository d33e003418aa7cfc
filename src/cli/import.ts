/** `pompa import`: rows that the operator provides. */

import path from 'node:path';
import type { Kysely } from 'kysely';
import { type Command, CommandError, UsageError } from '../app/command.ts';
import { openMigrated } from '../app/database/configured-database.ts';
import { createLog } from '../app/log/process-log.ts';
import { collectionSettingsOf } from '../app/settings/derived-settings.ts';
import type { CollectionSettings } from '../domain/prices/collection-settings.ts';
import { FileTooLarge, readBounded } from '../files/read-bounded.ts';
import { readHistory, readPrices, readStations } from '../sources/manual/import-rows.ts';
import { BadFile } from '../sources/manual/import-table.ts';
import type { Schema } from '../store/connection/schema.ts';
import { importHistory, importPrices, importStations } from '../worker/collection/import.ts';

/** Its rows take some 20 times as much in memory. */
const MAX_FILE_BYTES = 32_000_000;
const KINDS = ['stations', 'prices', 'history'];

export const importCommand: Command = {
  name: 'import',
  usage: 'import stations|prices|history FILE [--json]',
  details: `FILE is CSV or JSON, by its extension. Imports all rows or none, names every bad row, publishes immediately.
  stations   key,brand,name,address,city,county,lat,lng,franchise,price_note,hours,services,phone,fuels
  prices     station,fuel,price,observed_at
  history    date,station,fuel,price`,
  flags: {},
  args: { min: 2, max: 2 },
  async run({ args, flags, config, terminal, signal }) {
    const [kind, file] = args as [string, string];
    if (!KINDS.includes(kind)) throw new UsageError(`import takes ${KINDS.join(', ')}, not "${kind}"`);
    const now = Date.now();
    const settings = collectionSettingsOf(config);
    try {
      const { rows, store } = prepareImport(kind, path.basename(file), readText(file), settings, now);
      const database = await openMigrated(config, createLog(config), signal);
      const { older } = await store(database.kysely).finally(() => database.close());
      if (older > 0) terminal.err(`${file}: ${older} of the reports are older than the stored ones and change nothing`);
      terminal.out(
        flags.json ? JSON.stringify({ kind, rows, published: true }) : `${rows} rows of ${kind} imported and published`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof BadFile)) throw error;
      for (const problem of error.problems) terminal.err(`${file}: ${problem}`);
      throw new CommandError(`${file}: ${error.problems.length} bad row(s), nothing was imported`);
    }
  },
};

type PreparedImport = { readonly rows: number; readonly store: (db: Kysely<Schema>) => Promise<{ older: number }> };

/** Parses the rows before the database is opened; existing stations are looked up while the rows are stored. */
function prepareImport(
  kind: string,
  name: string,
  content: string,
  settings: CollectionSettings,
  now: number,
): PreparedImport {
  if (kind === 'prices') {
    const rows = readPrices(name, content, settings.ranges, now);
    return { rows: rows.length, store: (db) => importPrices(db, rows, settings, now) };
  }
  if (kind === 'history') {
    const rows = readHistory(name, content, now);
    return { rows: rows.length, store: (db) => importHistory(db, rows, settings, now).then(() => ({ older: 0 })) };
  }
  const rows = readStations(name, content, settings.gazetteer);
  return { rows: rows.length, store: (db) => importStations(db, rows, settings, now).then(() => ({ older: 0 })) };
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBounded(file, MAX_FILE_BYTES));
  } catch (error) {
    if (error instanceof FileTooLarge)
      throw new BadFile([`it is larger than ${MAX_FILE_BYTES / 1_000_000} MB: split it`]);
    const { code } = error as NodeJS.ErrnoException;
    throw new BadFile([
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : `it cannot be read: ${code}`,
    ]);
  }
}
