/** What a browser computes is what the service verifies. */
import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Challenge } from '../../domain/access/proof-of-work.ts';
import { isHash, solve } from './proof-of-work.ts';

const SALT = `${'ab'.repeat(12)}?expires=1800000000&`;

const challengeOf = (number: number, maxnumber = 200_000, salt = SALT): Challenge => ({
  algorithm: 'SHA-256',
  challenge: hash('sha256', `${salt}${number}`),
  maxnumber,
  salt,
  signature: 'f00d',
});

describe('the browser', () => {
  test('finds the number, the least and the greatest included, and returns it with the challenge', async () => {
    for (const number of [0, 1, 255, 256, 257, 54_321, 200_000]) {
      const { maxnumber, ...given } = challengeOf(number);
      const token = await solve({ ...given, maxnumber });
      assert.deepEqual(JSON.parse(Buffer.from(token, 'base64').toString()), { ...given, number });
    }
  });

  test('solves a challenge of the library of ALTCHA', async () => {
    const token = await solve({
      algorithm: 'SHA-256',
      challenge: '186e9c11728db93ee663ddc1b5915392a5f0843f7ba808333a872a637e6a581e',
      maxnumber: 200_000,
      salt: '8b0ec237b1d62ed9541082a7?expires=1795391476&',
      signature: '1af413590ba60961f0d399ff003d5b38211398aa431aa84c466ff472a77349a2',
    });
    assert.equal(JSON.parse(atob(token)).number, 178_494);
  });

  test('rejects a challenge without a solution instead of searching forever', async () => {
    await assert.rejects(solve(challengeOf(1_001, 1_000)), /no solution/);
    await assert.rejects(solve({ ...challengeOf(1, 10), challenge: '' }), /no solution/);
  });

  test('yields while it searches, and stops when aborted', async () => {
    const leaving = new AbortController();
    const solving = solve(challengeOf(-1, 1e9), leaving.signal);
    await new Promise((resolve) => setTimeout(resolve));
    leaving.abort();
    await assert.rejects(solving, { name: 'AbortError' });
  });

  test('computes SHA-256 of texts of any length', () => {
    const wordsOf = (text: string) => {
      const digest = createHash('sha256').update(text, 'latin1').digest();
      return Int32Array.from({ length: 8 }, (_, at) => digest.readInt32BE(4 * at));
    };
    for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1_000])
      assert.ok(isHash('x'.repeat(length), wordsOf('x'.repeat(length))), `${length}`);
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 300 });
    fc.assert(fc.property(ascii, (text) => isHash(text, wordsOf(text))));
    assert.ok(!isHash('x', wordsOf('y')));
  });

  test('needs no other module', () => {
    const code = readFileSync(new URL('proof-of-work.ts', import.meta.url), 'utf8');
    assert.doesNotMatch(code, /^import (?!type )|^export .* from /m);
  });
});
