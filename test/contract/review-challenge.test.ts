/** Reviews with text behind a proof of work, the default of a service without settings. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CHALLENGE_PATH } from '../../src/domain/access/proof-of-work.ts';
import { solve } from '../../src/site/browser/proof-of-work.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { ReviewServices } from '../support/service/review-services.ts';
import type { TestService } from '../support/service/test-service.ts';
import { timed } from '../support/stopwatch.ts';

let reviewing: ReviewServices;
before(async () => {
  reviewing = await ReviewServices.start({ captcha: 'altcha', count: 2 });
});
after(() => reviewing.close());

const ask = (to = reviewing.service, from = newAddress()) =>
  to.ask(CHALLENGE_PATH, { headers: { 'X-Forwarded-For': from } });
const newToken = async (to = reviewing.service) => solve((await ask(to)).json);
const withText = (recaptcha_token: string) => ({
  statie_slug: reviewing.newStation(),
  rating: 5,
  comment: 'Curat.',
  recaptcha_token,
});

async function countReviews(): Promise<number> {
  return (await reviewing.database.pool.query('select count(*)::int as count from reviews')).rows[0].count;
}

describe(`GET ${CHALLENGE_PATH}`, () => {
  test('gives pages of the site a challenge that no cache may store and no other origin may read', async () => {
    const { status, headers, json } = await ask();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json).sort(), ['algorithm', 'challenge', 'maxnumber', 'salt', 'signature']);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.notEqual((await ask()).json.challenge, json.challenge);
    assert.equal((await reviewing.service.ask(CHALLENGE_PATH, { method: 'HEAD' })).status, 200);
    assert.equal((await reviewing.service.ask(CHALLENGE_PATH, { method: 'POST' })).status, 404);
  });

  test('refuses a client that requests too many, with Retry-After, and no other', async () => {
    const from = newAddress();
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(reviewing.service, from)));
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 20, `${refused.length}`);
    assert.deepEqual([refused[0]?.headers['retry-after'], refused[0]?.json.status], ['2', 'error']);
    assert.equal((await ask()).status, 200);
  });

  test('does not exist where another captcha is in use, or none', async (t) => {
    for (const captcha of ['recaptcha', 'none'] as const) {
      const other = await ReviewServices.during(t, { captcha });
      assert.equal((await ask(other.service)).status, 404, captcha);
    }
  });
});

describe('POST /api/v1/review with a proof of work', () => {
  test('accepts one text for a solved challenge, in whichever process', async () => {
    const [one, other] = reviewing.services as [TestService, TestService];
    for (const to of [one, other]) {
      const token = await newToken(one);
      const posted = await reviewing.post(withText(token), { to });
      assert.deepEqual([posted.status, posted.json.review_count], [200, 0]);
      for (const again of [one, other])
        assert.equal((await reviewing.post(withText(token), { to: again })).status, 403);
    }
    assert.equal(reviewing.verifier.requests.length, 0);
  });

  test('does not accept the same solution in another encoding', async () => {
    const token = await newToken();
    assert.equal((await reviewing.post(withText(token))).status, 200);
    const solution = JSON.parse(Buffer.from(token, 'base64').toString());
    const { number, ...rest } = solution;
    const before = await countReviews();
    for (const same of [
      { number, ...rest },
      { ...solution, took: 7 },
    ]) {
      const rewritten = Buffer.from(JSON.stringify(same)).toString('base64');
      assert.equal((await reviewing.post(withText(rewritten))).status, 403);
    }
    assert.equal(await countReviews(), before);
  });

  test('accepts one of 30 encodings of one solution over two processes', async () => {
    const before = await countReviews();
    const solution = JSON.parse(Buffer.from(await newToken(), 'base64').toString());
    const posts = Array.from({ length: 30 }, (_, took) => {
      const token = Buffer.from(JSON.stringify({ ...solution, took })).toString('base64');
      return reviewing.postWithRetries(withText(token), { to: reviewing.services[took % 2] as TestService });
    });
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses).difference(new Set([200, 403])), new Set());
    // On a busy machine the one that was stored may have been answered too late, and refused when it came again.
    assert.ok(statuses.filter((status) => status === 200).length <= 1);
    assert.equal(await countReviews(), before + 1);
  });

  test('answers 403 to any other token, as for every captcha, and accepts stars alone without one', async () => {
    const before = await countReviews();
    const solved = await newToken();
    for (const token of ['', 'token-7', 'x'.repeat(5_000), solved.slice(8), btoa('{}'), btoa('[')]) {
      const { status, json } = await reviewing.post(withText(token));
      assert.deepEqual([status, Object.keys(json), json.status], [403, ['status', 'message'], 'error'], token);
    }
    assert.equal(await countReviews(), before);
    assert.equal((await reviewing.post({ statie_slug: reviewing.newStation(), rating: 5 })).status, 200);
  });

  test('answers 429 before 403, and a refusal leaves the token unused', async () => {
    const from = newAddress();
    const token = await newToken();
    for (let n = 0; n < 3; n += 1) await reviewing.post({ statie_slug: reviewing.newStation(), rating: 5 }, { from });
    for (const sent of [token, 'token-7', ''])
      assert.equal((await reviewing.post(withText(sent), { from })).status, 429);
    assert.equal((await reviewing.post(withText(token))).status, 200);
  });

  test('is not delayed by a flood of bad tokens of one address', async () => {
    const from = newAddress();
    const bad = Buffer.from(JSON.stringify({ algorithm: 'SHA-256', challenge: 'ab'.repeat(32) })).toString('base64');
    const flood = Array.from({ length: 250 }, (_, n) => reviewing.postWithRetries(withText(`${bad}${n}`), { from }));
    const { ms, result } = await timed(async () => reviewing.postWithRetries(withText(await newToken())));
    assert.equal(result.status, 200);
    assert.ok(ms < 10_000, `${ms} ms`);
    assert.ok((await Promise.all(flood)).every(({ status }) => status === 403));
  });
});
