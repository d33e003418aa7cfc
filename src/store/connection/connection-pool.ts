/** The connections of a process, and short questions that wait for none of them for long. */
import pg from 'pg';
import { codeOf, DatabaseUnavailable, messageOf, type OperatorLog } from '../database-errors.ts';
import { TimeoutClient, withIdleTimeout } from './idle-timeout.ts';

/** One statement. With a name it is prepared once on each connection. */
export type QueryStatement = { readonly text: string; readonly name?: string; readonly values?: unknown[] };

/**
 * Sent once on each new connection, not in its start-up packet: poolers such as pgbouncer refuse settings there. Ours
 * are idle for no more than 10 seconds: an older one is of a client that is gone and could not say so.
 */
export const SESSION_SETTINGS = `set statement_timeout = '15s'; set idle_in_transaction_session_timeout = '60s';
  set idle_session_timeout = '60s'; set timezone = 'UTC'`;

/** A statement whose asker has gone ends within a second and does not wait for its locks; not every server's system can. */
const DETECT_GONE_CLIENT = `do $$ begin perform set_config('client_connection_check_interval', '1s', false);
  exception when invalid_parameter_value then null; end $$`;

const SESSION_SETUP_TIMEOUT_MS = 2_000;

/** A pool whose connections are given up when they hang; a given up one takes the idle ones along. */
export function openPool(config: pg.ClientConfig, connections: number, log: OperatorLog): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: TimeoutClient,
    max: connections,
    onConnect: async (client) => {
      await withIdleTimeout(SESSION_SETUP_TIMEOUT_MS, () => client.query(`${SESSION_SETTINGS}; ${DETECT_GONE_CLIENT}`));
    },
  });
  // Idle connections die when a server restarts: the pool makes new ones, the process must not die with them.
  pool.on('error', (error) => log.info(`an idle database connection was lost: ${messageOf(error)}`));
  pool.on('connect', (client) => client.once('gave up', () => dropIdle(pool)));
  return pool;
}

/**
 * Asks one short question. Rejects with `DatabaseUnavailable` when it is not answered in time, waiting for a connection
 * included, or the server ends, starts, or cannot be reached; one that hangs is given up, whatever became of the
 * statement on the server.
 */
export async function runStatement<Row extends pg.QueryResultRow>(
  pool: Pick<pg.Pool, 'connect'>,
  statement: QueryStatement,
  withinMs: number,
): Promise<Row[]> {
  const timeout = Promise.withResolvers<never>();
  const message = `the database did not answer within ${withinMs / 1000} s`;
  const attempt: QueryAttempt = { isLate: false, client: undefined };
  const timer = setTimeout(() => {
    attempt.isLate = true;
    if (attempt.client instanceof TimeoutClient) attempt.client.giveUp(message);
    timeout.reject(new DatabaseUnavailable(message));
  }, withinMs);
  try {
    return await Promise.race([queryOnPool<Row>(pool, statement, attempt), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type QueryAttempt = { isLate: boolean; client: pg.PoolClient | undefined };

async function queryOnPool<Row extends pg.QueryResultRow>(
  pool: Pick<pg.Pool, 'connect'>,
  statement: QueryStatement,
  attempt: QueryAttempt,
): Promise<Row[]> {
  const client = await pool.connect().catch(throwUnavailable);
  try {
    if (attempt.isLate) return [];
    attempt.client = client;
    return (await client.query<Row>(statement).catch(throwIfUnavailable)).rows;
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

/** What cut one connection off has cut off its like: the next to ask should not have to find out one by one. */
function dropIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => {
        if (client instanceof TimeoutClient) client.cut();
        client.release(true);
      },
      () => undefined,
    );
  }
}
