/**
 * Asks a captcha's verifier about a token (reCAPTCHA v3). It fails closed: only a complete answer that says yes in every
 * point is a yes. Decision 40.
 */
import { NoAnswer } from './http/answer.ts';
import { createDownloader, type Downloader } from './http/download.ts';

export type CaptchaOptions = {
  /** Full address of the verifier. */
  readonly url: string;
  readonly secret: string;
  /** In lower case: where a token may have been asked for. */
  readonly hostnames: () => readonly string[];
  readonly minScore: number;
  readonly userAgent: string;
  /** Whether loopback and private addresses may be asked: where the operator has set the address. */
  readonly allowPrivate: boolean;
};

/** `refused` = it says no; `failed` = it did not say, and why: something is wrong with it or with our settings. */
export type CaptchaVerdict = 'accepted' | 'refused' | { readonly failed: string };

export type Captcha = {
  /** Asks once, within 3 s. Never rejects, and never names the secret or the token. */
  verify(token: string): Promise<CaptchaVerdict>;
  /** Cuts what is under way. */
  close(): Promise<void>;
};

/** What pages must give as the action when they ask for a token. */
const ACTION = 'review';
const LONGEST_MS = 3_000;
const MAX_BYTES = 16_384;
/** Whoever comes beyond that waits within his 3 s. */
const PARALLEL = 16;
/** Error codes that tell of our side; all others tell of the token. */
const OURS = ['missing-input-secret', 'invalid-input-secret', 'bad-request'];

/** The captcha as set by the operator. */
export function createCaptcha(options: CaptchaOptions): Captcha {
  const { userAgent, allowPrivate } = options;
  const downloader = createDownloader({
    userAgent,
    timeoutMs: LONGEST_MS,
    maxBytes: MAX_BYTES,
    // A token may be looked at once only.
    retries: 0,
    pauseMs: 0,
    parallel: PARALLEL,
    allowPrivate,
  });
  return { verify: (token) => verify(token, downloader, options), close: () => downloader.close() };
}

async function verify(token: string, downloader: Downloader, options: CaptchaOptions): Promise<CaptchaVerdict> {
  const { url, secret } = options;
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const wish = { accept: 'application/json', signal, form: { secret, response: token } };
    const { status, body } = await downloader.download(url, wish);
    if (status !== 200) return { failed: `the verifier answered ${status}` };
    return judge(body, options);
  } catch (error) {
    if (signal.aborted) return { failed: `no complete answer within ${LONGEST_MS / 1000} s` };
    return { failed: error instanceof NoAnswer ? error.message : 'the verifier could not be asked' };
  }
}

function judge(bytes: Buffer, { hostnames, minScore }: CaptchaOptions): CaptchaVerdict {
  const said = parsed(bytes);
  if (said === null) return { failed: 'the verifier did not answer with a JSON object' };
  const { success, action, hostname, score } = said;
  if (success !== true) {
    const ours = ourFault(said['error-codes']);
    return ours === undefined ? 'refused' : { failed: `the verifier says ${ours}` };
  }
  if (typeof score !== 'number' || score < 0 || score > 1) return { failed: 'the verifier gave no score from 0 to 1' };
  const known = typeof hostname === 'string' && hostnames().includes(hostname.toLowerCase());
  return action === ACTION && known && score >= minScore ? 'accepted' : 'refused';
}

function ourFault(codes: unknown): string | undefined {
  return Array.isArray(codes) ? OURS.find((code) => codes.includes(code)) : undefined;
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
