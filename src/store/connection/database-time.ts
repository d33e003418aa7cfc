/** The moment by the database's clock, which is the same for all machines. */
import { sql } from 'kysely';
import type { DatabaseConnection } from './database-connection.ts';

/** Epoch ms. */
export function databaseTime(database: Pick<DatabaseConnection, 'transaction'>): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await sql<{ now: number }>`select clock_timestamp() as now`.execute(tx);
    return rows[0]?.now as number;
  });
}
