import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import type { Database } from './database.ts';
import type { Queryable } from './database-connection.ts';
import { withIdleTimeout } from './idle-timeout.ts';

/** One file of `migrations/`. */
export interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
}

/** A migration as the database has recorded it. */
export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256'>;

/** The advisory lock of the process that applies migrations: any number that no other program uses in this database. */
export const MIGRATION_LOCK = 7_066_770_001;
const FOLDER = path.resolve(import.meta.dirname, '../../../migrations');

/**
 * Applies the migrations that the database does not have yet, all in one transaction, and returns their names. Several
 * processes may call it at once: one applies them, the others wait and find nothing to do. Throws DatabaseMisconfigured
 * if the database does not match this version of the program, DatabaseUnavailable if its role may not apply what is
 * pending: the owner of the tables may do so at any time.
 */
export async function migrate(database: Queryable & Pick<Database, 'pool'>, folder = FOLDER): Promise<string[]> {
  const migrations = readMigrations(folder);
  if (await isUpToDate(database, migrations)) return [];
  await refuseWithoutRights(database, migrations);
  return withIdleTimeout(MIGRATION_IDLE_TIMEOUT_MS, () => applyPending(database.pool, migrations));
}

/** A migration may rewrite a large table, and the other processes wait for the one that applies it. */
const MIGRATION_IDLE_TIMEOUT_MS = 3_600_000;

/** Checks without a lock: a start must not wait for the hanging connection of another process. */
async function isUpToDate(database: Queryable, migrations: Migration[]): Promise<boolean> {
  const applied = await readAppliedIfAny(database);
  return applied !== null && pendingOf(migrations, applied).length === 0;
}

/** What to do where the role of `serve` and `worker` does not own the tables. */
export const RUN_MIGRATE_AS_OWNER = 'run pompa migrate with the role that owns the tables';

async function refuseWithoutRights(database: Queryable, migrations: readonly Migration[]): Promise<void> {
  if (await mayMigrate(database)) return;
  const pending = pendingOf(migrations, (await readAppliedIfAny(database)) ?? []).map(({ name }) => name);
  const shown =
    pending.length > 3 ? `${pending.slice(0, 3).join(', ')} and ${pending.length - 3} more` : pending.join();
  throw new DatabaseUnavailable(
    `the database needs migrations that this role may not apply (${shown}): ${RUN_MIGRATE_AS_OWNER}`,
  );
}

/** Whether the role may create tables, and owns those that there are. */
export async function mayMigrate(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ may: boolean }>({ text: MAY_MIGRATE }, READ_TIMEOUT);
  return row?.may === true;
}

const MAY_MIGRATE = `
  select coalesce(has_schema_privilege(current_schema(), 'create'), false) and coalesce(
    (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migrations')), true) as may`;

/** The names of the migrations that a database still needs. Throws as `migrate` does. */
export async function pendingMigrations(database: Queryable): Promise<string[]> {
  return pendingOf(readMigrations(), (await readAppliedIfAny(database)) ?? []).map(({ name }) => name);
}

/** `null` = the table does not exist. */
async function readAppliedIfAny(database: Queryable): Promise<AppliedMigration[] | null> {
  const [found] = await database.query<FoundTable>({ text: TABLE_EXISTS }, READ_TIMEOUT);
  return isThere(found)
    ? database.query<AppliedMigration>({ text: APPLIED }, READ_TIMEOUT).catch(refuseForbidden)
    : null;
}

const READ_TIMEOUT = { withinMs: 3_000 };

function refuseForbidden(error: unknown): never {
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
  throw new DatabaseUnavailable(
    `the role may not read the tables of Pompa (${messageOf(error)}): grant it the rights in docs/DATABASE.md`,
  );
}

const INSUFFICIENT_PRIVILEGE = '42501';
/** Other programs record their migrations under the same name. */
const TABLE_EXISTS = `
  select to_regclass('schema_migrations') is not null as there, (
    select count(*) = 3 from pg_attribute
    where attrelid = to_regclass('schema_migrations') and attname in ('number', 'name', 'sha256')) as ours`;
