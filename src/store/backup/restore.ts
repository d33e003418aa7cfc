/** Restores a backup into an empty database, in one transaction: all of it or nothing. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newEpoch } from '../changes/feed-head.ts';
import { throwConnectionLost } from '../connection/idle-timeout.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { applyMigrations } from '../migrations/apply-migrations.ts';
import { type Migration, readMigrations } from '../migrations/read-migrations.ts';
import { BackupRefused } from './backup-refusals.ts';
import type { Contents, Sequence, TableContents, TableHead } from './contents.ts';
import {
  type ForeignKey,
  foreignKeysOf,
  ownSequences,
  TEXT_FORMAT_SETTINGS,
  tablesCreatedBy,
  tablesOf,
} from './database-tables.ts';
import { lockEmptyDatabase } from './lock-empty-database.ts';
import type { Backup } from './open-backup.ts';

export type RestoreOptions = {
  /** Called when each table begins. */
  readonly onTable?: (table: string) => void;
  readonly signal: AbortSignal;
};

/** The result of a restore: the migrations that were applied after it. */
export type RestoreResult = { readonly migrated: readonly string[] };

/**
 * Restores a verified backup: creates the tables of its time, fills them, and only then applies later migrations.
 * Rejects with `BackupRefused` if the database is not empty, others are connected, or this program does not know the
 * tables of the backup.
 */
export async function restore(
  database: { pool: pg.Pool },
  backup: Backup,
  { onTable, signal }: RestoreOptions,
): Promise<RestoreResult> {
  const { backupMigrations, laterMigrations } = planRestore(backup.contents);
  const client = await database.pool.connect().catch((error) => {
    throw new DatabaseUnavailable(`the restore cannot begin: ${messageOf(error)}`);
  });
  try {
    await client.query(`begin; ${TEXT_FORMAT_SETTINGS}`);
    await dropTables(client, await lockEmptyDatabase(client));
    await applyMigrations(client, backupMigrations);
    await fill(client, backup, signal, onTable);
    await applyMigrations(client, laterMigrations);
    // Numbers told after the backup are told again, of other changes: no cursor given so far may be continued from.
    await client.query('update change_feed set epoch = $1 where epoch is not null', [newEpoch()]);
    await client.query('analyze');
    signal.throwIfAborted();
    await client.query('commit');
    return { migrated: laterMigrations.map(({ name }) => name) };
  } catch (error) {
    signal.throwIfAborted();
    throw await refusalOf(error as Error, client);
  } finally {
    // After any failure, the server rolls back when the connection ends.
    client.release(true);
  }
}

/**
 * The migrations that created the tables of the backup, and those that came later. Throws `BackupRefused` if a newer
 * program, or another one, made the backup.
 */
export function planRestore({ migrations, tables }: Contents): MigrationPlan {
  const plan = splitMigrations(migrations);
  const made = [...tablesCreatedBy(plan.backupMigrations)].sort();
  refuseDifference(
    made,
    tables.map(({ table }) => table),
  );
  return plan;
}

export type MigrationPlan = {
  /** Those that the backup has. */
  readonly backupMigrations: readonly Migration[];
  readonly laterMigrations: readonly Migration[];
};

function splitMigrations(applied: Contents['migrations']): MigrationPlan {
  const known = readMigrations();
  const newest = applied.at(-1)?.number ?? 0;
  const backupMigrations = known.filter(({ number }) => number <= newest);
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
  const missing = backupMigrations.find(({ number }) => !applied.some((migration) => migration.number === number));
  if (missing !== undefined) {
    throw new BackupRefused(`the backup lacks the migration ${missing.name}, which comes before its newest`);
  }
  return { backupMigrations, laterMigrations: known.slice(backupMigrations.length) };
}

/**
 * Drops what fresh migrations created; the tables of the backup's time replace it. Rejects if an object of another
 * program depends on them, such as a view: nothing else is ever dropped.
 */
async function dropTables(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`drop table ${tables.map(pg.escapeIdentifier).join(', ')} restrict`);
}

