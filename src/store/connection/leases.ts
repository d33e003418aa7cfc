/** Leases: one process at a time does a job. */
import { type Kysely, sql } from 'kysely';
import { codeOf } from '../database-errors.ts';
import { withIdleTimeout } from './idle-timeout.ts';
import type { Schema } from './schema.ts';

export type Lease = { readonly name: string; readonly holder: string; readonly fence: number };

/**
 * Takes a lease that is free or has expired by the database's clock; `null` if another process holds it. One that lasts
 * longer than any is given was taken before that clock was set back, and is free, too. Each time the fencing number
 * rises, which distinguishes the present holder from one that lost the lease.
 */
export async function takeLease(db: Kysely<Schema>, name: string, holder: string, ms: number): Promise<Lease | null> {
  try {
    return await withIdleTimeout(LEASE_IDLE_TIMEOUT_MS, () =>
      db.transaction().execute(async (tx) => {
        await SET_LOCK_TIMEOUT.execute(tx);
        return tryToTake(tx, name, holder, ms);
      }),
    );
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}

/** A lease query touches one row: a connection without traffic for this long has been lost. */
const LEASE_IDLE_TIMEOUT_MS = 5_000;
/** A holder that hangs in a publication keeps the row locked: it still holds the lease then, even an expired one. */
const SET_LOCK_TIMEOUT = sql`set local lock_timeout = '1s'`;
const LOCK_NOT_AVAILABLE = '55P03';
/** A clock that is set back by less only delays a job. Another release beside this one may give longer leases. */
export const MAX_CLOCK_STEP_MS = 3_600_000;

async function tryToTake(db: Kysely<Schema>, name: string, holder: string, ms: number): Promise<Lease | null> {
  const { rows } = await sql<{ fence: number }>`
    insert into leases (name, holder, fence, expires_at)
    values (${name}, ${holder}, 1, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (name) do update
      set holder = excluded.holder, fence = leases.fence + 1, expires_at = excluded.expires_at
      where leases.expires_at <= clock_timestamp()
        or leases.expires_at > clock_timestamp() + ${ms + MAX_CLOCK_STEP_MS} * interval '1 millisecond'
    returning fence`.execute(db);
  return rows[0] ? { name, holder, fence: rows[0].fence } : null;
}

/** Extends a lease that is still held; false if it has been lost. */
export async function renewLease(db: Kysely<Schema>, lease: Lease, ms: number): Promise<boolean> {
  const renewal = sql`
    update leases set expires_at = clock_timestamp() + ${ms} * interval '1 millisecond'
    where name = ${lease.name} and fence = ${lease.fence} and expires_at > clock_timestamp()
    returning fence`;
  const { rows } = await withIdleTimeout(LEASE_IDLE_TIMEOUT_MS, () => renewal.execute(db));
  return rows.length > 0;
}

/** Whether the lease is still held; locks its row, so that no process takes it before the transaction ends. */
export async function holdsLease(tx: Kysely<Schema>, lease: Lease): Promise<boolean> {
  const { rows } = await sql`
    select 1 from leases
    where name = ${lease.name} and fence = ${lease.fence} and expires_at > clock_timestamp() for update`.execute(tx);
  return rows.length > 0;
}

/** Releases a lease; does nothing if it has been lost. */
export async function releaseLease(db: Kysely<Schema>, lease: Lease): Promise<void> {
  const release = sql`
    update leases set expires_at = clock_timestamp()
    where name = ${lease.name} and fence = ${lease.fence} and expires_at > clock_timestamp()`;
  await withIdleTimeout(LEASE_IDLE_TIMEOUT_MS, () => release.execute(db));
}
