/** Queries that give up by themselves, for those who must answer soon whatever the database does. */
import type pg from 'pg';
import { runStatement } from './connection-pool.ts';

/**
 * The rows of a query. Rejects with `DatabaseUnavailable` when there is no answer within `deadlineMs`, waiting for a
 * connection included; its connection is then given up.
 */
export function queryWithin<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  deadlineMs: number,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return runStatement<Row>(pool, { text, values }, deadlineMs);
}
