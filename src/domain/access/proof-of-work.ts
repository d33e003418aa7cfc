/**
 * Proof of work in the format of ALTCHA, version 1: the browser finds the number that, appended to the salt, hashes to
 * the challenge. Finding it takes about half a second, checking it one hash. Rule 40.
 */
import { hash } from 'node:crypto';

/** The path at which pages of the site request a challenge; outside the API. */
export const CHALLENGE_PATH = '/captcha/provocare';

/** What the service sends to a browser to solve. */
export type Challenge = {
  readonly algorithm: 'SHA-256';
  /** The hash, in hexadecimal. */
  readonly challenge: string;
  /** The greatest number that may be the solution; the name is ALTCHA's. */
  readonly maxnumber: number;
  readonly salt: string;
  /** Proves that this service issued the challenge; opaque to the browser. */
  readonly signature: string;
};

/** What the browser returns, as base64 of JSON. */
export type Solution = Omit<Challenge, 'maxnumber'> & { readonly number: number };

/** A challenge can be solved and used for this long. */
const CHALLENGE_SECONDS = 600;

/** On average a browser computes half as many hashes: about half a second on a phone. */
export const MAX_SOLUTION = 200_000;

/** The hash that is the challenge if `number` is its solution, in hexadecimal. */
export function challengeHash(salt: string, number: number): string {
  return hash('sha256', `${salt}${number}`);
}

/** The salt of a challenge issued at `now`; `random` = 24 hexadecimal digits, epoch ms. */
export function challengeSalt(random: string, now: number): string {
  return `${random}?expires=${Math.floor(now / 1000) + CHALLENGE_SECONDS}&`;
}

/** Until when a challenge with this salt is valid, epoch ms; `null` = not a salt of this service. */
export function challengeEnd(salt: string): number | null {
  // The `&` ends the time: without it, digits of the number could become digits of a later time with the same hash.
  const seconds = /^[0-9a-f]{24}\?expires=(\d{10})&$/.exec(salt)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
