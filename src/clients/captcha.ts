/**
 * Verifies a captcha token with its provider (reCAPTCHA v3). It fails closed: it accepts only a complete answer in
 * which every check passes. Rule 40.
 */

import { tryParseJsonBytes } from '../json/try-parse-json.ts';
import { createDownloader, type Downloader } from './http/download.ts';
import { NoResponse } from './http/response.ts';

export type CaptchaOptions = {
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

/** `refused` = the verifier says no; `failed` = it gave no verdict, and why: its own fault or our settings. */
export type CaptchaVerdict = 'accepted' | 'refused' | { readonly failed: string };

export type Captcha = {
  /** Sends one request, within 3 s. Never rejects, and never names the secret or the token. */
  verify(token: string): Promise<CaptchaVerdict>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
};

/** The action with which pages must request a token. */
const ACTION = 'review';
const DEADLINE_MS = 3_000;
const MAX_BYTES = 16_384;
/** Further requests wait, within their own 3 s. */
const MAX_CONCURRENT = 16;
/** Error codes about our configuration; all others are about the token. */
const CONFIGURATION_ERRORS = ['missing-input-secret', 'invalid-input-secret', 'bad-request'];

/** The captcha as set by the operator. */
export function createCaptcha(options: CaptchaOptions): Captcha {
  const { userAgent, allowPrivate } = options;
  const downloader = createDownloader({
    userAgent,
    timeoutMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
    // A token can be verified only once.
    retries: 0,
    pauseMs: 0,
    parallel: MAX_CONCURRENT,
    allowPrivate,
  });
  return { verify: (token) => verify(token, downloader, options), close: () => downloader.close() };
}

async function verify(token: string, downloader: Downloader, options: CaptchaOptions): Promise<CaptchaVerdict> {
  const { url, secret } = options;
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const request = { accept: 'application/json', signal, form: { secret, response: token } };
    const { status, body } = await downloader.download(url, request);
    if (status !== 200) return { failed: `the verifier answered ${status}` };
    return judge(body, options);
  } catch (error) {
    if (signal.aborted) return { failed: `no complete answer within ${DEADLINE_MS / 1000} s` };
    return { failed: error instanceof NoResponse ? error.message : 'the verifier could not be asked' };
  }
}

function judge(bytes: Buffer, { hostnames, minScore }: CaptchaOptions): CaptchaVerdict {
  const reply = parseObject(bytes);
  if (reply === null) return { failed: 'the verifier did not answer with a JSON object' };
  const { success, action, hostname, score } = reply;
  if (success !== true) {
    const configurationError = findConfigurationError(reply['error-codes']);
    return configurationError === undefined ? 'refused' : { failed: `the verifier says ${configurationError}` };
  }
  if (typeof score !== 'number' || score < 0 || score > 1) return { failed: 'the verifier gave no score from 0 to 1' };
  const isKnownHost = typeof hostname === 'string' && hostnames().includes(hostname.toLowerCase());
  return action === ACTION && isKnownHost && score >= minScore ? 'accepted' : 'refused';
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
