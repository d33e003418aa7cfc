/** Rate limits as one process has them. */
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import type { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { RateLimits } from '../../../src/store/limits/rate-limits.ts';
import { addressHashOn } from './named-hashes.ts';

/** Rate limits on an available database. */
export async function rateLimitsOn(database: DatabaseConnection): Promise<RateLimits> {
  return rateLimits(database, await addressHashOn(database));
}

/** Rate limits of a process that starts before its database; the caller reads the keys of `addressHash` later. */
export function rateLimits(database: DatabaseConnection, addressHash: AddressHash): RateLimits {
  return new RateLimits({ database, hashes: addressHash, clock: Date.now, onKeyUsage: () => undefined });
}
