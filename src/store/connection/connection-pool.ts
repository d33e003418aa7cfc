/** The connection pool of a process. */
import pg from 'pg';
import { outsideRequests } from '../../telemetry/tracing.ts';
import { messageOf, type OperatorLog } from '../database-errors.ts';
import { TimeoutClient } from './idle-timeout.ts';
import { setUpSession } from './session.ts';

export type PoolOptions = {
  readonly connections: number;
  readonly log: OperatorLog;
  /** Told of each new connection whether a pooler is between. */
  readonly onSession: (isPooled: boolean) => void;
};

/** Opens a pool that drops hanging connections, and with each of them all idle ones. */
export function openPool(config: pg.ClientConfig, { connections, log, onSession }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: TimeoutClient,
    max: connections,
    onConnect: async (client) => {
      if (!(client instanceof TimeoutClient)) return;
      await setUpSession(client);
      onSession(client.isPooled);
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
