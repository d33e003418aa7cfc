/**
 * Posts signed messages to the addresses of webhooks: guarded requests, as for push, since strangers name the address.
 * Source: Standard Webhooks, "Signature scheme".
 */
import { createHmac } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { DeliveryFailure } from '../domain/webhooks/webhook.ts';
import { LazyAgent } from './http/lazy-agent.ts';
import { isPrivateLiteral } from './http/private-address.ts';
import { codeOf, isCertificateCode } from './http/request-failure.ts';
import { parseRetryAfter } from './http/retry-after.ts';
import { createUntrustedLookup } from './http/untrusted-lookup.ts';

export type WebhookMessage = {
  readonly url: string;
  /** The header `webhook-id`. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** Each adds a signature. */
  readonly secrets: readonly Buffer[];
};

export type WebhookOutcome =
  | { readonly kind: 'delivered'; readonly httpStatus: number }
  /** The receiver wants no more. */
  | { readonly kind: 'gone'; readonly httpStatus: number }
  /** `retryAfterMs`: how long the receiver asks to wait, if it says so. */
  | {
      readonly kind: 'failed';
      readonly failure: DeliveryFailure;
      readonly httpStatus: number | null;
      readonly retryAfterMs: number | null;
    };

export type WebhookSender = {
  /** Sends one message; never rejects. */
  send(message: WebhookMessage): Promise<WebhookOutcome>;
  close(): Promise<void>;
};

export type WebhookSenderOptions = {
  /** Origins that the operator allows although they are private or without TLS. */
  readonly allowedOrigins: readonly string[];
  readonly userAgent: string;
  /** For one message, from connecting to the end of the answer. */
  readonly timeoutMs?: number;
  /** Finds the addresses of names that strangers give, never a private one. */
  readonly lookup?: LookupFunction;
  /** Epoch ms. */
  readonly clock: () => number;
};

const TIMEOUT_MS = 15_000;
/** Reads and discards this much of an answer; beyond it, cuts the connection. */
const MAX_RESPONSE_BYTES = 4_096;

/** Creates a sender with its own connections. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { allowedOrigins, userAgent, timeoutMs = TIMEOUT_MS, lookup = createUntrustedLookup(), clock } = options;
  // No bound: those who send bound it, and waiting for a connection would count as the time of the receiver.
  const limits = { connections: null, allowH2: false, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const guarded = new LazyAgent({ ...limits, connect: { timeout: timeoutMs, lookup } });
  // Only for origins that the operator has named whole.
  const unguarded = new LazyAgent({ ...limits, connect: { timeout: timeoutMs } });
  return {
    send({ url: address, id, body, secrets }) {
      const url = new URL(address);
      const isAllowed = allowedOrigins.includes(url.origin);
      // An address that was allowed when it was stored need not be any more.
      if (!isAllowed && (url.protocol !== 'https:' || isPrivateLiteral(url)))
        return Promise.resolve(failed('private address'));
      const headers = {
        ...signedHeaders({ id, body, secrets }, clock()),
        ...{ 'content-type': 'application/json', 'user-agent': userAgent },
      };
      return post(isAllowed ? unguarded : guarded, url, { headers, body }, timeoutMs);
    },
    close: async () => {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}

/** The headers by which a receiver knows who sends: id, moment and signatures over both with the body. */
function signedHeaders(
  { id, body, secrets }: Pick<WebhookMessage, 'id' | 'body' | 'secrets'>,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const sign = (secret: Buffer) =>
    `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    ...{ 'webhook-id': id, 'webhook-timestamp': timestamp },
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

type Sent = {
  readonly headers: Record<string, string>;
  readonly body: string;
};

async function post(agent: LazyAgent, url: URL, sent: Sent, timeoutMs: number): Promise<WebhookOutcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, headers, body } = await agent.request(url, { method: 'POST', ...sent, signal });
    body.on('error', () => undefined);
    await body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
    return outcomeOf(statusCode, headers['retry-after']);
  } catch (error) {
    return failed(signal.aborted ? 'timeout' : failureOf(error));
  }
}

function outcomeOf(httpStatus: number, retryAfter: string | string[] | undefined): WebhookOutcome {
  if (httpStatus >= 200 && httpStatus < 300) return { kind: 'delivered', httpStatus };
  if (httpStatus === 410) return { kind: 'gone', httpStatus };
  const retryAfterMs = typeof retryAfter === 'string' ? parseRetryAfter(retryAfter) : null;
  const failure = httpStatus >= 300 && httpStatus < 400 ? 'redirect' : 'status';
  return { kind: 'failed', failure, httpStatus, retryAfterMs };
}

function failed(failure: DeliveryFailure): WebhookOutcome {
  return { kind: 'failed', failure, httpStatus: null, retryAfterMs: null };
}

function failureOf(error: unknown): DeliveryFailure {
  const code = codeOf(error);
  if (code === 'PRIVATE_ADDRESS') return 'private address';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown host';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  return isCertificateCode(code) ? 'certificate' : 'connection';
}
