/** Runs work on one connection of a pool within a time limit, whatever the database does. */
import type pg from 'pg';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { codeOf, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { TimeoutClient } from './idle-timeout.ts';
import { poolCounts } from './pool-counts.ts';

/** One statement. A named one is prepared once on each connection. */
export type QueryStatement = { readonly text: string; readonly name?: string; readonly values?: unknown[] };

/** How long the caller waits, ms, including the wait for a connection. */
export type QueryTimeout = { readonly withinMs: number };

/** One timeout for several queries in turn: each gets the time that is left. */
export function sharedTimeout(withinMs: number): QueryTimeout {
  const end = performance.now() + withinMs;
  return {
    get withinMs() {
      return Math.floor(end - performance.now());
    },
  };
}

/** Runs one statement on a connection of the pool; rejects as `withinTimeout` does. */
export async function runStatement<Row extends pg.QueryResultRow>(
  pool: Pick<pg.Pool, 'connect'>,
  statement: QueryStatement,
  limit: QueryTimeout,
): Promise<Row[]> {
  return (await withinTimeout(pool, limit, (client) => client.query<Row>(statement))).rows;
}

/**
 * Runs `work` on a connection of the pool. Rejects with `DatabaseUnavailable` if it takes too long, or if the server
 * stops, starts or cannot be reached. Closes a hanging connection, whatever happens to its statement on the server.
 * Without time left it starts nothing.
 */
export async function withinTimeout<T>(
  pool: Pick<pg.Pool, 'connect'>,
  { withinMs }: QueryTimeout,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (withinMs <= 0) throw new DatabaseUnavailable('there was no time left to query the database');
  const attempt: Attempt = { isLate: false, client: undefined };
  return withTimeout(withinMs, runAttempt(pool, attempt, work), () => {
    const message = `the database did not answer within ${withinMs / 1000} s`;
    attempt.isLate = true;
    poolCounts(pool).timeouts += 1;
    if (attempt.client instanceof TimeoutClient) attempt.client.drop(message);
    return new DatabaseUnavailable(message);
  });
}

type Attempt = { isLate: boolean; client: pg.PoolClient | undefined };

async function runAttempt<T>(
  pool: Pick<pg.Pool, 'connect'>,
  attempt: Attempt,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const counts = poolCounts(pool);
  const askedAt = performance.now();
  const client = await pool.connect().catch((error) => {
    counts.unavailable += 1;
    return throwUnavailable(error);
  });
  const connectedAt = performance.now();
  counts.waits.add((connectedAt - askedAt) / 1000);
  try {
    if (attempt.isLate) throw new DatabaseUnavailable('the connection was ready too late');
    attempt.client = client;
    return await work(client).catch(throwIfUnavailable);
  } finally {
    counts.work.add((performance.now() - connectedAt) / 1000);
    attempt.client = undefined;
    client.release();
  }
}

/** Classes of SQLSTATE: connection exceptions, lack of resources, shutdowns and crashes, system errors. */
const SERVER_UNAVAILABLE_STATES = /^(08|53|57P|58)/;

function throwUnavailable(error: Error): never {
  if (error instanceof DatabaseUnavailable) throw error;
  throw new DatabaseUnavailable(messageOf(error), { cause: error });
}

function throwIfUnavailable(error: Error): never {
  if (SERVER_UNAVAILABLE_STATES.test(codeOf(error) ?? '')) throwUnavailable(error);
  throw error;
}
