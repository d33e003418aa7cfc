/** Whether two addresses lead to the same database: to a primary and its streaming replica, or past a pooler. */
import type { Queryable } from './database-connection.ts';

/** What is wrong with a second address, as a clause; `advice` says what to do. */
export type AddressProblem = { readonly why: string; readonly advice: string };

type Identity = { readonly system: string; readonly database: string; readonly isReplica: boolean };

/** `null` = it is a replica of the primary. Rejects if one of them does not answer. */
export async function replicaProblem(primary: Queryable, replica: Queryable): Promise<AddressProblem | null> {
  const [own, other] = await Promise.all([identityOf(primary), identityOf(replica)]);
  const isSame = own.system === other.system && own.database === other.database;
  if (!isSame)
    return {
      why: 'DATABASE_READ_URL is no replica of DATABASE_URL: it is another database',
      advice: 'set DATABASE_READ_URL to a streaming replica of that server, and to the same database',
    };
  if (!other.isReplica)
    return {
      why: 'DATABASE_READ_URL is a primary server, and no replica',
      advice: 'set it to a streaming replica of DATABASE_URL, or unset it',
    };
  return null;
}

/**
 * `null` = the second address, which is none of a pooler, leads to the same primary as the first. Rejects if one of
 * them does not answer.
 */
export async function directProblem(database: Queryable, direct: Queryable): Promise<AddressProblem | null> {
  const [own, other] = await Promise.all([identityOf(database), identityOf(direct)]);
  const advice = 'set DATABASE_DIRECT_URL to the server behind the pooler of DATABASE_URL, and to the same database';
  if (own.system !== other.system || own.database !== other.database)
    return { why: 'DATABASE_DIRECT_URL is another database than DATABASE_URL', advice };
  if (other.isReplica) return { why: 'DATABASE_DIRECT_URL is a replica, and no primary server', advice };
  return null;
}

async function identityOf(database: Queryable): Promise<Identity> {
  const [row] = await database.query<Identity>(IDENTITY, { withinMs: 2_000 });
  if (row === undefined) throw new Error('it did not say which database it is');
  return row;
}

/** A replica has the identifier of its primary, and its databases have the same numbers. */
const IDENTITY = {
  text: `select (select system_identifier::text from pg_control_system()) as system,
    (select oid::text from pg_database where datname = current_database()) as database,
    pg_is_in_recovery() as "isReplica"`,
};

/** Bytes of the write-ahead log that a replica has not applied yet. */
export async function replicaLagBytes(primary: Queryable, replica: Queryable): Promise<number> {
  const [end] = await primary.query<{ at: string }>({ text: 'select pg_current_wal_lsn()::text as at' }, LAG_TIMEOUT);
  const [lag] = await replica.query<{ bytes: number }>(
    {
      text: 'select greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::float8 as bytes',
      values: [end?.at],
    },
    LAG_TIMEOUT,
  );
  return lag?.bytes ?? 0;
}

const LAG_TIMEOUT = { withinMs: 2_000 };
