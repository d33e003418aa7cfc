/** The files of `migrations/`, each with what its head says. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * How a migration is applied: in one transaction; statement by statement outside of one (`create index concurrently`);
 * or as one statement that is repeated, each time in a transaction, until it changes no row.
 */
export type MigrationMode = 'transaction' | 'online' | 'batches';

/** One file of `migrations/`. */
export interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
  mode: MigrationMode;
  /**
   * Programs that know the migrations up to this number work with the database after this one, too; `null` = only
   * programs that know this one.
   */
  compatibleFrom: number | null;
}

const FOLDER = path.resolve(import.meta.dirname, '../../../migrations');

const MODES: Readonly<Record<string, MigrationMode>> = { online: 'online', 'in batches': 'batches' };

/** The migrations of a folder, in order. Throws for a file whose name or head is wrong. */
export function readMigrations(folder = FOLDER): Migration[] {
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readMigration(folder, file));
  const duplicate = migrations.find(({ number }, index) => migrations[index - 1]?.number === number);
  if (duplicate !== undefined)
    throw new Error(`migrations/${duplicate.name}.sql: its number is taken by another migration`);
  return migrations;
}

function readMigration(folder: string, file: string): Migration {
  const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]);
  if (!(number > 0)) throw new Error(`migrations/${file}: a migration is named NNNN-name.sql`);
  const sql = readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n');
  return {
    ...{ number, name: path.basename(file, '.sql'), sql },
    sha256: createHash('sha256').update(sql).digest('hex'),
    ...readHead(sql, file),
  };
}

/** The comments before the first statement may say how the migration is applied, and which programs it suits. */
function readHead(sql: string, file: string): Pick<Migration, 'mode' | 'compatibleFrom'> {
  const head = /^(?:--.*\n|\n)*/.exec(sql)?.[0] ?? '';
  const mode = /^-- Runs: (.*)$/m.exec(head)?.[1];
  if (mode !== undefined && MODES[mode] === undefined)
    throw new Error(`migrations/${file}: it runs "online" or "in batches", not "${mode}"`);
  const from = /^-- Compatible from: (.*)$/m.exec(head)?.[1];
  if (from !== undefined && !/^\d{4}$/.test(from))
    throw new Error(`migrations/${file}: it is compatible from a number such as 0020, not "${from}"`);
  return {
    mode: mode === undefined ? 'transaction' : (MODES[mode] as MigrationMode),
    compatibleFrom: from === undefined ? null : Number(from),
  };
}
