/** Checks that a delivery comes from the service: Standard Webhooks, HMAC-SHA256 over the bytes as they came. */

import type { EvenimentModificari, EvenimentPing, EvenimentReluare } from './generated/models.ts';

/** What is sent, told apart by `type`. Skip a `type` that you do not know: later versions may add one. */
export type WebhookPayload = EvenimentModificari | EvenimentPing | EvenimentReluare;

/** Why a delivery is refused. Answer 400 and do nothing with it. */
export class WebhookRefusedError extends Error {
  readonly reason: 'headers' | 'time' | 'signature' | 'body';

  constructor(reason: 'headers' | 'time' | 'signature' | 'body', message: string) {
    super(message);
    this.name = 'WebhookRefusedError';
    this.reason = reason;
  }
}

export interface WebhookDelivery {
  /** As shown once when the webhook was made: `whsec_…`. */
  readonly secret: string;
  /** Of the request: `Headers`, or an object as in Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came. JSON that was parsed and written again has other bytes, and fails. */
  readonly body: string | Uint8Array;
  /** Epoch ms; the present by default. */
  readonly now?: number;
}

export interface VerifiedWebhook {
  /** The same for every try of a delivery: skip those that you have seen. */
  readonly id: string;
  readonly sentAt: Date;
  /** The body, read as JSON. */
  readonly payload: WebhookPayload;
}

/** How far the sender's clock may be from ours; older deliveries may be repeated by somebody who overheard them. */
const TOLERANCE_SECONDS = 300;

/** Throws `WebhookRefusedError` unless the delivery is genuine, and `TypeError` where the secret is none. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<VerifiedWebhook> {
  const { body, now = Date.now() } = delivery;
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('body must be the text or bytes of the request as they came, not what was parsed from them');
  const key = secretBytes(delivery.secret);
  const id = header(delivery, 'webhook-id');
  const sentAt = header(delivery, 'webhook-timestamp');
  const signatures = header(delivery, 'webhook-signature');
  if (!/^\d{1,12}$/.test(sentAt) || Math.abs(now / 1000 - Number(sentAt)) > TOLERANCE_SECONDS)
    throw new WebhookRefusedError('time', `webhook-timestamp must be within ${TOLERANCE_SECONDS} s of the present`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const expected = await sign(key, `${id}.${sentAt}.`, bytes);
  // While a secret is replaced, there is a signature with each.
  const isGenuine = signatures.split(' ').map((each) => isEqual(each, `v1,${expected}`));
  if (!isGenuine.includes(true))
    throw new WebhookRefusedError('signature', 'no signature fits: another secret, or the body is not as it was sent');
  return { id, sentAt: new Date(Number(sentAt) * 1000), payload: parse(bytes) };
}

function header({ headers }: WebhookDelivery, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headerOf(headers, name);
  if (typeof value !== 'string' || value === '')
    throw new WebhookRefusedError('headers', `the header ${name} is missing`);
  return value;
}

function headerOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string) {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  const decoded = /^[A-Za-z0-9+/]{16,}={0,2}$/.test(encoded) ? base64(encoded) : null;
  if (decoded === null) throw new TypeError('secret must be as it was shown: whsec_…');
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}

/** `null` = it is not base64, such as a secret that was cut short. */
function base64(encoded: string): string | null {
  try {
    return atob(encoded);
  } catch {
    return null;
  }
}

/** The signature in base64. */
async function sign(secret: Uint8Array<ArrayBuffer>, prefix: string, body: Uint8Array): Promise<string> {
  const start = new TextEncoder().encode(prefix);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, signed);
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** Takes the same time wherever two texts of one length differ. */
function isEqual(sent: string, expected: string): boolean {
  if (sent.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= sent.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

function parse(body: Uint8Array): WebhookPayload {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookRefusedError('body', 'the body is genuine, but no JSON');
  }
}
