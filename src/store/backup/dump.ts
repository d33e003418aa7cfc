/** Reads everything in the database as of one moment, while others continue to work. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { throwConnectionLost } from '../connection/idle-timeout.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { appliedMigrations, pendingOf, refuseUnknown } from '../migrations/applied-migrations.ts';
import { MIGRATION_LOCK } from '../migrations/apply-migrations.ts';
import { readMigrations } from '../migrations/read-migrations.ts';
import { BackupRefused } from './backup-refusals.ts';
import type { Contents, TableContents, TableHead, TableRows } from './contents.ts';
import { hasRowsInBackup, ownTableNames, sequencesOf, TEXT_FORMAT_SETTINGS, tablesOf } from './database-tables.ts';

export type DumpOptions = {
  /** Version of this program. */
  readonly program: string;
  /** Epoch ms. */
  readonly now: number;
  /** Called when each table begins, with the number of tables. */
  readonly onTable?: (table: string, tables: number) => void;
  /** Reads, before the rows are read, what must be of the same moment: given the name of the exported snapshot. */
  readonly atMoment?: (snapshot: string) => Promise<void>;
};

/**
 * Yields the rows of a backup, some megabytes at a time, and finally their description. Backs up the tables as they
 * are, without migrating them. Rejects with `BackupRefused` if there is nothing to back up, else with the error of the
 * database.
 */
export async function* dump(
  database: { pool: pg.Pool },
  options: DumpOptions,
): AsyncGenerator<TableRows | Contents, void, void> {
  const client = await database.pool.connect().catch((error) => {
    throw new DatabaseUnavailable(`the backup cannot begin: ${messageOf(error)}`);
  });
  try {
    yield* contentOf(client, options);
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof DatabaseMisconfigured) throw error;
    throwConnectionLost(error as Error);
  } finally {
    // Destroyed, not returned to the pool: the lock ends with the connection.
    client.release(true);
  }
}

/** No table changes meanwhile: migrations wait for the lock, which is taken before the snapshot. */
async function* contentOf(
  client: pg.PoolClient,
  { program, now, onTable, atMoment }: DumpOptions,
): AsyncGenerator<TableRows | Contents> {
  await client.query(`set statement_timeout = 0; set lock_timeout = '1min'`);
  await client.query(`select pg_advisory_lock_shared(${MIGRATION_LOCK})`);
  await client.query(`begin isolation level repeatable read read only; ${TEXT_FORMAT_SETTINGS}`);
  const applied = await appliedMigrations(client);
  if (applied.length === 0) throw new BackupRefused('there is nothing to back up: the database has no tables of Pompa');
  pendingOf(readMigrations(), applied);
  refuseUnknown(readMigrations(), applied);
  const heads = await tablesOf(client);
  const missing = [...(await ownTableNames(client))].filter((name) => !heads.some(({ table }) => table === name));
  if (missing.length > 0) throw new BackupRefused(`the database lacks tables of Pompa: ${missing.join(', ')}`);
  if (atMoment !== undefined) {
    await client.query(`set local idle_in_transaction_session_timeout = '5min'`);
    const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
    await atMoment(rows[0]?.snapshot ?? '');
  }
  const tables: TableContents[] = [];
  for (const head of heads) {
    onTable?.(head.table, heads.length);
    tables.push({ ...head, rows: yield* rowsOf(client, head) });
  }
  const migrations = applied.map(({ number, name, sha256 }) => ({ number, name, sha256 }));
  yield { program, made: new Date(now).toISOString(), migrations, tables, sequences: await sequencesOf(client) };
  await client.query('commit');
}

/** Returns the number of rows. */
async function* rowsOf(client: pg.PoolClient, { table, columns }: TableHead): AsyncGenerator<TableRows, number> {
  if (!hasRowsInBackup(table)) return 0;
  const names = columns.map(pg.escapeIdentifier).join(', ');
  const copied = client.query(copyTo(`copy (select ${names} from only ${pg.escapeIdentifier(table)}) to stdout`));
  for await (const bytes of joinRows(copied)) yield { table, bytes };
  // The rows end before PostgreSQL says how many they were. It has said so once it answers another statement.
  await client.query('');
  return copied.rowCount;
}

const TARGET_BYTES = 4_194_304;
/** COPY escapes a line feed within a value. */
const LINE_FEED = 0x0a;

/** Joins chunks to some megabytes each that end where a row ends. */
async function* joinRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const end = bytes + chunk.length < TARGET_BYTES ? 0 : chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
      bytes = 0;
    }
    pending.push(chunk.subarray(end));
    bytes += chunk.length - end;
  }
  if (bytes > 0) yield Buffer.concat(pending);
}
