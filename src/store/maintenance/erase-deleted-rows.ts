/** Removes deleted rows from the files of a table, where PostgreSQL leaves their bytes until it reuses the space. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import { codeOf } from '../database-errors.ts';

const LOCK_NOT_AVAILABLE = '55P03';
/** The longest wait for transactions that can still see the deleted rows: PostgreSQL keeps these rows for them. */
const MAX_TRANSACTION_WAIT_MS = 10_000;
const POLL_MS = 50;

/** How an attempt ended. */
export type Erasure = 'erased' | 'in use' | 'not permitted';

/**
 * Rewrites `table` without its deleted rows: a plain `vacuum` would free their space and leave their bytes in it. It
 * waits at most 10 seconds for earlier transactions, then 2 for the lock, since others queue behind it. If they take
 * longer (a backup, for example), or if the role may not do it, the bytes stay until PostgreSQL reuses their space. The
 * write-ahead log and backups keep them for a while in any case. Needs a session of the server: no pooler.
 */
export async function eraseDeletedRows(db: Kysely<Schema>, table: keyof Schema): Promise<Erasure> {
  return db.connection().execute(async (connection) => {
    await sql`set lock_timeout = '2s'`.execute(connection);
    try {
      if (!(await waitForOlderTransactions(connection))) return 'in use';
      const before = await fileOf(connection, table);
      await sql`vacuum (full) ${sql.table(table)}`.execute(connection);
      // Without the right to do it, the server skips the table, and only warns.
      return (await fileOf(connection, table)) === before ? 'not permitted' : 'erased';
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      return 'in use';
    } finally {
      await sql`reset lock_timeout`.execute(connection);
    }
  });
}

/** The number of the file with the rows of a table. */
async function fileOf(db: Kysely<Schema>, table: keyof Schema): Promise<string> {
  const { rows } = await sql<{ file: string }>`select pg_relation_filenode(${table}::regclass)::text as file`.execute(
    db,
  );
  return rows[0]?.file ?? '';
}

/** Resolves to false if a transaction that is older than this call outlasts the wait. */
async function waitForOlderTransactions(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ now: string }>`select pg_current_xact_id()::text as now`.execute(db);
  const deadline = performance.now() + MAX_TRANSACTION_WAIT_MS;
  while (await isOlderRunning(db, rows[0]?.now ?? '')) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Counts writers of the whole server, because every snapshot reaches back to the oldest, and readers of this database.
 */
async function isOlderRunning(db: Kysely<Schema>, transaction: string): Promise<boolean> {
  const { rows } = await sql<{ older: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) <= ${transaction}::xid8 or exists (
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and age(backend_xmin) >= age(${transaction}::xid8::xid)) as older`.execute(db);
  return rows[0]?.older ?? true;
}