type FoundTable = { readonly there: boolean; readonly ours: boolean };

function isThere(found: FoundTable | undefined): boolean {
  if (found?.there !== true) return false;
  if (found.ours) return true;
  throw new DatabaseMisconfigured(
    "the table schema_migrations of this database is another program's: give Pompa a database of its own",
  );
}

const APPLIED = 'select number, name, sha256 from schema_migrations order by number';

async function applyPending(pool: pg.Pool, migrations: Migration[]): Promise<string[]> {
  const client = await pool.connect().catch((error) => {
    throw new DatabaseUnavailable(`the migrations cannot begin: ${messageOf(error)}`);
  });
  let failed: Error | undefined;
  try {
    await client.query(`begin; set local statement_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    // Does not check for the table first: what this connection has cached about it may be out of date.
    await client.query(TABLE);
    const pending = pendingOf(migrations, await readApplied(client));
    await applyMigrations(client, pending);
    await client.query('commit');
    return pending.map(({ name }) => name);
  } catch (error) {
    failed = error instanceof Error ? error : new Error(messageOf(error));
    throw error;
  } finally {
    // With an error the connection is closed, which rolls the transaction back.
    client.release(failed);
  }
}

/** The migrations of a folder, in order. */
export function readMigrations(folder = FOLDER): Migration[] {
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]);
      if (!(number > 0)) throw new Error(`migrations/${file}: a migration is named NNNN-name.sql`);
      const sql = readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n');
      return { number, name: path.basename(file, '.sql'), sql, sha256: createHash('sha256').update(sql).digest('hex') };
    });
  const duplicate = migrations.find(({ number }, index) => migrations[index - 1]?.number === number);
  if (duplicate !== undefined)
    throw new Error(`migrations/${duplicate.name}.sql: its number is taken by another migration`);
  return migrations;
}

const TABLE = `
  create table if not exists schema_migrations (
    number int primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`;

/** Applies migrations in order, within the caller's transaction. */
export async function applyMigrations(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(TABLE);
  for (const migration of migrations) await apply(client, migration);
}

/** The migrations that a database has applied; none if it has no tables of ours. */
export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<FoundTable>(TABLE_EXISTS);
  return isThere(rows[0]) ? readApplied(client) : [];
}

async function readApplied(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(APPLIED);
  return rows;
}

/**
 * The migrations that a database still needs after the applied ones. Throws DatabaseMisconfigured if the database does
 * not match this version of the program.
 */
export function pendingOf(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, sha256 } of applied) {
    const migration = known.get(number);
    if (migration === undefined) {
      throw new DatabaseMisconfigured(
        `the database is of a newer Pompa: it has the migration ${name}, which this one does not know; start the newer version`,
      );
    }
    if (migration.sha256 !== sha256) {
      throw new DatabaseMisconfigured(
        `migrations/${migration.name}.sql was changed after the database applied it (as ${name}): restore the file and put the change into a new migration`,
      );
    }
  }
  const newest = applied.at(-1)?.number ?? 0;
  const done = new Set(applied.map(({ number }) => number));
  const pending = migrations.filter(({ number }) => !done.has(number));
  const late = pending.find(({ number }) => number < newest);
  if (late === undefined) return pending;
  throw new DatabaseMisconfigured(
    `migrations/${late.name}.sql comes before ${newest}, which the database has applied: give it the next free number`,
  );
}

async function apply(client: pg.ClientBase, { number, name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || /^(08|57)/.test(error.code ?? '')) throw error;
    const line = error.position && sql.slice(0, Number(error.position)).split('\n').length;
    throw new Error(`migrations/${name}.sql${line ? `, line ${line}` : ''}: ${error.message}`, { cause: error });
  }
  await client.query('insert into schema_migrations (number, name, sha256) values ($1, $2, $3)', [
    number,
    name,
    sha256,
  ]);
}
