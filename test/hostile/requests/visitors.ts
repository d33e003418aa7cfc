/** What visitors of the site send: reviews of stations that are there, fresh captcha tokens, browsers that subscribe. */
import type { KnownValues } from './operations.ts';

/** Each token is good once; drawn out of so many, few come twice. */
const TOKENS = 100_000;
const BROWSERS = 500;

const base64url = (bytes: number, filler: number) => Buffer.alloc(bytes, `${filler}.`).toString('base64url');

/** Values by which reviews and subscriptions come to be kept. */
export function visitorValues(slugs: readonly string[]): KnownValues {
  const browsers = Array.from({ length: BROWSERS }, (_, i) => i);
  return {
    slug: slugs,
    statie_slug: slugs,
    recaptcha_token: Array.from({ length: TOKENS }, (_, i) => `token-${i}`),
    endpoint: browsers.map((i) => `https://fcm.googleapis.com/fcm/send/browser-${i}`),
    p256dh: browsers.map((i) => base64url(65, i)),
    auth: browsers.map((i) => base64url(16, i)),
    pagina: ['/preturi-carburanti/cluj-napoca/motorina', '/preturi-carburanti', `/statie/${slugs[0]}`],
  };
}
