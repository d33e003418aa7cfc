/** Everything in the database, as of one moment, while others go on working. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { throwConnectionLost } from '../connection/idle-timeout.ts';
import { appliedMigrations, MIGRATION_LOCK, pendingOf, readMigrations } from '../connection/migrations.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { hasRowsInBackup, sequencesOf, TEXT_FORMAT_SETTINGS, tablesOf } from './catalogue.ts';
import { BackupRefused } from './file.ts';
import { type Piece, type TableHead, Tally } from './pieces.ts';

export type DumpOptions = {
  /** Version of this program. */
  readonly program: string;
  /** Epoch ms. */
  readonly now: number;
  /** Called as each table begins, and told how many there are. */
  readonly onTable?: (table: string, tables: number) => void;
};

/**
 * The pieces of a backup. Nothing is migrated: the backup is of the tables as they are. Rejects with `BackupRefused`
 * where there is nothing to back up, and as the database does.
 */
export async function* dump(database: { pool: pg.Pool }, options: DumpOptions): AsyncGenerator<Piece, void, void> {
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
async function* contentOf(client: pg.PoolClient, { program, now, onTable }: DumpOptions): AsyncGenerator<Piece> {
  await client.query(`set statement_timeout = 0; set lock_timeout = '1min'`);
  await client.query(`select pg_advisory_lock_shared(${MIGRATION_LOCK})`);
  await client.query(`begin isolation level repeatable read read only; ${TEXT_FORMAT_SETTINGS}`);
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0)
    throw new BackupRefused('there is nothing to back up: the database has no tables of Pompa');
  pendingOf(readMigrations(), migrations);
  yield { kind: 'origin', value: { program, made: new Date(now).toISOString(), migrations } };
  const tables = await tablesOf(client);
  for (const table of tables) {
    onTable?.(table.table, tables.length);
    yield* rowsOf(client, table);
  }
  yield { kind: 'ending', value: { tables: tables.length, sequences: await sequencesOf(client) } };
  await client.query('commit');
}

async function* rowsOf(client: pg.PoolClient, head: TableHead): AsyncGenerator<Piece> {
  yield { kind: 'table', value: head };
  const tally = new Tally();
  if (hasRowsInBackup(head.table)) {
    const columns = head.columns.map(pg.escapeIdentifier).join(', ');
    const rows = client.query(copyTo(`copy (select ${columns} from ${pg.escapeIdentifier(head.table)}) to stdout`));
    for await (const bytes of rows as AsyncIterable<Buffer>) {
      tally.add(bytes);
      yield { kind: 'rows', value: bytes };
    }
  }
  yield { kind: 'end', value: tally.end() };
}
