/** Limits as a process has them. */
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { RateLimits } from '../../../src/store/limits/limits.ts';

/** Limits on a database that is there. */
export async function rateLimitsOn(database: DatabaseConnection): Promise<RateLimits> {
  const addressHash = new AddressHash();
  await addressHash.readKey(database);
  return rateLimits(database, addressHash);
}

/** Limits of a process that starts before its database; `addressHash` is read when that comes. */
export function rateLimits(database: DatabaseConnection, addressHash: AddressHash): RateLimits {
  return new RateLimits({ database, hash: addressHash.of, clock: Date.now, onKeyUsage: () => undefined });
}