async function fill(
  client: pg.PoolClient,
  backup: Backup,
  signal: AbortSignal,
  onTable: ((table: string) => void) | undefined,
): Promise<void> {
  const tables = await tablesOf(client);
  refuseOtherTables(tables, backup.contents.tables);
  // The backup also contains the rows that migrations inserted.
  await client.query(`truncate ${tables.map(({ table }) => pg.escapeIdentifier(table)).join(', ')}`);
  const references = await foreignKeysOf(client);
  for (const reference of references) await client.query(`alter table ${drop(reference)}`);
  await copyTables(client, backup, signal, onTable);
  await setSequences(client, backup.contents.sequences);
  for (const reference of references) await client.query(`alter table ${add(reference)}`);
}

/** The same migrations create the same tables: a backup with other ones was not made by this program. */
function refuseOtherTables(made: readonly TableHead[], held: readonly TableHead[]): void {
  const signatures = (tables: readonly TableHead[]) =>
    tables.map(({ table, columns }) => `${table} (${columns.join(', ')})`).sort();
  refuseDifference(signatures(made), signatures(held));
}

function refuseDifference(made: readonly string[], held: readonly string[]): void {
  const there = held.toSorted();
  const different = there.find((table, index) => table !== made[index]) ?? made[there.length];
  if (different !== undefined) {
    throw new BackupRefused(`the tables of the backup are not those of its migrations: ${shortened(different)}`);
  }
}

/** Copies the rows table by table, in the order of the contents. */
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
  if (!next.done) throw new BackupRefused(`the rows of ${next.value.table} are out of order`);
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
    // For example, the disk is full.
    if (!(error instanceof pg.DatabaseError) || isSessionEnd(error)) throw error;
    throw new BackupRefused(
      `nothing was restored: the database did not take the rows of ${table}: ${shortened(error.message)}`,
    );
  });
  if (copied.rowCount !== rows) throw new BackupRefused(`${copied.rowCount} of ${rows} rows of ${table} were taken`);
}

/** Whether the session ended, as opposed to a refused statement. */
function isSessionEnd({ code }: pg.DatabaseError): boolean {
  return /^(08|57)/.test(code ?? '');
}

/** Finds each sequence by the column it numbers: by its name it could be another program's. */
async function setSequences(client: pg.ClientBase, sequences: readonly Sequence[]): Promise<void> {
  const relations = new Map((await ownSequences(client)).map(({ name, relation }) => [name, relation]));
  const names = sequences.map(({ name }) => name).sort();
  const different = [...relations.keys()].sort().find((name, index) => name !== names[index]) ?? names[relations.size];
  if (different !== undefined) {
    throw new BackupRefused(`the sequences of the backup are not those of its migrations: ${shortened(different)}`);
  }
  for (const { name, value, called } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [relations.get(name), value, called]);
  }
}

/**
 * The error to throw: a `BackupRefused` if the database refused the content of the file, or if another program's
 * objects depend on our tables; the error itself if a lock, the disk or the connection is the cause. Rolls back, so
 * that the database is free when the caller learns of the refusal.
 */
async function refusalOf(error: Error, client: pg.ClientBase): Promise<Error> {
  const ofContent = isOfContent(error.cause ?? error);
  const isRefusal = [BackupRefused, DatabaseMisconfigured].some((kind) => error instanceof kind);
  if (!ofContent && !isRefusal) throwConnectionLost(error);
  await client.query('rollback').catch(() => undefined);
  return ofContent ? new BackupRefused(`nothing was restored: ${shortened(error.message)}`, { cause: error }) : error;
}

function isOfContent(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONTENT_CODES.test(error.code ?? '');
}

/** Classes of SQLSTATE: data, integrity, dependent objects, names, limits of the program. */
const CONTENT_CODES = /^(21|22|23|2B|42|54)/;
const MAX_QUOTE_LENGTH = 300;

/** A text that may come from the file, on one line and not too long. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH)}…` : line;
}

function drop({ table, name }: ForeignKey): string {
  return `${pg.escapeIdentifier(table)} drop constraint ${pg.escapeIdentifier(name)}`;
}

function add({ table, name, definition }: ForeignKey): string {
  return `${pg.escapeIdentifier(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`;
}
