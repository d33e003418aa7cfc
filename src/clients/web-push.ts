/**
 * Sends push messages: encrypted and signed by `web-push` (RFC 8291, 8292), carried by our own guarded requests. The
 * library's own sender connects to any address, and bounds neither the answer nor the time.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import webPush from 'web-push';
import { BoundedMap } from '../concurrency/bounded-map.ts';
import { type PushHost, pushAddress } from '../domain/alerts/push-host.ts';
import { LazyAgent } from './http/lazy-agent.ts';
import { toRequestFailure } from './http/request-failure.ts';
import { parseRetryAfter } from './http/retry-after.ts';
import { createUntrustedLookup } from './http/untrusted-lookup.ts';

/** The pair of VAPID keys, base64url, and the contact for push services. */
type VapidKeys = { readonly publicKey: string; readonly privateKey: string; readonly subject: string };

export type PushMessage = {
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  readonly payload: string;
  /** How long the push service keeps it for a browser that is away. */
  readonly ttlSeconds: number;
  /** A later message of the same topic replaces it: at most 32 letters and digits. */
  readonly topic: string;
};

export type PushOutcome =
  | { readonly kind: 'delivered' }
  /** The browser no longer accepts messages, or never could. */
  | { readonly kind: 'gone' }
  /** Another attempt would fail as well. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Try later. `isRateLimited` = the push service rate-limits us; `retryAfterMs` = for how long, if it says so. */
  | {
      readonly kind: 'later';
      readonly why: string;
      readonly isRateLimited: boolean;
      readonly retryAfterMs: number | null;
    };

export type PushSender = {
  /** Sends one message; never rejects. `why` is a clause without the endpoint. */
  send(message: PushMessage): Promise<PushOutcome>;
  close(): Promise<void>;
};

export type PushSenderOptions = {
  readonly vapid: VapidKeys;
  readonly hosts: readonly PushHost[];
  readonly userAgent: string;
  /** For one message, from connecting to the end of the answer. */
  readonly timeoutMs?: number;
  /** Finds the addresses of names that browsers give, never a private one. */
  readonly lookup?: LookupFunction;
  /** Connections to one push service. */
  readonly connections?: number;
};

const DELIVERY_TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_SERVICE = 8;
/**
 * How long one signature serves the messages to one push service: making it costs as much as encrypting a message.
 * It expires after the library's 12 hours; RFC 8292, 2, allows 24.
 */
const SIGNATURE_REUSE_MS = 3_600_000;
const MAX_SIGNATURES = 1_000;
/** Reads and discards this much of an answer; beyond it, cuts the connection. */
const MAX_RESPONSE_BYTES = 4_096;

/** Makes a new pair of VAPID keys, base64url. */
export function makeVapidPair(): { publicKey: string; privateKey: string } {
  return webPush.generateVAPIDKeys();
}

/** Creates a sender with its own connections. */
export function createPushSender(options: PushSenderOptions): PushSender {
  const { hosts, connections = CONNECTIONS_PER_SERVICE, timeoutMs = DELIVERY_TIMEOUT_MS } = options;
  const { lookup = createUntrustedLookup() } = options;
  const limits = { connections, allowH2: false, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const guarded = new LazyAgent({ ...limits, connect: { timeout: timeoutMs, lookup } });
  // Only for origins that the operator has named whole.
  const unguarded = new LazyAgent({ ...limits, connect: { timeout: timeoutMs } });
  const vapidHeadersFor = createSigner(options.vapid);
  return {
    async send(message) {
      const address = pushAddress(message.endpoint, hosts);
      if (address === null) return { kind: 'refused', why: 'its host is not among PUSH_HOSTS' };
      const details = encrypted(message);
      if (details === null) return { kind: 'gone' };
      const headers = { ...details.headers, ...vapidHeadersFor(address.url.origin), 'user-agent': options.userAgent };
      const agent = address.isConfiguredOrigin ? unguarded : guarded;
      return post(agent, address.url, { headers, body: details.body }, timeoutMs);
    },
    close: async () => {
      await Promise.all([guarded.destroy(), unguarded.destroy()]);
    },
  };
}

type PushRequest = { readonly headers: Record<string, string>; readonly body: Buffer };

type VapidHeaders = { readonly Authorization: string };

/** Signs for the origin of a push service, once an hour. */
function createSigner({ publicKey, privateKey, subject }: VapidKeys): (origin: string) => VapidHeaders {
  const known = new BoundedMap<{ readonly madeAt: number; readonly headers: VapidHeaders }>(MAX_SIGNATURES);
  return (origin) => {
    // Wall-clock time, as in the token's `exp`: the monotonic clock stops while the machine sleeps.
    const now = Date.now();
    const last = known.get(origin);
    if (last !== undefined && Math.abs(now - last.madeAt) < SIGNATURE_REUSE_MS) return last.headers;
    const headers = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm');
    known.set(origin, { madeAt: now, headers });
    return headers;
  };
}

/** `null` = the browser's key is not a point of the curve, so no message can be encrypted for it. */
function encrypted({ endpoint, p256dh, auth, payload, ttlSeconds, topic }: PushMessage): PushRequest | null {
  const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') };
  try {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, payload, {
      TTL: ttlSeconds,
      topic,
      urgency: 'normal',
      contentEncoding: 'aes128gcm',
    });
    const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { headers: Object.fromEntries(texts), body };
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY') return null;
    throw error;
  }
}

async function post(agent: LazyAgent, url: URL, sent: PushRequest, timeoutMs: number): Promise<PushOutcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, headers, body } = await agent.request(url, { method: 'POST', ...sent, signal });
    body.on('error', () => undefined);
    await body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
    return outcomeOf(statusCode, headers);
  } catch (error) {
    const why = signal.aborted ? `no answer within ${timeoutMs / 1000} s` : toRequestFailure(error).message;
    return { kind: 'later', why, isRateLimited: false, retryAfterMs: null };
  }
}

function outcomeOf(status: number, headers: IncomingHttpHeaders): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const why = `it answered ${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', why };
  const header = headers['retry-after'];
  const retryAfterMs = typeof header === 'string' ? parseRetryAfter(header) : null;
  return { kind: 'later', why, isRateLimited: status === 429 || retryAfterMs !== null, retryAfterMs };
}
