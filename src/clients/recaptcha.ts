/**
 * Verifies a captcha token with its provider (reCAPTCHA v3). It fails closed: it accepts only a complete answer in
 * which every check passes. Rule 40.
 */

import type { TokenVerdict, TokenVerifier } from '../domain/access/token-verifier.ts';
import { tryParseJsonBytes } from '../json/try-parse-json.ts';
import { createJsonClient, type JsonClient } from './http/json-client.ts';

export type RecaptchaOptions = {
  /** Full address of the verifier. */
  readonly url: string;
  readonly secret: string;
  /** Hosts, in lower case, whose pages may request a token. */
  readonly hostnames: () => readonly string[];
  readonly minScore: number;
  readonly userAgent: string;
  /** Whether loopback and private addresses are allowed: only if the operator has set the address. */
  readonly allowPrivate: boolean;
};

/** The action with which pages must request a token. */
const ACTION = 'review';
/** For one token, the wait for its turn included. Rule 40. */
export const CAPTCHA_DEADLINE_MS = 3_000;
/** Concurrent requests to the verifier. */
export const MAX_CAPTCHA_REQUESTS = 16;
const MAX_ANSWER_BYTES = 16_384;
/** Error codes about our configuration; all others are about the token. */
const CONFIGURATION_ERRORS = ['missing-input-secret', 'invalid-input-secret', 'bad-request'];

/** The verifier as set by the operator. */
export function createRecaptcha(options: RecaptchaOptions): TokenVerifier {
  const { userAgent, allowPrivate } = options;
  const client = createJsonClient({
    userAgent,
    timeoutMs: CAPTCHA_DEADLINE_MS,
    maxBytes: MAX_ANSWER_BYTES,
    // A token can be verified only once.
    retries: 0,
    parallel: MAX_CAPTCHA_REQUESTS,
    allowPrivate,
  });
  return {
    verify: (token, withinMs) => verify(token, withinMs, client, options),
    identityOf: (token) => token,
    close: () => client.close(),
  };
}

async function verify(
  token: string,
  withinMs: number,
  client: JsonClient,
  options: RecaptchaOptions,
): Promise<TokenVerdict> {
  const { url, secret } = options;
  try {
    const response = await client.request(url, { form: { secret, response: token }, withinMs });
    if ('failed' in response) return response;
    if (response.status !== 200) return { failed: `the verifier answered ${response.status}` };
    return judge(response.body, options);
  } catch {
    return { failed: 'the verifier could not be called' };
  }
}

function judge(bytes: Buffer, { hostnames, minScore }: RecaptchaOptions): TokenVerdict {
  const reply = parseObject(bytes);
  if (reply === null) return { failed: 'the verifier did not answer with a JSON object' };
  const { success, action, hostname, score } = reply;
  if (success !== true) {
    const configurationError = findConfigurationError(reply['error-codes']);
    return configurationError === undefined ? 'rejected' : { failed: `the verifier says ${configurationError}` };
  }
  if (typeof score !== 'number' || score < 0 || score > 1) return { failed: 'the verifier gave no score from 0 to 1' };
  const isKnownHost = typeof hostname === 'string' && hostnames().includes(hostname.toLowerCase());
  return action === ACTION && isKnownHost && score >= minScore ? 'accepted' : 'rejected';
}

function findConfigurationError(codes: unknown): string | undefined {
  return Array.isArray(codes) ? CONFIGURATION_ERRORS.find((code) => codes.includes(code)) : undefined;
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  const value = tryParseJsonBytes(bytes);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
