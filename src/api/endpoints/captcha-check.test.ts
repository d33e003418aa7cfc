import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TokenVerdict } from '../../domain/access/token-verifier.ts';
import { CaptchaCheck } from './captcha-check.ts';

type Verification = { readonly token: string; readonly answer: (verdict: TokenVerdict) => void };

/** Until all promises that can resolve have done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A check whose verifier answers when the test says so, and a clock set by hand. */
class CaptchaFixture {
  readonly time = { now: 0 };
  readonly warnings: object[] = [];
  /** Verifications that have begun and have no answer. */
  pending: Verification[] = [];
  /** Tokens that the verifier was asked about. */
  readonly asked: string[] = [];
  readonly #check = new CaptchaCheck({
    captcha: {
      verify: (token) => {
        const { promise, resolve } = Promise.withResolvers<TokenVerdict>();
        this.asked.push(token);
        this.pending.push({ token, answer: resolve });
        return promise;
      },
      identityOf: (token) => token,
    },
    log: { warn: (facts: object) => void this.warnings.push(facts) },
    clock: () => this.time.now,
    createDeadline: () => new AbortController().signal,
  });

  send(token: string, client: string): Promise<boolean> {
    return this.#check.isAccepted(token, client);
  }

  /** The verifier answers what it has been asked so far: good tokens begin with `good`. */
  async answerAll(bad: TokenVerdict = 'rejected'): Promise<void> {
    await settled();
    const answered = this.pending;
    this.pending = [];
    for (const { token, answer } of answered) answer(token.startsWith('good') ? 'accepted' : bad);
    await settled();
  }

  /** Sends one token and lets the verifier answer it. */
  async verdict(token: string, client: string, bad?: TokenVerdict): Promise<boolean> {
    const sent = this.send(token, client);
    await this.answerAll(bad);
    return sent;
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('an honest reviewer', () => {
  test('is verified at once while 250 connections of one address send bad tokens, of which few are asked about', async () => {
    const captcha = new CaptchaFixture();
    const flood = numbers(250).map((n) => captcha.send(`bad ${n}`, '192.0.2.1'));
    await settled();
    const honest = captcha.send('good', '198.51.100.1');
    await settled();
    assert.deepEqual(captcha.asked, ['bad 0', 'bad 1', 'good'], 'two of the flood stand before it');
    for (let round = 0; round < 250; round += 1) await captcha.answerAll();
    assert.equal(await honest, true);
    assert.ok((await Promise.all(flood)).every((isAccepted) => !isAccepted));
    assert.ok(captcha.asked.length <= 62, `asked ${captcha.asked.length} times`);
  });

  test('is verified at once while the flood comes from 250 networks /64 of one /48', async () => {
    const captcha = new CaptchaFixture();
    const flood = numbers(500).map((n) => captcha.send(`bad ${n}`, `2001:db8:1:${(n % 250).toString(16)}::/64`));
    await settled();
    const honest = captcha.send('good', '2001:db8:2::/64');
    await settled();
    assert.deepEqual([captcha.asked.length, captcha.asked.at(-1)], [5, 'good']);
    for (let round = 0; round < 250; round += 1) await captcha.answerAll();
    assert.equal(await honest, true);
    assert.ok((await Promise.all(flood)).every((isAccepted) => !isAccepted));
    assert.ok(captcha.asked.length <= 245, `asked ${captcha.asked.length} times`);
  });

  test('waits one turn at most while ten networks flood', async () => {
    const captcha = new CaptchaFixture();
    const flood = numbers(400).map((n) => captcha.send(`bad ${n}`, `10.0.${n % 10}.${n >> 1}`));
    await settled();
    const before = captcha.asked.length;
    const honest = captcha.send('good', '198.51.100.1');
    await captcha.answerAll();
    await captcha.answerAll();
    assert.equal(await honest, true);
    assert.ok(
      captcha.asked.indexOf('good') - before <= 10,
      `${captcha.asked.indexOf('good') - before} stood before it`,
    );
    for (let round = 0; round < 100; round += 1) await captcha.answerAll();
    await Promise.all(flood);
  });

  test('may send many good tokens at once: each is verified, two at a time', async () => {
    const captcha = new CaptchaFixture();
    const sent = numbers(50).map((n) => captcha.send(`good ${n}`, '192.0.2.1'));
    for (const _ of numbers(25)) {
      assert.ok(captcha.pending.length <= 2);
      await captcha.answerAll();
    }
    assert.ok((await Promise.all(sent)).every((isAccepted) => isAccepted));
  });
});

describe('a client with bad tokens', () => {
  test('is refused without the verifier after sixty of them, and may try again every six seconds', async () => {
    const captcha = new CaptchaFixture();
    for (const n of numbers(80)) assert.equal(await captcha.verdict(`bad ${n}`, '192.0.2.1'), false);
    assert.equal(captcha.asked.length, 60);
    assert.equal(await captcha.verdict('good', '192.0.2.1'), false);
    assert.equal(await captcha.verdict('good', '192.0.2.2'), true);
    captcha.time.now += 6_000;
    assert.equal(await captcha.verdict('good', '192.0.2.1'), true);
  });

  test('gains nothing by sending one again, from whatever address, for ten minutes', async () => {
    const captcha = new CaptchaFixture();
    for (const n of numbers(3)) assert.equal(await captcha.verdict('bad', `192.0.2.${n}`), false);
    assert.deepEqual(captcha.asked, ['bad']);
    captcha.time.now += 600_000;
    await captcha.verdict('bad', '192.0.2.9');
    assert.deepEqual(captcha.asked, ['bad', 'bad']);
  });

  test('gains nothing by long ones: no verifier is asked about more than 4,096 characters', async () => {
    const captcha = new CaptchaFixture();
    assert.equal(await captcha.verdict(`good ${'x'.repeat(4_092)}`, '192.0.2.1'), false);
    assert.equal(await captcha.verdict('', '192.0.2.1'), false);
    assert.deepEqual(captcha.asked, []);
    assert.equal(await captcha.verdict(`good ${'x'.repeat(4_091)}`, '192.0.2.1'), true);
  });
});

describe('a token without a verdict', () => {
  test('may be sent again, and a good one is never remembered', async () => {
    const captcha = new CaptchaFixture();
    assert.equal(await captcha.verdict('later', '192.0.2.1', { failed: 'it answered 500' }), false);
    assert.equal(await captcha.verdict('later', '192.0.2.1', 'accepted'), true);
    assert.equal(await captcha.verdict('good', '192.0.2.1'), true);
    assert.equal(await captcha.verdict('good', '192.0.2.1'), true);
    assert.equal(captcha.asked.length, 4);
  });

  test('is logged once a minute, however often the verifier alternates between failing and answering', async () => {
    const captcha = new CaptchaFixture();
    for (const n of numbers(180)) {
      await captcha.verdict(`bad ${n}`, `192.0.${n}.1`, n % 2 === 0 ? { failed: 'away' } : 'rejected');
      captcha.time.now += 1_000;
    }
    assert.deepEqual(captcha.warnings, [{ why: 'away' }, { why: 'away' }, { why: 'away' }]);
  });
});
