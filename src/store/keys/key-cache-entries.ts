/** Live keys in memory, found by the hash of their secrets. */
import type { ClosedReason } from '../../domain/billing/standing.ts';
import type { KnownKey, LiveSecret } from './key-queries.ts';

/** A secret in the cache; times are by the clock of the cache. */
export type CachedSecret = {
  readonly key: KnownKey;
  readonly expiresAt: number;
  /** From when on its subscription does not serve the key, and why; `null` = nothing closes it. */
  readonly closing: { readonly at: number; readonly reason: ClosedReason } | null;
};

export class KeyCacheEntries {
  readonly #secrets = new Map<string, CachedSecret>();
  /** The hashes of each key's secrets; nearly all keys have one. */
  readonly #hashes = new Map<number, string | string[]>();

  find(hash: string): CachedSecret | undefined {
    return this.#secrets.get(hash);
  }

  /** Adds secrets that were read at `now`. */
  put(secrets: readonly LiveSecret[], now: number): void {
    for (const { key, hash, msLeft, closing } of secrets) {
      const closes = closing && { at: now + closing.msLeft, reason: closing.reason };
      this.#secrets.set(hash, { key, expiresAt: now + msLeft, closing: closes });
      const others = this.#hashes.get(key.id);
      this.#hashes.set(key.id, others === undefined ? hash : [others, hash].flat());
    }
  }

  /** Removes all secrets of a key. */
  removeKey(id: number): void {
    for (const hash of [this.#hashes.get(id) ?? []].flat()) this.#secrets.delete(hash);
    this.#hashes.delete(id);
  }
}
