/**
 * Keyed hashes, with keys that the database holds and replaces: of clients' addresses, which are never stored
 * themselves (rule 43), and of captcha challenges, whose signatures they are.
 */
import { createHmac } from 'node:crypto';
import type { HashPurpose } from '../../domain/access/retention.ts';
import type { Queryable } from '../connection/database-connection.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { AddressKeySuperseded, type PurposeKeys, readAddressKeys, rotateAddressKeys } from './address-keys.ts';

/** The hash of a text for one purpose: of an address, as rows have it; of a challenge, its signature. */
export type KeyedHash = {
  /** The id of the current key: rows are written while it is current. */
  readonly key: number;
  /** The hash under the current key. */
  readonly current: Buffer;
  /** The hash under the key before it, whose rows still count; `null` = there is no such key. */
  readonly earlier: Buffer | null;
};

/** Makes the hashes for one purpose: of clients' addresses, or of challenges to sign. */
export type KeyedHasher = {
  /** Throws `DatabaseUnavailable` while the keys are not known. */
  hash(text: string): KeyedHash;
  /** Reads the keys again, after one was superseded. */
  refresh(): Promise<void>;
};

export type AddressHashing = { for(purpose: HashPurpose): KeyedHasher };

/** Bytes of a hash: enough that two addresses never collide. */
const HASH_BYTES = 16;
const READ_TIMEOUT_MS = 3_000;

/** The keys in the memory of this process, for every purpose: also the one that signs challenges. */
export class AddressHash implements AddressHashing {
  #keys: ReadonlyMap<HashPurpose, PurposeKeys> = new Map();
  #database: Queryable | undefined;
  #reading: Promise<void> | undefined;

  /** Reads the keys, once those that are due have been replaced; every process uses the same. */
  readKeys(database: Queryable): Promise<void> {
    this.#database = database;
    this.#reading ??= this.#read(database).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  for(purpose: HashPurpose): KeyedHasher {
    return {
      hash: (text) => {
        const keys = this.#keys.get(purpose);
        if (keys === undefined) throw new DatabaseUnavailable('the keys of the hashes are not known yet');
        const { id, current, earlier } = keys;
        return { key: id, current: hmac(current, text), earlier: earlier && hmac(earlier, text) };
      },
      refresh: () => (this.#database === undefined ? Promise.resolve() : this.readKeys(this.#database)),
    };
  }

  async #read(database: Queryable): Promise<void> {
    await rotateAddressKeys(database, READ_TIMEOUT_MS);
    this.#keys = await readAddressKeys(database, READ_TIMEOUT_MS);
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, HASH_BYTES);
}

/** Does work that writes hashes; if the key is superseded meanwhile, does it again with the next one. */
export async function withCurrentKey<T>(hasher: KeyedHasher, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AddressKeySuperseded)) throw error;
    await hasher.refresh();
    return work();
  }
}
