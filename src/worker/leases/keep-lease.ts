import type { Kysely } from 'kysely';
import { type Lease, renewLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';

export type KeepLeaseOptions = {
  readonly leaseMs: number;
  /** Called, once or more, when the lease is lost. */
  readonly onLost: () => void;
  /** Whether a lease whose last renewal is too long ago counts as lost. `false` = only the database decides. */
  readonly expires: boolean;
};

/** Renews a lease three times per lease time, until the returned function is called. */
export function keepLease(
  db: Kysely<Schema>,
  lease: Lease,
  { leaseMs, onLost, expires }: KeepLeaseOptions,
): () => void {
  let validUntil = performance.now() + leaseMs;
  const renewal = setInterval(async () => {
    const startedAt = performance.now();
    // A database that does not answer does not prove the loss.
    const isHeld = await renewLease(db, lease, leaseMs).catch(() => null);
    if (isHeld === true) validUntil = startedAt + leaseMs;
    else if (isHeld === false) onLost();
  }, leaseMs / 3);
  const check = () => {
    if (performance.now() >= validUntil) onLost();
  };
  const expiryCheck = expires ? setInterval(check, leaseMs / 10) : undefined;
  return () => {
    clearInterval(renewal);
    clearInterval(expiryCheck);
  };
}
