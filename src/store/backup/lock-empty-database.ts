/** Checks that a backup may be restored here: the database is empty and nobody else is connected. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeOf } from '../database-errors.ts';
import { appliedMigrations, pendingOf, refuseUnknown } from '../migrations/applied-migrations.ts';
import { MIGRATION_LOCK } from '../migrations/apply-migrations.ts';
import { readMigrations } from '../migrations/read-migrations.ts';
import { BackupRefused } from './backup-refusals.ts';
import { ownTableNames, relationsOf } from './database-tables.ts';

/** Any number that no other program in the database uses for an advisory lock. */
const RESTORE_LOCK = 7_066_770_002;
/** A process that was just asked to end has disconnected by then. */
const DISCONNECT_WAIT_MS = 3_000;
const POLL_MS = 100;
const ENCODING = 'UTF8';

/** Conditions for rows that come from migrations, or from a service that started on the empty database. */
const INITIAL_ROWS: Readonly<Record<string, string>> = {
  secrets: 'true',
  address_keys: 'true',
  leases: 'true',
  german_budget: 'true',
  publication: 'version = 0',
  alert_state: 'version = 0',
  change_feed: 'version = 0',
};

/**
 * Ensures, within the caller's transaction, that the database is empty and that nobody else uses it: other processes
 * wait or fail until the transaction ends. Returns the tables that migrations have created already. Rejects with
 * `BackupRefused`.
 */
export async function lockEmptyDatabase(client: pg.ClientBase): Promise<string[]> {
  await client.query(`set local lock_timeout = '10s'`);
  await waitUntilAlone(client);
  await checkEncoding(client);
  const tables = await ourTables(client);
  if (tables.length > 0) await lock(client, tables);
  // A process that connected in between may have read the earlier state.
  await refuseOthers(client);
  await refuseContent(client, tables);
  return tables;
}

async function waitUntilAlone(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_xact_lock(${RESTORE_LOCK}) as got`);
  if (rows[0]?.got !== true) throw new BackupRefused('another restore into this database is under way');
  await orBusy(client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`));
  const deadline = performance.now() + DISCONNECT_WAIT_MS;
  while ((await others(client)).length > 0 && performance.now() < deadline) await sleep(POLL_MS);
  await refuseOthers(client);
}

async function orBusy(locking: Promise<unknown>): Promise<void> {
  await locking.catch((error) => {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new BackupRefused('other processes work on this database: stop them first, every serve and worker');
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Other connections of this user or of Pompa. Superusers who maintain a hosted PostgreSQL do not count. */
async function others(client: pg.ClientBase): Promise<string[]> {
  // Without this, a transaction keeps seeing the connections of its first query.
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
    `${names.length} other connection(s) to this database (${who}): stop every other process on it first, serve and worker too`,
  );
}

async function checkEncoding(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  if (rows[0]?.encoding === ENCODING) return;
  throw new BackupRefused(
    `the encoding of this database is ${rows[0]?.encoding}, and must be ${ENCODING}: create database … encoding '${ENCODING}' template template0`,
  );
}

/** The existing tables. Rejects if one does not belong to Pompa, or belongs to a newer version. */
async function ourTables(client: pg.ClientBase): Promise<string[]> {
  const applied = await appliedMigrations(client);
  pendingOf(readMigrations(), applied);
  refuseUnknown(readMigrations(), applied);
  const made = await ownTableNames(client);
  const ours = ({ name, kind }: { name: string; kind: string }) =>
    kind === 'table' && (made.has(name) || (applied.length > 0 && name === 'schema_migrations'));
  const found = await relationsOf(client);
  const foreign = found.filter((relation) => !ours(relation)).map(({ name }) => name);
  if (foreign.length > 0) notEmpty(`tables or views that do not belong to Pompa: ${listText(foreign)}`);
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
      `select count(*) as rows from ${pg.escapeIdentifier(table)} where not (${INITIAL_ROWS[table] ?? 'false'})`,
    );
    const count = rows[0]?.rows ?? 0;
    if (count > 0) filled.push(`${count} in ${table}`);
  }
  if (filled.length > 0) notEmpty(`rows: ${listText(filled)}`);
}

const MAX_SHOWN = 6;

function listText(names: readonly string[]): string {
  const more = names.length - MAX_SHOWN;
  return `${names.slice(0, MAX_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function notEmpty(what: string): never {
  throw new BackupRefused(
    `the database is not empty and nothing was changed; it has ${what}. Restore into a new DATA_DIR or a new database`,
  );
}
