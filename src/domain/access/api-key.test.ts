import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { hashApiKey, isWellFormedKey, KEY_BYTES, lastFour, makeApiKey, withoutKeys } from './api-key.ts';
import { KEY_PREFIX } from './plans.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES });

describe('a key', () => {
  test('is left out of a text but for its last four characters', () => {
    fc.assert(
      fc.property(random, random, (one, other) => {
        const [key, second] = [makeApiKey(one), makeApiKey(other)];
        const text = withoutKeys(`{"url":"/x?key=${key}","header":"${second}"}`);
        assert.ok(!text.includes(key) && !text.includes(second));
        assert.equal(
          text,
          `{"url":"/x?key=${KEY_PREFIX}…${lastFour(key)}","header":"${KEY_PREFIX}…${lastFour(second)}"}`,
        );
      }),
    );
  });

  test('is well formed, has a fixed length, and differs for different random bytes', () => {
    fc.assert(
      fc.property(random, random, (one, other) => {
        const [key, second] = [makeApiKey(one), makeApiKey(other)];
        assert.ok(isWellFormedKey(key));
        assert.match(key, new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{33}$`));
        assert.equal(key === second, Buffer.compare(one, other) === 0);
      }),
    );
  });

  test('keeps all 160 random bits', () => {
    fc.assert(
      fc.property(random, (dice) => {
        const digits = [...makeApiKey(dice).slice(KEY_PREFIX.length, -6)];
        const value = digits.reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
        assert.equal(value.toString(16).padStart(40, '0'), Buffer.from(dice).toString('hex'));
      }),
    );
  });

  test('ends with the CRC-32 of everything before it', () => {
    fc.assert(
      fc.property(random, (dice) => {
        const key = makeApiKey(dice);
        const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
        assert.equal(value, crc32(key.slice(0, -6)));
      }),
    );
    assert.equal(makeApiKey(new Uint8Array(KEY_BYTES)), 'pompa_live_0000000000000000000000000001fpsp5');
  });

  test('is made of exactly 20 random bytes', () => {
    for (const count of [0, 19, 21]) assert.throws(() => makeApiKey(new Uint8Array(count)), RangeError);
  });

  test('is stored as its SHA-256 and shown as its last four characters', () => {
    assert.equal(hashApiKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(lastFour(makeApiKey(new Uint8Array(KEY_BYTES))).length, 4);
  });
});

describe('the checksum rejects', () => {
  const key = makeApiKey(Uint8Array.from({ length: KEY_BYTES }, (_, index) => index * 11));

  test('a mistyped character at any position', () => {
    for (let at = 0; at < key.length; at++) {
      for (const digit of `${DIGITS}_ é`) {
        if (digit !== key[at]) assert.equal(isWellFormedKey(key.slice(0, at) + digit + key.slice(at + 1)), false);
      }
    }
  });

  test('two swapped neighbours', () => {
    for (let at = 0; at < key.length - 1; at++) {
      const [one, other] = [key[at] as string, key[at + 1] as string];
      if (one !== other) assert.equal(isWellFormedKey(key.slice(0, at) + other + one + key.slice(at + 2)), false);
    }
  });

  test('a key that is cut short, extended, in another case, or followed by a line break', () => {
    for (const text of [key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase(), '']) {
      assert.equal(isWellFormedKey(text), false);
    }
  });

  test('arbitrary text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => !isWellFormedKey(text)));
    const tail = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 33, maxLength: 33 });
    fc.assert(fc.property(tail, (text) => !isWellFormedKey(KEY_PREFIX + text)));
    assert.equal(isWellFormedKey(`${KEY_PREFIX}\ud800`.padEnd(44, '\udc00')), false);
  });
});
