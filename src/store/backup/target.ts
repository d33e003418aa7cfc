/** Whether a backup may be restored here: nobody else is there, and nothing is. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { appliedMigrations, MIGRATION_LOCK, pendingOf, readMigrations } from '../connection/migrations.ts';
import { codeOf } from '../database-errors.ts';
import { migratedTableTest, relationsOf } from './catalogue.ts';
import { BackupRefused } from './refusals.ts';

/** Any number that no other program of the database uses for its advisory locks. */
const RESTORE_LOCK = 7_066_770_002;
/** A process that was just told to end is gone by then. */
const LEAVING_MS = 3_000;
const LOOK_MS = 100;
const ENCODING = 'UTF8';

/** Rows that a database has from its migrations, or from a service that came upon it empty. */
const NO_CONTENT: Readonly<Record<string, string>> = {
  secrets: 'true',
  leases: 'true',
  german_budget: 'true',
  publication: 'version = 0',
  alert_state: 'version = 0',
};

/**
 * Makes sure, within the transaction of the caller, that the database is empty and stays the caller's alone: whoever
 * comes now waits or fails until its end. Gives the tables that a migration has made in it already. Rejects with
 * `BackupRefused`.
 */
export async function lockEmptyDatabase(client: pg.ClientBase): Promise<string[]> {
  await client.query(`set local lock_timeout = '10s'`);
  await beAlone(client);
  await checkEncoding(client);
  const tables = await ourTables(client);
  if (tables.length > 0) await lock(client, tables);
  // Whoever connected in between may know the database as it was.
  await refuseOthers(client);
  await refuseContent(client, tables);
  return tables;
}

async function beAlone(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_xact_lock(${RESTORE_LOCK}) as got`);
  if (rows[0]?.got !== true) throw new BackupRefused('another restore into this database is under way');
  await orBusy(client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`));
  const deadline = performance.now() + LEAVING_MS;
  while ((await others(client)).length > 0 && performance.now() < deadline) await sleep(LOOK_MS);
  await refuseOthers(client);
}

async function orBusy(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error) => {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new BackupRefused('other processes work on this database: end them first, every serve and worker');
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Who else of us is connected. Superusers of a hosted PostgreSQL, who look after it, are no business of ours. */
async function others(client: pg.ClientBase): Promise<string[]> {
  // Else a transaction sees who was there when it first looked.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ name: string }>(`
    select coalesce(nullif(application_name, ''), 'unnamed') as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (usename = current_user or application_name = 'pompa')`);
  return rows.map(({ name }) => name);
}

async function refuseOthers(client: pg.ClientBase): Promise<void> {
  const names = await others(client);
  if (names.length === 0) return;
  const who = [...new Set(names)].sort().join(', ');
  throw new BackupRefused(
    `${names.length} other connection(s) to this database (${who}): end every other process on it first, serve and worker too`,
  );
}

async function checkEncoding(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  if (rows[0]?.encoding === ENCODING) return;
  throw new BackupRefused(
    `the encoding of this database is ${rows[0]?.encoding}, and must be ${ENCODING}: create database … encoding '${ENCODING}' template template0`,
  );
}

/** The tables there are. Rejects where something is none of ours, or of a newer program. */
async function ourTables(client: pg.ClientBase): Promise<string[]> {
  const migrations = readMigrations();
  const applied = await appliedMigrations(client);
  pendingOf(migrations, applied);
  const made = migratedTableTest(migrations);
  const ours = ({ name, kind }: { name: string; kind: string }) =>
    applied.length > 0 && kind === 'table' && (made(name) || name === 'schema_migrations');
  const found = await relationsOf(client);
  const strangers = found.filter((relation) => !ours(relation)).map(({ name }) => name);
  if (strangers.length > 0) notEmpty(`tables or views that are none of Pompa's: ${some(strangers)}`);
  return found.map(({ name }) => name);
}

async function lock(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  const names = tables.map(pg.escapeIdentifier).join(', ');
  await orBusy(client.query(`lock table ${names} in access exclusive mode`));
}

async function refuseContent(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  const filled: string[] = [];
  for (const table of tables.filter((name) => name !== 'schema_migrations')) {
    const { rows } = await client.query<{ rows: number }>(
      `select count(*) as rows from ${pg.escapeIdentifier(table)} where not (${NO_CONTENT[table] ?? 'false'})`,
    );
    const count = rows[0]?.rows ?? 0;
    if (count > 0) filled.push(`${count} in ${table}`);
  }
  if (filled.length > 0) notEmpty(`rows: ${some(filled)}`);
}

const SHOWN = 6;

function some(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function notEmpty(what: string): never {
  throw new BackupRefused(
    `the database is not empty and nothing was changed; it has ${what}. Restore into a new DATA_DIR or a new database`,
  );
}
