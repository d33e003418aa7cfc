/** A backup into an empty database: all of it in one transaction, or nothing. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { throwConnectionLost } from '../connection/idle-timeout.ts';
import { type AppliedMigration, applyMigrations, type Migration, readMigrations } from '../connection/migrations.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { type ForeignKey, foreignKeysOf, TEXT_FORMAT_SETTINGS, tablesOf } from './catalogue.ts';
import type { Sequence, TableContents, TableHead } from './contents.ts';
import type { Backup } from './open-backup.ts';
import { BackupRefused } from './refusals.ts';
import { lockEmptyDatabase } from './target.ts';

export type RestoreOptions = {
  /** Called as each table begins. */
  readonly onTable?: (table: string) => void;
  readonly signal: AbortSignal;
};

/** What a restore did: the migrations applied to what the backup held. */
export type RestoreResult = { readonly migrated: readonly string[] };

/**
 * Restores a verified backup. The tables are made as they were when it was made, filled, and only then brought up to
 * date. Rejects with `BackupRefused` where the database is not empty, others are connected, or the backup is of tables
 * that this program does not know.
 */
export async function restore(
  database: { pool: pg.Pool },
  backup: Backup,
  { onTable, signal }: RestoreOptions,
): Promise<RestoreResult> {
  const { then, later } = splitMigrations(backup.contents.migrations);
  const client = await database.pool.connect().catch((error) => {
    throw new DatabaseUnavailable(`the restore cannot begin: ${messageOf(error)}`);
  });
  try {
    await client.query(`begin; ${TEXT_FORMAT_SETTINGS}`);
    await clear(client, await lockEmptyDatabase(client));
    await applyMigrations(client, then);
    await fill(client, backup, signal, onTable);
    await applyMigrations(client, later);
    await client.query('analyze');
    signal.throwIfAborted();
    await client.query('commit');
    return { migrated: later.map(({ name }) => name) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BackupRefused || error instanceof DatabaseMisconfigured) throw error;
    throwConnectionLost(error as Error);
  } finally {
    // Whatever went wrong in it, the server rolls back when the connection ends.
    client.release(true);
  }
}

/**
 * The migrations that the backup's tables were made by, and those that came later. Throws `BackupRefused` where it is
 * of a newer program, or of another one.
 */
export function splitMigrations(applied: readonly AppliedMigration[]): { then: Migration[]; later: Migration[] } {
  const known = readMigrations();
  const newest = applied.at(-1)?.number ?? 0;
  const then = known.filter(({ number }) => number <= newest);
  for (const { number, name, sha256 } of applied) {
    const same = known.find((migration) => migration.number === number);
    if (same === undefined) {
      throw new BackupRefused(
        `the backup is of a newer Pompa: it has the migration ${name}, which this one does not know; restore it with the newer version`,
      );
    }
    if (same.sha256 !== sha256) {
      throw new BackupRefused(`the backup was made with another migrations/${same.name}.sql than the one here`);
    }
  }
  const missing = then.find(({ number }) => !applied.some((migration) => migration.number === number));
  if (missing !== undefined) {
    throw new BackupRefused(`the backup lacks the migration ${missing.name}, which comes before its newest`);
  }
  return { then, later: known.slice(then.length) };
}

/** What fresh migrations made goes: the tables of the backup's own time take its place. */
async function clear(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`drop table ${tables.map(pg.escapeIdentifier).join(', ')}`);
}

async function fill(
  client: pg.PoolClient,
  backup: Backup,
  signal: AbortSignal,
  onTable: ((table: string) => void) | undefined,
): Promise<void> {
  const tables = await tablesOf(client);
  compare(tables, backup.contents.tables);
  // What the migrations wrote is in the backup as well.
  await client.query(`truncate ${tables.map(({ table }) => pg.escapeIdentifier(table)).join(', ')}`);
  const references = await foreignKeysOf(client);
  for (const reference of references) await client.query(`alter table ${drop(reference)}`);
  await copyTables(client, backup, signal, onTable);
  await setSequences(client, backup.contents.sequences);
  for (const reference of references) await client.query(`alter table ${add(reference)}`);
}

/** The same migrations make the same tables; anything else is a fault of this program, found before a row is written. */
function compare(made: readonly TableHead[], held: readonly TableHead[]): void {
  const signatures = (tables: readonly TableHead[]) =>
    tables.map(({ table, columns }) => `${table} (${columns.join(', ')})`).sort();
  const [here, there] = [signatures(made), signatures(held)];
  const odd = there.find((table, index) => table !== here[index]) ?? here[there.length];
  if (odd !== undefined) throw new BackupRefused(`the tables of the backup are not those of its migrations: ${odd}`);
}

/** The rows come table by table, in the order of the contents. */
async function copyTables(
  client: pg.PoolClient,
  backup: Backup,
  signal: AbortSignal,
  onTable: ((table: string) => void) | undefined,
): Promise<void> {
  await using rows = backup.rows();
  let next = await rows.next();
  const rowsOf = async function* (table: string) {
    for (; !next.done && next.value.table === table; next = await rows.next()) yield next.value.bytes;
  };
  for (const table of backup.contents.tables) {
    onTable?.(table.table);
    await copy(client, table, rowsOf(table.table), signal);
  }
  if (!next.done) throw new BackupRefused(`the rows of ${next.value.table} are not where they belong`);
}

async function copy(
  client: pg.PoolClient,
  { table, columns, rows }: TableContents,
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const names = columns.map(pg.escapeIdentifier).join(', ');
  const copied = client.query(copyFrom(`copy ${pg.escapeIdentifier(table)} (${names}) from stdin`));
  await pipeline(Readable.from(bytes, { objectMode: false }), copied, { signal }).catch((error) => {
    // Such as a disk that is full.
    if (!(error instanceof pg.DatabaseError) || isEnd(error)) throw error;
    throw new BackupRefused(`nothing was restored: the database did not take the rows of ${table}: ${error.message}`);
  });
  if (copied.rowCount !== rows) throw new BackupRefused(`${copied.rowCount} of ${rows} rows of ${table} were taken`);
}

/** Whether the session was ended, and not the statement refused. */
function isEnd({ code }: pg.DatabaseError): boolean {
  return /^(08|57)/.test(code ?? '');
}

async function setSequences(client: pg.ClientBase, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, value, called } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [pg.escapeIdentifier(name), value, called]);
  }
}

function drop({ table, name }: ForeignKey): string {
  return `${pg.escapeIdentifier(table)} drop constraint ${pg.escapeIdentifier(name)}`;
}

function add({ table, name, definition }: ForeignKey): string {
  return `${pg.escapeIdentifier(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`;
}
