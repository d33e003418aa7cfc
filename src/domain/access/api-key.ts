/**
 * The text of a key: a prefix, 160 random bits and a checksum, so that what is mistyped or made up is known for no key
 * without asking anybody. Source: "Behind GitHub's new authentication token formats", GitHub, 2021: base62, since a
 * double click selects it whole, with a CRC-32 as the last six characters.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_PREFIX } from './plans.ts';

/** Random bytes that a key is made of: 160 bits. */
export const KEY_BYTES = 20;

/** Of random bytes, exactly `KEY_BYTES` of them. Throws a RangeError on any other number. */
export function makeApiKey(random: Uint8Array): string {
  if (random.length !== KEY_BYTES) throw new RangeError(`a key is made of ${KEY_BYTES} random bytes`);
  const value = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const unchecked = KEY_PREFIX + base62(value, RANDOM_CHARACTERS);
  return unchecked + base62(BigInt(crc32(unchecked)), CHECK_CHARACTERS);
}

/** Whether a text, of any content and length, could be a key. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !KEY_PATTERN.test(text)) return false;
  let checksum = 0;
  for (let at = CHECKED_LENGTH; at < KEY_LENGTH; at++) checksum = checksum * 62 + DIGITS.indexOf(text[at] as string);
  return checksum === crc32(text.slice(0, CHECKED_LENGTH));
}

/** SHA-256 of the whole key, in hexadecimal: all that is kept of it. 160 random bits need no pepper (rule 9). */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What people may be shown of a key later, to tell it from others. */
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
