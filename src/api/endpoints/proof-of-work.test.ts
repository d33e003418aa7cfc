/** A token is accepted only if it solves a challenge that the service issued less than ten minutes ago. */
import assert from 'node:assert/strict';
import { createHmac, hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Challenge, MAX_SOLUTION } from '../../domain/access/proof-of-work.ts';
import { solve } from '../../site/browser/proof-of-work.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { ProofOfWork } from './proof-of-work.ts';

const START = Date.parse('2026-11-20T10:00:00.500Z');

const signatureUnder = (key: string, challenge: string) =>
  createHmac('sha256', key).update(challenge).digest('hex').slice(0, 32);

function signerUnder(key: string) {
  return {
    sign: async (challenge: string) => signatureUnder(key, challenge),
    isSigned: async (challenge: string, signature: string) => signature === signatureUnder(key, challenge),
  };
}

/** A proof of work with a clock set by hand. */
function workbench(key = 'our key') {
  const time = { now: START };
  const work = new ProofOfWork({ signer: signerUnder(key), clock: () => time.now, elapsedMs: () => time.now });
  return { time, work };
}

async function challengeFrom(work: ProofOfWork, client = '192.0.2.1'): Promise<Challenge> {
  const result = await work.issue(client);
  assert.ok(typeof result === 'object' && 'challenge' in result, JSON.stringify(result));
  return result;
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const decoded = (token: string) => JSON.parse(Buffer.from(token, 'base64').toString());

describe('a challenge', () => {
  test('has the format of ALTCHA', async () => {
    const { work } = workbench();
    const { algorithm, challenge, maxnumber, salt, signature } = await challengeFrom(work);
    assert.deepEqual([algorithm, maxnumber], ['SHA-256', 200_000]);
    assert.match(challenge, /^[0-9a-f]{64}$/);
    assert.match(salt, /^[0-9a-f]{24}\?expires=1795169400&$/);
    assert.equal(signature, signatureUnder('our key', challenge));
    assert.equal(Number(/expires=(\d+)/.exec(salt)?.[1]), Math.floor(START / 1000) + 600);
    assert.notEqual((await challengeFrom(work)).salt, salt);
  });

  test('is refused to a client that requests too many, later to its network, and to no other', async () => {
    const { time, work } = workbench();
    for (let n = 0; n < 30; n += 1) await challengeFrom(work, '192.0.2.1');
    assert.deepEqual(await work.issue('192.0.2.1'), { waitMs: 2_000 });
    for (let n = 0; n < 270; n += 1) await challengeFrom(work, `192.0.2.${2 + (n % 200)}`);
    assert.deepEqual(await work.issue('192.0.2.250'), { waitMs: 2_000 });
    await challengeFrom(work, '198.51.100.1');
    time.now += 2_000;
    await challengeFrom(work, '192.0.2.1');
    assert.deepEqual(await work.issue('192.0.2.1'), { waitMs: 2_000 });
  });

  test('is unavailable while no key is known; verifying a token then fails without a verdict', async () => {
    const fail = () => Promise.reject(new DatabaseUnavailable('away'));
    const without = new ProofOfWork({ signer: { sign: fail, isSigned: fail }, clock: () => START });
    assert.equal(await without.issue('192.0.2.1'), 'unavailable');
    const { work } = workbench();
    assert.deepEqual(await without.verify(await solve(await challengeFrom(work))), { failed: 'away' });
  });
});

describe('a solution', () => {
  test('is accepted until its challenge expires', async () => {
    const { time, work } = workbench();
    const token = await solve(await challengeFrom(work));
    assert.equal(await work.verify(token), 'accepted');
    time.now += 599_000;
    assert.equal(await work.verify(token), 'accepted');
    time.now += 1_000;
    assert.equal(await work.verify(token), 'rejected');
  });

  test('has one identity, whatever the order of its fields and whatever else the JSON has', async () => {
    const { work } = workbench();
    const token = await solve(await challengeFrom(work));
    const { number, ...rest } = decoded(token);
    const same = encoded({ took: 12, number, ...rest });
    assert.notEqual(same, token);
    assert.equal(await work.verify(same), 'accepted');
    assert.equal(work.identityOf(same), work.identityOf(token));
    assert.notEqual(work.identityOf(await solve(await challengeFrom(work))), work.identityOf(token));
  });

  test('of a salt with a later time is not accepted, even where the hash is the same', async () => {
    const { time, work } = workbench();
    const random = 'ab'.repeat(12);
    const ours = `${random}?expires=179516940`;
    // As if the salt had no end: the digit after the time may be the time's or the number's.
    const challenge = hash('sha256', `${ours}01234`);
    const signed = { algorithm: 'SHA-256', challenge, signature: signatureUnder('our key', challenge) };
    time.now = START;
    for (const [salt, number] of [
      [`${ours}0`, 1234],
      [`${ours}01`, 234],
      [`${ours}01&`, 234],
    ])
      assert.equal(await work.verify(encoded({ ...signed, salt, number })), 'rejected', `${salt}`);
  });

  test('of another key, or with any part changed, is refused', async () => {
    const { work } = workbench();
    const token = await solve(await challengeFrom(work));
    const good = decoded(token);
    const other = workbench('another key').work;
    assert.equal(await other.verify(token), 'rejected');
    const flipped = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
    const { work: forger } = workbench('guessed');
    const forged = decoded(await solve(await challengeFrom(forger)));
    const changes: object[] = [
      { algorithm: 'SHA-1' },
      { algorithm: undefined },
      { challenge: flipped(good.challenge) },
      { challenge: good.challenge.toUpperCase() },
      { challenge: forged.challenge, salt: forged.salt, number: forged.number },
      { signature: flipped(good.signature) },
      { signature: forged.signature },
      { signature: '' },
      { signature: `${good.signature}00` },
      { salt: forged.salt },
      { salt: good.salt.replace('1795169400', '1795169999') },
      { salt: good.salt.replace('&', '&x=1&') },
      { salt: [good.salt] },
      ...[good.number + 1, -1, 0.5, 1e300, MAX_SOLUTION + 1, String(good.number), null, [good.number]].map(
        (number) => ({ number }),
      ),
    ];
    for (const change of changes)
      assert.equal(await work.verify(encoded({ ...good, ...change })), 'rejected', JSON.stringify(change));
  });

  test('that is malformed is refused: other forms, other encodings, more than 2,048 characters', async () => {
    const { work } = workbench();
    const token = await solve(await challengeFrom(work));
    const good = decoded(token);
    const tokens = [
      ...['', 'token-7', '{}', JSON.stringify(good), `${token} `, `${token}\n`, `!${token}`, token.slice(4)],
      ...[null, 5, 'x', [good], {}, { ...good, salt: undefined }].map(encoded),
      Buffer.from([0xff, 0xfe]).toString('base64'),
      encoded({ ...good, more: 'x'.repeat(2_048) }),
      Buffer.from(`${'['.repeat(1_500)}`).toString('base64'),
    ];
    for (const bad of tokens) assert.equal(await work.verify(bad), 'rejected', bad.slice(0, 80));
    const longest = (more: string) => encoded({ ...good, more });
    const room = (2_048 / 4) * 3 - Buffer.from(longest(''), 'base64').length;
    assert.equal(longest('x'.repeat(room)).length, 2_048);
    assert.equal(await work.verify(longest('x'.repeat(room))), 'accepted');
    assert.equal(await work.verify(longest('x'.repeat(room + 1))), 'rejected');
  });
});
