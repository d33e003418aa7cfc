/** Everything in the database, as of one moment, while others go on working. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { throwConnectionLost } from '../connection/idle-timeout.ts';
import { appliedMigrations, MIGRATION_LOCK, pendingOf, readMigrations } from '../connection/migrations.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { hasRowsInBackup, sequencesOf, TEXT_FORMAT_SETTINGS, tablesOf } from './catalogue.ts';
import type { Contents, TableContents, TableHead, TableRows } from './contents.ts';
import { BackupRefused } from './refusals.ts';

export type DumpOptions = {
  /** Version of this program. */
  readonly program: string;
  /** Epoch ms. */
  readonly now: number;
  /** Called as each table begins, and told how many there are. */
  readonly onTable?: (table: string, tables: number) => void;
};

/**
 * The rows of a backup, some megabytes at a time, and at last what they are. Nothing is migrated: the backup is of the
 * tables as they are. Rejects with `BackupRefused` where there is nothing to back up, and as the database does.
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
    // Given up, not given back: the lock ends with the connection.
    client.release(true);
  }
}

/** Tables change under nobody's hands: a migration waits, and a snapshot taken before it would not see what it did. */
async function* contentOf(
  client: pg.PoolClient,
  { program, now, onTable }: DumpOptions,
): AsyncGenerator<TableRows | Contents> {
  await client.query(`set statement_timeout = 0; set lock_timeout = '1min'`);
  await client.query(`select pg_advisory_lock_shared(${MIGRATION_LOCK})`);
  await client.query(`begin isolation level repeatable read read only; ${TEXT_FORMAT_SETTINGS}`);
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0)
    throw new BackupRefused('there is nothing to back up: the database has no tables of Pompa');
  pendingOf(readMigrations(), migrations);
  const heads = await tablesOf(client);
  const tables: TableContents[] = [];
  for (const head of heads) {
    onTable?.(head.table, heads.length);
    tables.push({ ...head, rows: yield* rowsOf(client, head) });
  }
  yield { program, made: new Date(now).toISOString(), migrations, tables, sequences: await sequencesOf(client) };
  await client.query('commit');
}

/** Gives how many rows there were. */
async function* rowsOf(client: pg.PoolClient, { table, columns }: TableHead): AsyncGenerator<TableRows, number> {
  if (!hasRowsInBackup(table)) return 0;
  const names = columns.map(pg.escapeIdentifier).join(', ');
  const copied = client.query(copyTo(`copy (select ${names} from ${pg.escapeIdentifier(table)}) to stdout`));
  for await (const bytes of joined(copied)) yield { table, bytes };
  return copied.rowCount;
}

const JOINED_BYTES = 4_194_304;
/** COPY escapes a line feed within a value. */
const LINE_FEED = 0x0a;

/** Joins what comes to some megabytes at a time that end where a row ends. */
async function* joined(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const end = bytes + chunk.length < JOINED_BYTES ? 0 : chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [];
      bytes = 0;
    }
    held.push(chunk.subarray(end));
    bytes += chunk.length - end;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
