/** The connections of a process. */
import pg from 'pg';
import { messageOf, type OperatorLog } from '../database-errors.ts';
import { TimeoutClient, withIdleTimeout } from './idle-timeout.ts';

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
