/** A share of the connections: what many clients can ask for at once leaves the others to the rest of the service. */
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import type { Queryable } from './database-connection.ts';
import { sharedTimeout } from './query-timeout.ts';

/** With more statements waiting, the newest is refused at once. */
const MAX_WAITING = 200;
/** All users of the share are alike. */
const USER = { client: '', network: '' };

/**
 * The database through at most `connections` of its connections at once. A statement waits for one within its time
 * limit; it rejects with `DatabaseUnavailable` if there is none in time, or if too many wait.
 */
export function connectionShare(database: Queryable, connections: number): Queryable {
  const slots = new FairSemaphore({
    ...{ slots: connections, slotsPerClient: connections, slotsPerNetwork: connections },
    ...{ maxWaiting: MAX_WAITING, maxWaitingPerClient: MAX_WAITING },
  });
  return {
    get state() {
      return database.state;
    },
    async query(statement, { withinMs }) {
      const limit = sharedTimeout(withinMs);
      const release = await slots.acquire(USER, AbortSignal.timeout(Math.max(0, Math.ceil(withinMs))));
      if (release === null) throw new DatabaseUnavailable('too many statements wait for the database');
      try {
        return await database.query(statement, limit);
      } finally {
        release();
      }
    },
  };
}
