/** Clients by their names in place of hashes, so that a test can query the database directly. */
import type { HashPurpose } from '../../../src/domain/access/retention.ts';
import type { Queryable } from '../../../src/store/connection/database-connection.ts';
import { AddressHash, type KeyedHash, type KeyedHasher } from '../../../src/store/limits/address-hash.ts';

/** Statements are held by a real key of the purpose. */
export async function namedHasher(database: Queryable, purpose: HashPurpose = 'weekly caps'): Promise<KeyedHasher> {
  const hashes = await addressHashOn(database);
  const real = hashes.for(purpose);
  return { ...real, hash: (client) => ({ ...real.hash(client), current: Buffer.from(client), earlier: null }) };
}

/** The real hashes under the keys of a database. */
export async function addressHashOn(database: Queryable): Promise<AddressHash> {
  const hashes = new AddressHash();
  await hashes.readKeys(database);
  return hashes;
}

/** The hashes of a subscriber's address. */
export async function subscriberHash(database: Queryable, client: string): Promise<KeyedHash> {
  return (await addressHashOn(database)).for('push').hash(client);
}
