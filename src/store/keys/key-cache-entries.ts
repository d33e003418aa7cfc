/** Live keys in memory, found by the hash of their secrets. */
import type { KnownKey, LiveSecret } from './key-queries.ts';

/** A secret as held: until when it is good, on the clock of whoever holds it. */
export type CachedSecret = { readonly key: KnownKey; readonly until: number };

export class KeyCacheEntries {
  readonly #secrets = new Map<string, CachedSecret>();
  /** The secrets of each key; nearly all have one. */
  readonly #hashes = new Map<number, string | string[]>();

  find(hash: string): CachedSecret | undefined {
    return this.#secrets.get(hash);
  }

  /** Takes secrets in as they are read at `now`. */
  put(secrets: readonly LiveSecret[], now: number): void {
    for (const { key, hash, msLeft } of secrets) {
      this.#secrets.set(hash, { key, until: now + msLeft });
      const others = this.#hashes.get(key.id);
      this.#hashes.set(key.id, others === undefined ? hash : [others, hash].flat());
    }
  }

  /** Drops all secrets of a key. */
  removeKey(id: number): void {
    for (const hash of [this.#hashes.get(id) ?? []].flat()) this.#secrets.delete(hash);
    this.#hashes.delete(id);
  }
}
