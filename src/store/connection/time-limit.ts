/** Work on one connection of a pool that must end in time, whatever the database does. */
import type pg from 'pg';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { codeOf, DatabaseUnavailable, messageOf } from '../database-errors.ts';
import { TimeoutClient } from './idle-timeout.ts';

/** One statement. With a name it is prepared once on each connection. */
export type QueryStatement = { readonly text: string; readonly name?: string; readonly values?: unknown[] };

/** How long the caller waits, ms, waiting for a connection included. */
export type TimeLimit = { readonly withinMs: number };

/** One limit for several queries together: each gets what is left of it. */
export function sharedTimeLimit(withinMs: number): TimeLimit {
  const end = performance.now() + withinMs;
  return {
    get withinMs() {
      return Math.floor(end - performance.now());
    },
  };
}

/** Runs one statement on a connection of the pool; rejects as `withinTimeLimit` does. */
export async function runStatement<Row extends pg.QueryResultRow>(
  pool: Pick<pg.Pool, 'connect'>,
  statement: QueryStatement,
  limit: TimeLimit,
): Promise<Row[]> {
  return (await withinTimeLimit(pool, limit, (client) => client.query<Row>(statement))).rows;
}

/**
 * Runs `work` on a connection of the pool. Rejects with `DatabaseUnavailable` when it does not end in time, or when the
 * server ends, starts or cannot be reached. A connection that hangs is closed, whatever becomes of its statement on the
 * server; with no time left nothing is begun.
 */
export async function withinTimeLimit<T>(
  pool: Pick<pg.Pool, 'connect'>,
  { withinMs }: TimeLimit,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (withinMs <= 0) throw new DatabaseUnavailable('there was no time left to ask the database');
  const attempt: Attempt = { isLate: false, client: undefined };
  return withTimeout(withinMs, runAttempt(pool, attempt, work), () => {
    const message = `the database did not answer within ${withinMs / 1000} s`;
    attempt.isLate = true;
    if (attempt.client instanceof TimeoutClient) attempt.client.giveUp(message);
    return new DatabaseUnavailable(message);
  });
}

type Attempt = { isLate: boolean; client: pg.PoolClient | undefined };

async function runAttempt<T>(
  pool: Pick<pg.Pool, 'connect'>,
  attempt: Attempt,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch(throwUnavailable);
  try {
    if (attempt.isLate) throw new DatabaseUnavailable('the connection came too late');
    attempt.client = client;
    return await work(client).catch(throwIfUnavailable);
  } finally {
    attempt.client = undefined;
    client.release();
  }
}

/** Classes of SQLSTATE: the connection, resources, an operator's or a crash's intervention, the system. */
const SERVER_UNAVAILABLE_STATES = /^(08|53|57P|58)/;

function throwUnavailable(error: Error): never {
  if (error instanceof DatabaseUnavailable) throw error;
  throw new DatabaseUnavailable(messageOf(error), { cause: error });
}

function throwIfUnavailable(error: Error): never {
  if (SERVER_UNAVAILABLE_STATES.test(codeOf(error) ?? '')) throwUnavailable(error);
  throw error;
}
