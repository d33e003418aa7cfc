/** Brings the tables up to date while others read and write them. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../connection/database.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { withIdleTimeout } from '../connection/idle-timeout.ts';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { type AppliedMigration, pendingOf, readApplied, readAppliedIfAny } from './applied-migrations.ts';
import { refuseWithoutRights } from './migration-rights.ts';
import { type Migration, type MigrationMode, readMigrations } from './read-migrations.ts';

/** The advisory lock of the process that applies migrations: any number that no other program uses in this database. */
export const MIGRATION_LOCK = 7_066_770_001;

/**
 * Applies the migrations that the database does not have yet, one after another, and returns their names. One that
 * fails leaves nothing of itself behind; those before it stay. Several processes may call it at once: one applies them,
 * the others wait and find nothing to do. Throws DatabaseMisconfigured if the database does not match this version of
 * the program, DatabaseUnavailable if it cannot be reached, if its role may not apply what is pending, or if others
 * hold a lock for too long.
 */
export async function migrate(
  database: Queryable & Pick<Database, 'pool' | 'isPooled'>,
  folder?: string,
): Promise<string[]> {
  const migrations = readMigrations(folder);
  const applied = await readAppliedIfAny(database);
  const pending = pendingOf(migrations, applied ?? []);
  // Without a lock: a start must not wait for the hanging connection of another process.
  if (applied !== null && pending.length === 0) return [];
  await refuseWithoutRights(database, pending);
  if (database.isPooled) refuseWithoutSession(pending);
  return withIdleTimeout(MIGRATION_IDLE_TIMEOUT_MS, () => applyPending(database.pool, migrations));
}

/** An index of a large table is built for as long as it takes, and the other processes wait for it. */
const MIGRATION_IDLE_TIMEOUT_MS = 3_600_000;

/** Behind a pooler, what is set for one statement is set for somebody else's next one. */
function refuseWithoutSession(pending: readonly Migration[]): void {
  const longer = pending.find(({ mode }) => mode !== 'transaction');
  if (longer === undefined) return;
  throw new DatabaseMisconfigured(
    `migrations/${longer.name}.sql needs a session of the server, and DATABASE_URL is the address of a pooler: set DATABASE_DIRECT_URL to the address of the server itself`,
  );
}

async function applyPending(pool: pg.Pool, migrations: Migration[]): Promise<string[]> {
  const lockHolder = await connect(pool);
  let client: pg.PoolClient | undefined;
  try {
    await acquireLock(lockHolder);
    client = await connect(pool);
    const pending = pendingOf(migrations, await readRecorded(client));
    for (const migration of pending) {
      // Fails if its connection was lost: another process may have the lock by now.
      await withIdleTimeout(LOCK_CHECK_MS, () => lockHolder.query('select'));
      await APPLY[migration.mode](client, migration);
    }
    return pending.map(({ name }) => name);
  } finally {
    // Closed, not returned to the pool: that ends what is unfinished, and the session settings.
    client?.release(true);
    lockHolder.release(true);
  }
}

/** What is recorded, in a table that has what this program records. */
async function readRecorded(client: pg.ClientBase): Promise<AppliedMigration[]> {
  await whenUnlocked(client, 'the table schema_migrations', () => client.query(TABLE));
  return readApplied(client);
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error) => {
    throw new DatabaseUnavailable(`the migrations cannot begin: ${messageOf(error)}`);
  });
}

/**
 * Holds the lock in an open transaction. Asks for it again and again: a statement that waits for it holds a snapshot,
 * and an index that is built concurrently by the process ahead waits for every snapshot.
 */
async function acquireLock(lockHolder: pg.PoolClient): Promise<void> {
  await lockHolder.query(`begin; set local idle_in_transaction_session_timeout = 0; ${DETECT_LOST_MACHINE}`);
  for (;;) {
    const { rows } = await lockHolder.query<{ has: boolean }>(TRY_LOCK);
    if (rows[0]?.has) return;
    await sleep(LOCK_PAUSE_MS);
  }
}

/** The server finds out within half a minute that the holder's machine has vanished, instead of two hours. */
const DETECT_LOST_MACHINE = `set local tcp_keepalives_idle = 10; set local tcp_keepalives_interval = 5;
  set local tcp_keepalives_count = 4`;
const TRY_LOCK = `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as has`;
const LOCK_PAUSE_MS = 50;
const LOCK_CHECK_MS = 5_000;

