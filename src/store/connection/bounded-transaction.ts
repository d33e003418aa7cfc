/** Transactions that give up by themselves, for those who must answer soon whatever the database does. */
import type pg from 'pg';
import { DatabaseUnavailable } from '../database-errors.ts';
import { TimeoutClient } from './idle-timeout.ts';

type TransactionAttempt = { isLate: boolean; client: pg.PoolClient | undefined };

/**
 * Runs `work` in one transaction, committed when it resolves. Rejects with `DatabaseUnavailable` when not all of it,
 * waiting for a connection included, is done within `deadlineMs`; the connection is then given up, and nothing is kept
 * unless the commit was under way.
 */
export async function transactionWithin<T>(
  pool: Pick<pg.Pool, 'connect'>,
  deadlineMs: number,
  work: (database: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const message = `the database did not answer within ${deadlineMs / 1000} s`;
  const attempt: TransactionAttempt = { isLate: false, client: undefined };
  const timer = setTimeout(() => {
    attempt.isLate = true;
    if (attempt.client instanceof TimeoutClient) attempt.client.giveUp(message);
    timeout.reject(new DatabaseUnavailable(message));
  }, deadlineMs);
  try {
    return await Promise.race([runTransaction(pool, work, attempt, timeout.promise), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function runTransaction<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (database: pg.PoolClient) => Promise<T>,
  attempt: TransactionAttempt,
  late: Promise<never>,
): Promise<T> {
  const client = await pool.connect();
  let finished = false;
  try {
    if (attempt.isLate) {
      finished = true;
      return await late;
    }
    attempt.client = client;
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    finished = true;
    return result;
  } finally {
    attempt.client = undefined;
    // Whatever went wrong in it: a new connection is certain to be outside of any transaction.
    client.release(!finished);
  }
}
