/** Values that visitors of the site send: existing stations, unused captcha tokens, browsers to subscribe. */
import type { KnownValues } from './operations.ts';

/** Each token is accepted once; of this many, random requests repeat only a few. */
const TOKENS = 100_000;
/** Each is one subscription; random requests repeat some, and subscribe a few thousand in a million requests. */
const BROWSERS = 20_000;
const SECRETS = 500;

const base64url = (bytes: number, filler: number) => Buffer.alloc(bytes, `${filler}.`).toString('base64url');

/** Values with which the service stores reviews and subscriptions. */
export function visitorValues(slugs: readonly string[]): KnownValues {
  const browsers = Array.from({ length: BROWSERS }, (_, i) => i);
  const secrets = browsers.slice(0, SECRETS);
  return {
    slug: slugs,
    statie_slug: slugs,
    recaptcha_token: Array.from({ length: TOKENS }, (_, i) => `token-${i}`),
    endpoint: browsers.map((i) => `https://fcm.googleapis.com/fcm/send/browser-${i}`),
    p256dh: secrets.map((i) => base64url(65, i)),
    auth: secrets.map((i) => base64url(16, i)),
    pagina: ['/preturi-carburanti/cluj-napoca/motorina', '/preturi-carburanti', `/statie/${slugs[0]}`],
  };
}
