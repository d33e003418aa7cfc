/** What is kept of a client's address: a keyed hash. Rule 43. */
import { createHmac } from 'node:crypto';
import type { Queryable } from '../connection/database-connection.ts';

/** Bytes of the hash: enough that no two addresses meet. */
const HASH_BYTES = 16;
const READ_KEY = { text: `select value from secrets where name = 'address-hash'` };
const READ_LIMIT = { withinMs: 3_000 };

export class AddressHash {
  #key: Buffer | null = null;

  /** Reads the key of the hashes, made by the first migration; it is the same for every process. */
  async readKey(database: Queryable): Promise<void> {
    const [row] = await database.query<{ value: Buffer }>(READ_KEY, READ_LIMIT);
    if (row === undefined) throw new Error('the table "secrets" has no row "address-hash"');
    this.#key = row.value;
  }

  /** The hash of a client; `null` = the key is not known yet. */
  readonly of = (client: string): Buffer | null =>
    this.#key === null ? null : createHmac('sha256', this.#key).update(client).digest().subarray(0, HASH_BYTES);
}
