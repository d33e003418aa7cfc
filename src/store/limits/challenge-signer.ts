/** Signs captcha challenges with a key that all processes share and that is replaced every day. */
import { timingSafeEqual } from 'node:crypto';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { KeyedHasher } from './address-hash.ts';

/** The signer reads the keys again after this time; a replaced key remains valid for longer. */
const MAX_KEY_AGE_MS = 3_600_000;
/** A signature under an unknown key makes it read them again, at most this often. */
const MIN_KEY_AGE_MS = 5_000;
/** The longest time for which a request waits for a database that does not answer. */
const REFRESH_TIMEOUT_MS = 1_000;

export type ChallengeSignerOptions = {
  /** Makes the keyed hashes that are the signatures. */
  readonly hasher: KeyedHasher;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

export class ChallengeSigner {
  readonly #hasher: KeyedHasher;
  readonly #clock: () => number;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor({ hasher, clock = () => performance.now() }: ChallengeSignerOptions) {
    this.#hasher = hasher;
    this.#clock = clock;
  }

  /** The signature in hexadecimal. Rejects with `DatabaseUnavailable` while the keys are not known. */
  async sign(challenge: string): Promise<string> {
    await this.#refreshAfter(MAX_KEY_AGE_MS);
    return this.#hasher.hash(challenge).current.toString('hex');
  }

  /** Whether a process of this service signed the challenge. Rejects with `DatabaseUnavailable`, too. */
  async isSigned(challenge: string, signature: string): Promise<boolean> {
    if (this.#matches(challenge, signature)) return true;
    // Another process may have read the next key before this one.
    await this.#refreshAfter(MIN_KEY_AGE_MS);
    return this.#matches(challenge, signature);
  }

  #matches(challenge: string, signature: string): boolean {
    const sent = Buffer.from(signature, 'hex');
    const { current, earlier } = this.#hasher.hash(challenge);
    return [current, earlier].some(
      (expected) => expected !== null && expected.length === sent.length && timingSafeEqual(expected, sent),
    );
  }

  /** While the database is unavailable, the keys read last remain in use. */
  async #refreshAfter(ms: number): Promise<void> {
    const now = this.#clock();
    if (now - this.#triedAt < ms) return;
    this.#triedAt = now;
    await withTimeout(REFRESH_TIMEOUT_MS, this.#hasher.refresh()).catch(() => undefined);
  }
}
