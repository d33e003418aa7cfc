/**
 * The text of a key: a prefix, 160 random bits and a checksum, so that a mistyped or made-up key is rejected without a
 * database query. Source: "Behind GitHub's new authentication token formats", GitHub, 2021: base62, since a double
 * click selects it whole, with a CRC-32 as the last six characters.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_PREFIX } from './plans.ts';

/** Random bytes in a key: 160 bits. */
export const KEY_BYTES = 20;

/** Makes a key from exactly `KEY_BYTES` random bytes. Throws a RangeError for any other number. */
export function makeApiKey(random: Uint8Array): string {
  if (random.length !== KEY_BYTES) throw new RangeError(`a key is made of ${KEY_BYTES} random bytes`);
  const value = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const unchecked = KEY_PREFIX + base62(value, RANDOM_CHARACTERS);
  return unchecked + base62(BigInt(crc32(unchecked)), CHECK_CHARACTERS);
}

/** Whether a text could be a key: prefix, length, alphabet and checksum are right. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !KEY_PATTERN.test(text)) return false;
  let checksum = 0;
  for (let at = CHECKED_LENGTH; at < KEY_LENGTH; at++) checksum = checksum * 62 + DIGITS.indexOf(text[at] as string);
  return checksum === crc32(text.slice(0, CHECKED_LENGTH));
}

/**
 * SHA-256 of the whole key, in hexadecimal: the only form in which it is stored. 160 random bits need no pepper (rule
 * 9).
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

const KEY_IN_TEXT = new RegExp(`${KEY_PREFIX}[0-9A-Za-z]+`, 'g');

/** The same without any key in it, for logs: nothing writes one there, and this is the second defence. */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEY_IN_TEXT, (key) => `${KEY_PREFIX}…${lastFour(key)}`);
}

/** The part of a key that may be shown later, so that its owner can distinguish several keys. */
export function lastFour(key: string): string {
  return key.slice(-4);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^27 is just above 2^160, and 62^6 above 2^32. */
const RANDOM_CHARACTERS = 27;
const CHECK_CHARACTERS = 6;
const CHECKED_LENGTH = KEY_PREFIX.length + RANDOM_CHARACTERS;
const KEY_LENGTH = CHECKED_LENGTH + CHECK_CHARACTERS;
const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]+$`);

function base62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(width, '0');
}
