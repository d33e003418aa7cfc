import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CaptchaVerifier, SUCCESS_ANSWER } from '../../test/support/simulators/captcha-verifier.ts';
import type { TokenVerdict } from '../domain/access/token-verifier.ts';
import { CAPTCHA_DEADLINE_MS, createRecaptcha } from './recaptcha.ts';

/** What is made of an answer; the contract tests of /review have the whole list of answers. */
async function verdictOn(answer: CaptchaVerifier['answer'], allowPrivate = true): Promise<TokenVerdict> {
  const verifier = await CaptchaVerifier.start();
  verifier.answer = answer;
  const captcha = createRecaptcha({
    url: verifier.url,
    secret: 'sesame',
    hostnames: () => ['pompa.example.ro'],
    minScore: 0.5,
    userAgent: 'Pompa test',
    allowPrivate,
  });
  try {
    return await captcha.verify('token-7', CAPTCHA_DEADLINE_MS);
  } finally {
    await captcha.close();
    await verifier.close();
  }
}

describe('a captcha', () => {
  test('accepts an answer that passes every check, and refuses what the verifier refuses', async () => {
    assert.equal(await verdictOn(SUCCESS_ANSWER), 'accepted');
    assert.equal(await verdictOn({ ...SUCCESS_ANSWER, score: 0.4 }), 'rejected');
    assert.equal(await verdictOn({ success: false, 'error-codes': ['timeout-or-duplicate'] }), 'rejected');
  });

  test('reports failures of the verifier and of our settings, and repeats neither secret nor token', async () => {
    const troubles: [CaptchaVerifier['answer'], RegExp][] = [
      [{ success: false, 'error-codes': ['invalid-input-secret'] }, /says invalid-input-secret/],
      [(response) => response.writeHead(500).end('sesame token-7'), /answered 500/],
      [(response) => response.writeHead(302, { Location: 'http://127.0.0.1/' }).end(), /redirect/],
      [(response) => response.end('sesame token-7'), /JSON/],
      [
        (response) => response.end(JSON.stringify({ ...SUCCESS_ANSWER, x: 'x'.repeat(20_000) })),
        /larger than 16384 bytes/,
      ],
      [(response) => response.destroy(), /broken off/],
      [{ ...SUCCESS_ANSWER, score: null }, /score/],
    ];
    for (const [answer, why] of troubles) {
      const verdict = await verdictOn(answer);
      assert.ok(typeof verdict === 'object', JSON.stringify(verdict));
      assert.match(verdict.failed, why);
      assert.doesNotMatch(verdict.failed, /sesame|token-7/);
    }
  });

  test('does not connect to a private address unless the operator set it', async () => {
    const verdict = await verdictOn(SUCCESS_ANSWER, false);
    assert.match(typeof verdict === 'object' ? verdict.failed : verdict, /private/);
  });
});
