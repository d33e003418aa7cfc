/** Parses the settings of web push. Each parser throws a clause that describes a valid value. */
import { createECDH } from 'node:crypto';
import { isPushHost, type PushHost } from '../domain/alerts/push-host.ts';
import { BadValue } from './parse.ts';

const ADVICE = 'as pompa push keys prints it';

/** A key of `bytes` bytes in base64url. */
function base64urlKey(bytes: number, first: string): (text: string) => string {
  return (text) => {
    const good = /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes && text.startsWith(first);
    if (good) return text;
    throw new BadValue(`must be ${bytes} bytes in base64url, ${ADVICE}`);
  };
}

/** An uncompressed point of P-256: its first byte is 4. */
export const vapidPublicKey = base64urlKey(65, 'B');
export const vapidPrivateKey = base64urlKey(32, '');

/** The contact that push services may use. */
export function vapidSubject(text: string): string {
  if (/^(mailto:[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+|https:\/\/[^\s<>()]+)$/.test(text)) return text;
  throw new BadValue('must be a mailto: or https: address, such as mailto:ops@example.org');
}

/** A comma-separated list of hosts and origins. */
export function pushHosts(text: string): readonly PushHost[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  const unknownEntry = entries.find((entry) => !isPushHost(entry));
  if (unknownEntry === undefined) return Object.freeze(entries);
  throw new BadValue(
    `must be hosts such as fcm.googleapis.com or *.push.apple.com, or full origins such as http://127.0.0.1:9000; one is ${JSON.stringify(unknownEntry.slice(0, 60))}`,
  );
}

export type Vapid = { readonly publicKey: string; readonly privateKey: string; readonly subject: string };

type VapidSettings = {
  readonly VAPID_PUBLIC_KEY: string | null;
  readonly VAPID_PRIVATE_KEY: string | null;
  readonly VAPID_SUBJECT: string | null;
};

/** The three settings together, or `null` if none is set. Throws a `BadValue` that names the wrong variable. */
export function parseVapid({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT }: VapidSettings): Vapid | null {
  const settings = { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT };
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = settings;
  if (publicKey === null && privateKey === null && subject === null) return null;
  const missing = Object.entries(settings).find(([, value]) => value === null);
  if (publicKey === null || privateKey === null || subject === null) {
    throw new BadValue(
      `${missing?.[0]} must be set as well: VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT go together; pompa push keys makes the pair`,
    );
  }
  if (publicKeyOf(privateKey) === publicKey) return { publicKey, privateKey, subject };
  throw new BadValue('VAPID_PUBLIC_KEY must belong to VAPID_PRIVATE_KEY; pompa push keys makes a pair');
}

/** The public key of a private one; `null` = the number is not a valid key of the curve. */
function publicKeyOf(privateKey: string): string | null {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  } catch {
    return null;
  }
  return pair.getPublicKey('base64url');
}
