/**
 * Decides whether a captcha token is good, so that one client's bad tokens neither delay nor use up the verifications
 * of others. Rule 40.
 */
import { createHash } from 'node:crypto';
import { CAPTCHA_DEADLINE_MS, MAX_CAPTCHA_REQUESTS } from '../../clients/recaptcha.ts';
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { FairSemaphore, type SemaphoreClient } from '../../concurrency/fair-semaphore.ts';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import type { TokenVerifier } from '../../domain/access/token-verifier.ts';
import type { Log } from '../response/log.ts';

export type CaptchaCheckOptions = {
  readonly captcha: Pick<TokenVerifier, 'verify' | 'identityOf'>;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
  /** Aborted when the wait for a turn must have ended. */
  readonly createDeadline?: () => AbortSignal;
};

/** Shares of the verifier. A client may well send all its reviews of a day at once, so that many wait. */
const SHARES = {
  slots: MAX_CAPTCHA_REQUESTS,
  slotsPerClient: 2,
  slotsPerNetwork: 4,
  maxWaiting: 1_000,
  maxWaitingPerClient: 100,
};
/** A token of reCAPTCHA has some 2,000 characters. */
const MAX_TOKEN_LENGTH = 4_096;
/** Longer than a token of reCAPTCHA is valid. */
const KNOWN_BAD_MS = 600_000;
const MAX_KNOWN_BAD = 10_000;
/**
 * Failed attempts of a client and of a network. They are generous, since many people may share an address and the slots
 * above already protect the others; they bound what a flood costs the operator at the verifier.
 */
const CLIENT_FAILURES = { burst: 60, perSecond: 1 / 6, maxKeys: 20_000 };
const NETWORK_FAILURES = { burst: 240, perSecond: 1 / 2, maxKeys: 20_000 };
/** With less time left after the wait for a slot, a failed verification does not mean that the verifier is down. */
const MIN_CONCLUSIVE_MS = 2_000;

const deadlineOfToken = () => AbortSignal.timeout(CAPTCHA_DEADLINE_MS);

export class CaptchaCheck {
  readonly #captcha: CaptchaCheckOptions['captcha'];
  readonly #clock: () => number;
  readonly #createDeadline: () => AbortSignal;
  readonly #outage: WarnOnce;
  readonly #slots = new FairSemaphore(SHARES);
  /** Until when a token is known as bad, by its hash; never a good one. */
  readonly #knownBad = new BoundedMap<number>(MAX_KNOWN_BAD);
  readonly #clientFailures: TokenBuckets;
  readonly #networkFailures: TokenBuckets;

  constructor({
    captcha,
    log,
    clock = () => performance.now(),
    createDeadline = deadlineOfToken,
  }: CaptchaCheckOptions) {
    this.#captcha = captcha;
    this.#clock = clock;
    this.#createDeadline = createDeadline;
    this.#clientFailures = new TokenBuckets({ ...CLIENT_FAILURES, clock });
    this.#networkFailures = new TokenBuckets({ ...NETWORK_FAILURES, clock });
    this.#outage = new WarnOnce({
      warn: (why) => log.warn({ why }, 'the captcha cannot be verified: forms that need it are refused'),
      clock,
    });
  }

  /** What makes a token the same as another one, however it is written. */
  identityOf(token: string): string {
    return this.#captcha.identityOf(token);
  }

  /** Whether the verifier accepts the token of this client within 3 s, the wait for its turn included. */
  async isAccepted(token: string, client: string): Promise<boolean> {
    if (token === '' || token.length > MAX_TOKEN_LENGTH) return false;
    const who = { client, network: clientNetwork(client) };
    const digest = createHash('sha256').update(token).digest('base64');
    if (!this.#mayAsk(digest, who)) return false;
    const startedAt = this.#clock();
    const release = await this.#slots.acquire(who, this.#createDeadline());
    if (release === null) return false;
    try {
      // Earlier ones may have failed meanwhile.
      if (!this.#mayAsk(digest, who)) return false;
      return await this.#ask(token, digest, who, CAPTCHA_DEADLINE_MS - (this.#clock() - startedAt));
    } finally {
      release();
    }
  }

  /** Whether the token may still be good, and its client and network have not failed too often. */
  #mayAsk(digest: string, { client, network }: SemaphoreClient): boolean {
    const isKnownBad = (this.#knownBad.get(digest) ?? Number.NEGATIVE_INFINITY) > this.#clock();
    return !isKnownBad && this.#clientFailures.hasToken(client) && this.#networkFailures.hasToken(network);
  }

  async #ask(token: string, digest: string, { client, network }: SemaphoreClient, withinMs: number): Promise<boolean> {
    const verdict = await this.#captcha.verify(token, withinMs);
    if (typeof verdict !== 'object') this.#outage.succeeded();
    else if (withinMs >= MIN_CONCLUSIVE_MS) this.#outage.failed(verdict.failed);
    if (verdict === 'accepted') return true;
    if (verdict === 'rejected') this.#knownBad.set(digest, this.#clock() + KNOWN_BAD_MS);
    this.#clientFailures.tryTake(client);
    this.#networkFailures.tryTake(network);
    return false;
  }
}
