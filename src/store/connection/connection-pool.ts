/** The connection pool of a process. */
import pg from 'pg';
import { outsideRequests } from '../../telemetry/tracing.ts';
import { messageOf, type OperatorLog } from '../database-errors.ts';
import { TimeoutClient, withIdleTimeout } from './idle-timeout.ts';

/**
 * Sent once on each new connection, not in its start-up packet: poolers such as pgbouncer refuse settings there. Our
 * pool closes connections that are idle for 10 seconds, so one idle for longer belongs to a client that vanished.
 */
export const SESSION_SETTINGS = `set statement_timeout = '15s'; set idle_in_transaction_session_timeout = '60s';
  set idle_session_timeout = '60s'; set timezone = 'UTC'`;

/** Ends a statement within a second after its client vanished, even while it waits for a lock. Some systems cannot. */
const DETECT_GONE_CLIENT = `do $$ begin perform set_config('client_connection_check_interval', '1s', false);
  exception when invalid_parameter_value then null; end $$`;

const SESSION_SETUP_TIMEOUT_MS = 2_000;

/** Opens a pool that drops hanging connections, and with each of them all idle ones. */
export function openPool(config: pg.ClientConfig, connections: number, log: OperatorLog): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: TimeoutClient,
    max: connections,
    onConnect: async (client) => {
      await withIdleTimeout(SESSION_SETUP_TIMEOUT_MS, () => client.query(`${SESSION_SETTINGS}; ${DETECT_GONE_CLIENT}`));
    },
  });
  // A restart of the server ends idle connections: the pool opens new ones, and the process must not end.
  const onLost = (error: Error) => log.info(`an idle database connection was lost: ${messageOf(error)}`);
  // The connection was opened for some request, but is lost for all.
  pool.on('error', outsideRequests(onLost));
  pool.on('connect', (client) => client.once('dropped', () => dropIdle(pool)));
  return pool;
}

/** Whatever broke one connection has probably broken the idle ones: no query should find that out one by one. */
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
