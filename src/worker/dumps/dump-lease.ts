/** One process at a time makes dumps: they share the folder of a machine, and the load on the database. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../store/connection/schema.ts';
import { type LeaseOptions, underLease } from '../leases/under-lease.ts';

const JOB = { lease: 'dumps', lost: 'another process makes the dumps now: this one was silent for too long' };

/** Runs `work` under the lease; `null` = another process has it. `work` is aborted if the lease is lost. */
export function underDumpLease<T>(
  db: Kysely<Schema>,
  options: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  return underLease(db, JOB, options, work);
}
