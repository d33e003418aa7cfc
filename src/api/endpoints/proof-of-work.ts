/**
 * The proof of work in place of a captcha: issues challenges and verifies their solutions. Each costs a hash and an
 * HMAC, and calls neither another service nor, per request, the database. Rule 40.
 */
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import {
  type Challenge,
  challengeEnd,
  challengeHash,
  challengeSalt,
  MAX_SOLUTION,
  type Solution,
} from '../../domain/access/proof-of-work.ts';
import type { TokenVerdict, TokenVerifier } from '../../domain/access/token-verifier.ts';
import { tryParseJsonBytes } from '../../json/try-parse-json.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import type { ChallengeSigner } from '../../store/limits/challenge-signer.ts';

/** A challenge; `unavailable` = the database has not answered since the start. */
export type ChallengeResult = Challenge | 'unavailable' | { readonly waitMs: number };

export type ProofOfWorkOptions = {
  readonly signer: Pick<ChallengeSigner, 'sign' | 'isSigned'>;
  /** Epoch ms. */
  readonly clock?: () => number;
  /** Milliseconds since any fixed moment, never going back. */
  readonly elapsedMs?: () => number;
};

/** Challenges of a client and of a network: far more than the reviews that they may write. */
const PER_CLIENT = { burst: 30, perSecond: 1 / 2, maxKeys: 20_000 };
const PER_NETWORK = { burst: 300, perSecond: 5, maxKeys: 20_000 };
/** After this time a client that was refused may request a challenge again. */
const REFILL_MS = 2_000;
const MAX_TOKEN_LENGTH = 2_048;

export class ProofOfWork implements TokenVerifier {
  readonly #signer: ProofOfWorkOptions['signer'];
  readonly #clock: () => number;
  readonly #clients: TokenBuckets;
  readonly #networks: TokenBuckets;

  constructor({ signer, clock = Date.now, elapsedMs = () => performance.now() }: ProofOfWorkOptions) {
    this.#signer = signer;
    this.#clock = clock;
    this.#clients = new TokenBuckets({ ...PER_CLIENT, clock: elapsedMs });
    this.#networks = new TokenBuckets({ ...PER_NETWORK, clock: elapsedMs });
  }

  /** Issues a new challenge to a client. */
  async issue(client: string): Promise<ChallengeResult> {
    const network = clientNetwork(client);
    if (!this.#clients.hasToken(client) || !this.#networks.tryTake(network)) return { waitMs: REFILL_MS };
    this.#clients.tryTake(client);
    const salt = challengeSalt(randomBytes(12).toString('hex'), this.#clock());
    const challenge = challengeHash(salt, randomInt(MAX_SOLUTION + 1));
    try {
      const signature = await this.#signer.sign(challenge);
      return { algorithm: 'SHA-256', challenge, maxnumber: MAX_SOLUTION, salt, signature };
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return 'unavailable';
      throw error;
    }
  }

  /** Accepts the solution of a challenge that this service issued and that has not expired. */
  async verify(token: string): Promise<TokenVerdict> {
    const solution = parseSolution(token);
    if (solution === null || !isSolved(solution)) return 'rejected';
    const end = challengeEnd(solution.salt);
    if (end === null || end <= this.#clock()) return 'rejected';
    try {
      return (await this.#signer.isSigned(solution.challenge, solution.signature)) ? 'accepted' : 'rejected';
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return { failed: error.message };
      throw error;
    }
  }

  /** The challenge: the same solution can be encoded in many ways. */
  identityOf(token: string): string {
    return parseSolution(token)?.challenge ?? token;
  }

  async close(): Promise<void> {}
}

function isSolved({ challenge, salt, number }: Solution): boolean {
  return timingSafeEqual(Buffer.from(challenge, 'hex'), Buffer.from(challengeHash(salt, number), 'hex'));
}

/** The solution in a token, not yet verified; `null` = malformed. Ignores unknown fields. */
function parseSolution(token: string): Solution | null {
  if (token.length > MAX_TOKEN_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return null;
  const value = tryParseJsonBytes(Buffer.from(token, 'base64'));
  if (typeof value !== 'object' || value === null) return null;
  const { algorithm, challenge, number, salt, signature } = value as Readonly<Record<string, unknown>>;
  if (algorithm !== 'SHA-256' || !isHex(challenge, 64) || !isHex(signature, 32) || typeof salt !== 'string')
    return null;
  if (!Number.isInteger(number) || (number as number) < 0 || (number as number) > MAX_SOLUTION) return null;
  return { algorithm, challenge, number: number as number, salt, signature };
}

function isHex(value: unknown, digits: number): value is string {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);
}
