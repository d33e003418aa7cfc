/** How allowances ask the database: in named statements, and never for longer than somebody waits for the answer. */
import type pg from 'pg';
import { runStatement } from '../connection/connection-pool.ts';

/** Prepared once on each connection. */
type Statement = { readonly name?: string; readonly text: string };

/** Gives the rows of a statement. */
export type QueryFunction = <Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]) => Promise<Row[]>;

/** A database as allowances know it. */
export type Queryable = Pick<pg.Pool, 'connect'>;

/**
 * A way to ask several things that together must be done within `deadlineMs` from now, waiting for connections included:
 * what is late is cut off and rejects, and nothing is begun after that time.
 */
export function queryWithDeadline(database: Queryable, deadlineMs: number): QueryFunction {
  const deadline = performance.now() + deadlineMs;
  return (statement, values) => {
    const left = Math.floor(deadline - performance.now());
    if (left <= 0) return Promise.reject(new Error('nobody waits for this any more'));
    return runStatement(database, { ...statement, values }, left);
  };
}
