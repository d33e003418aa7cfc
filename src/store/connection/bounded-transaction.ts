/** Transactions that give up by themselves, for those who must answer soon whatever the database does. */
import type pg from 'pg';
import { DatabaseUnavailable } from '../database-errors.ts';
import { PatientClient } from './idle-timeout.ts';

type Course = { late: boolean; client: pg.PoolClient | undefined };

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
  const late = Promise.withResolvers<never>();
  const sentence = `the database did not answer within ${deadlineMs / 1000} s`;
  const course: Course = { late: false, client: undefined };
  const timer = setTimeout(() => {
    course.late = true;
    if (course.client instanceof PatientClient) course.client.giveUp(sentence);
    late.reject(new DatabaseUnavailable(sentence));
  }, deadlineMs);
  try {
    return await Promise.race([done(pool, work, course, late.promise), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function done<T>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (database: pg.PoolClient) => Promise<T>,
  course: Course,
  late: Promise<never>,
): Promise<T> {
  const client = await pool.connect();
  let finished = false;
  try {
    if (course.late) {
      finished = true;
      return await late;
    }
    course.client = client;
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    finished = true;
    return result;
  } finally {
    course.client = undefined;
    // Whatever went wrong in it: a new connection is certain to be outside of any transaction.
    client.release(!finished);
  }
}