const TABLE = `
  create table if not exists schema_migrations (
    number int primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  );
  alter table schema_migrations add column if not exists compatible_from int`;

const APPLY: Readonly<Record<MigrationMode, (client: pg.ClientBase, migration: Migration) => Promise<void>>> = {
  transaction: (client, migration) =>
    whenUnlocked(client, fileOf(migration), async () => {
      await client.query(migration.sql).catch((error) => throwWithLine(error, migration));
      await record(client, migration);
    }),
  async online(client, migration) {
    await client.query('set statement_timeout = 0');
    for (const index of await unfinishedIndexes(client, migration))
      await client.query(`drop index concurrently ${index}`);
    for (const statement of statementsOf(migration))
      await client.query(statement).catch((error) => throwWithLine(error, migration));
    await record(client, migration);
  },
  async batches(client, migration) {
    await client.query('set statement_timeout = 0');
    // A batch takes no row that somebody holds: in the end, those that are left are waited for.
    const last = { ...migration, sql: migration.sql.replaceAll(/\bskip\s+locked\b/gi, '') };
    do while (await changesRows(client, migration)) await sleep(BATCH_PAUSE_MS);
    while (await whenUnlocked(client, fileOf(migration), () => changesRows(client, last)));
    await record(client, migration);
  },
};

/** Leaves others the disk and the processors. */
const BATCH_PAUSE_MS = 5;

/**
 * Runs work in a transaction that waits for no lock longer than a reader notices: whoever asks for a table after it
 * waits behind it. If it does not get one, it begins again.
 */
async function whenUnlocked<T>(client: pg.ClientBase, what: string, work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await client.query(`begin; set local statement_timeout = 0; set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
      const done = await work();
      await client.query('commit');
      return done;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (attempts === MAX_ATTEMPTS) {
        throw new DatabaseUnavailable(
          `${what} waits for what another transaction holds: end it (select * from pg_stat_activity where state <> 'idle') and start again`,
        );
      }
      // By chance, so that it does not meet the same periodic work each time.
      await sleep(PAUSE_MS + Math.random() * PAUSE_MS);
    }
  }
}

const LOCK_TIMEOUT_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';
const PAUSE_MS = 250;
/** A quarter of an hour: a backup of ten years holds its tables for minutes. */
const MAX_ATTEMPTS = 2_400;

/** Of the indexes that it builds, what a build that was broken off left: it slows writing, and no query uses it. */
async function unfinishedIndexes(client: pg.ClientBase, { sql }: Migration): Promise<string[]> {
  const names = [...sql.matchAll(/\bindex concurrently (?:if not exists )?(\w+) on\b/gi)].map(([, name]) => name);
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace and relname = any ($1)`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Whether the statement of a migration in batches still changed rows. */
async function changesRows(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  const { rowCount } = await client.query(migration.sql).catch((error) => throwWithLine(error, migration));
  return (rowCount ?? 0) > 0;
}

/** Its statements: each ends with a semicolon at the end of a line. */
function statementsOf({ sql }: Migration): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');
}

/** Applies migrations in order within the caller's transaction, to a database that nobody else uses. */
export async function applyMigrations(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(TABLE);
  for (const migration of migrations) {
    if (migration.mode === 'batches') while (await changesRows(client, migration));
    else await client.query(withoutConcurrently(migration)).catch((error) => throwWithLine(error, migration));
    await record(client, migration);
  }
}

/** No index can be built concurrently within a transaction. */
function withoutConcurrently({ mode, sql }: Migration): string {
  return mode === 'online' ? sql.replaceAll(/\bconcurrently\b/gi, '') : sql;
}

async function record(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { number, name, sha256, compatibleFrom } = migration;
  await client.query('insert into schema_migrations (number, name, sha256, compatible_from) values ($1, $2, $3, $4)', [
    ...[number, name, sha256, compatibleFrom],
  ]);
}

const fileOf = ({ name }: Migration) => `migrations/${name}.sql`;

function throwWithLine(error: unknown, { name, sql }: Migration): never {
  if (!(error instanceof pg.DatabaseError) || /^(08|55P03|57)/.test(error.code ?? '')) throw error;
  const line = error.position && sql.slice(0, Number(error.position)).split('\n').length;
  throw new Error(`migrations/${name}.sql${line ? `, line ${line}` : ''}: ${error.message}`, { cause: error });
}
