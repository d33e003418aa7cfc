import type { Kysely } from 'kysely';
import { releaseLease, renewLease, takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { keepLease } from './keep-lease.ts';

/** A process that does not renew its lease for this long loses it. */
const LEASE_MS = 60_000;
/** After a failure nobody tries again for this long. */
const REST_AFTER_FAILURE_MS = 600_000;

export type LeaseOptions = {
  readonly holder: string;
  /** Whether a failure keeps other processes from trying, too. */
  readonly restAfterFailure: boolean;
  readonly signal: AbortSignal;
};

/** A job that one process at a time does: the name of its lease, and what to say when that is lost. */
export type LeasedJob = { readonly lease: string; readonly lost: string };

/** Runs `work` under the lease; `null` = another process has it. `work` is aborted if the lease is lost. */
export async function underLease<T>(
  db: Kysely<Schema>,
  job: LeasedJob,
  { holder, restAfterFailure, signal }: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const lease = await takeLease(db, job.lease, holder, LEASE_MS);
  if (lease === null) return null;
  const lost = new AbortController();
  const stopKeeping = keepLease(db, lease, {
    ...{ leaseMs: LEASE_MS, expires: true },
    onLost: () => lost.abort(new Error(job.lost)),
  });
  let rest = false;
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    rest = restAfterFailure && !signal.aborted;
    throw error;
  } finally {
    stopKeeping();
    // The lease ends by itself if the database is away.
    if (rest) await renewLease(db, lease, REST_AFTER_FAILURE_MS).catch(() => false);
    else await releaseLease(db, lease).catch(() => undefined);
  }
}
