import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { newAddress } from '../support/builders/client-addresses.ts';
import { ReviewServices } from '../support/service/review-services.ts';
import type { TestService } from '../support/service/test-service.ts';
import { SUCCESS_ANSWER } from '../support/simulators/captcha-verifier.ts';
import { timed } from '../support/stopwatch.ts';

let reviewing: ReviewServices;
before(async () => {
  reviewing = await ReviewServices.start();
});
after(() => reviewing.close());

let tokens = 0;
const newToken = () => `token-${++tokens}`;
const stars = (rating = 5) => ({ statie_slug: reviewing.newStation(), rating });
const withText = (more: object = {}) => ({ ...stars(), comment: 'Curat.', recaptcha_token: newToken(), ...more });
const FAMILY = '👨‍👩‍👧‍👦';

/** The stored texts of the newest review. */
async function newest(): Promise<{ nickname: string | null; comment: string | null; state: string; slug: string }> {
  const { rows } = await reviewing.database.pool.query(
    'select nickname, comment, state, slug from reviews order by id desc limit 1',
  );
  return rows[0];
}

async function countReviews(from = reviewing): Promise<number> {
  return (await from.database.pool.query('select count(*)::int as count from reviews')).rows[0].count;
}

describe('POST /api/v1/review → 200', () => {
  test('stars alone are counted and listed at once, without a captcha', async () => {
    const { statie_slug } = stars();
    const requestsBefore = reviewing.verifier.requests.length;
    const first = await reviewing.post({ statie_slug, rating: 4 });
    const { message, ...rest } = first.json;
    assert.deepEqual([first.status, rest], [200, { status: 'ok', avg_rating: 4, review_count: 1 }]);
    assert.equal(typeof message, 'string');
    assert.equal(first.headers['access-control-allow-origin'], undefined);
    const second = await reviewing.post({ statie_slug, rating: 5.0, nickname: ' ANONIM ', comment: '\u200b \n' });
    assert.deepEqual([second.json.avg_rating, second.json.review_count], [4.5, 2]);
    const { json } = await reviewing.read(statie_slug);
    assert.deepEqual(
      json.reviews.map(({ rating, nickname, comment }: never) => [rating, nickname, comment]),
      [
        [5, 'Anonim', ''],
        [4, 'Anonim', ''],
      ],
    );
    assert.equal(reviewing.verifier.requests.length, requestsBefore);
  });

  test('a comment, or a name alone, waits for approval with its stars, after the captcha', async () => {
    for (const text of [{ comment: 'Curat.' }, { nickname: 'Ana' }]) {
      const { status, json } = await reviewing.post({ ...stars(1), ...text, recaptcha_token: newToken() });
      assert.deepEqual([status, json.avg_rating, json.review_count], [200, 0, 0]);
      assert.equal((await newest()).state, 'pending');
    }
  });

  test('the verifier receives a form with secret and token, and nothing about the visitor', async () => {
    const token = `${newToken()}&secret=x+y%20ș`;
    await reviewing.post(withText({ recaptcha_token: token }));
    assert.deepEqual(reviewing.verifier.requests.at(-1), {
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
      form: { secret: 'the secret', response: token },
    });
  });

  test('texts are stored cleaned, under the station’s current slug', async () => {
    const { statie_slug } = stars();
    const sent = {
      statie_slug: `mol-old-name-${statie_slug.slice(-12)}`,
      nickname: ' A\u202en\u0000a ',
      comment: 'unu\r\ndoi\u001b[2J <b>',
    };
    assert.equal((await reviewing.post(withText(sent))).status, 200);
    assert.deepEqual(await newest(), {
      nickname: 'Ana',
      comment: 'unu doi[2J <b>',
      state: 'pending',
      slug: statie_slug,
    });
  });

  test('hidden characters are neither stored nor counted, and a text of nothing else is no text', async () => {
    const tags = '\u{e0049}\u{e0047}'.repeat(900);
    const sent = { nickname: `A\u3164n\u00ada${tags}`, comment: `Foarte bine ${tags}totul. 👨‍👩‍👧 ❤️` };
    assert.equal((await reviewing.post(withText(sent))).status, 200);
    const { nickname, comment } = await newest();
    assert.deepEqual([nickname, comment], ['Ana', 'Foarte bine totul. 👨‍👩‍👧 ❤️']);
    const asked = reviewing.verifier.requests.length;
    const { json } = await reviewing.post({ ...stars(4), nickname: '\u3164', comment: `${tags}\u115f\u2060\u2800` });
    assert.deepEqual([json.review_count, reviewing.verifier.requests.length], [1, asked]);
  });

  test('length is counted in characters as people see them', async () => {
    for (const text of [
      { nickname: 'x'.repeat(50), comment: 'ș'.normalize('NFD').repeat(500) },
      { nickname: FAMILY.repeat(50), comment: FAMILY.repeat(450) },
    ])
      assert.equal((await reviewing.post(withText(text))).status, 200);
  });

  test('unknown fields are ignored', async () => {
    const { statie_slug } = stars();
    const body = `{"__proto__":{"comment":"x"},"statie_slug":"${statie_slug}","rating":5,"id":7,"state":"approved"}`;
    assert.equal((await reviewing.post(body)).status, 200);
  });

  test('the address is stored only as a keyed hash', async () => {
    const from = newAddress();
    await reviewing.post(stars(), { from });
    const { rows } = await reviewing.database.pool.query(
      'select r::text as row from reviews r order by id desc limit 1',
    );
    assert.ok(!rows[0].row.includes(from));
    assert.match(rows[0].row, /\\x[0-9a-f]{32}/);
  });
});

describe('POST /api/v1/review → 400', () => {
  const slug = 'petrom-cluj-napoca-000000000001';
  const bad: [string, unknown][] = [
    ['no object', []],
    ['no object', 'null'],
    ['no object', '"text"'],
    ['no object', '5'],
    ['no JSON', '{'],
    ['no body', ''],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['no slug', { rating: 5 }],
    ['an empty slug', { statie_slug: ' ', rating: 5 }],
    ['a slug of another type', { statie_slug: 7, rating: 5 }],
    ['a slug without an id', { statie_slug: 'petrom-cluj', rating: 5 }],
    ['an unknown station', { statie_slug: 'petrom-cluj-ffffffffffff', rating: 5 }],
    ['no rating', { statie_slug: slug }],
    ...[0, 6, -1, 4.5, '5', null, true, [5], {}, '1e999'].map((rating): [string, unknown] => [
      'a wrong rating',
      rating === '1e999' ? `{"statie_slug":"${slug}","rating":1e999}` : { statie_slug: slug, rating },
    ]),
    ...['nickname', 'comment', 'recaptcha_token'].flatMap((field) =>
      [7, null, false, ['x'], { x: 1 }].map((value): [string, unknown] => [
        `${field} of another type`,
        { statie_slug: slug, rating: 5, [field]: value },
      ]),
    ),
    ['a long name', { statie_slug: slug, rating: 5, nickname: 'x'.repeat(51) }],
    ['a long comment', { statie_slug: slug, rating: 5, comment: 'x'.repeat(501) }],
    ['a name of many emoji', { statie_slug: slug, rating: 5, nickname: FAMILY.repeat(51) }],
    ['endless marks', { statie_slug: slug, rating: 5, nickname: `a${'\u0301'.repeat(900)}` }],
  ];
  for (const [what, body] of bad) {
    test(`${what}: ${Buffer.isBuffer(body) ? 'bytes' : JSON.stringify(body).slice(0, 70)}`, async () => {
      const { status, json } = await reviewing.post(body);
      assert.deepEqual([status, Object.keys(json), json.status], [400, ['status', 'message'], 'error']);
    });
  }

  test('names the field, and says what would be correct', async () => {
    const { json } = await reviewing.post({ statie_slug: slug, rating: 9 });
    assert.match(json.message, /„rating”.*între 1 și 5/);
    assert.match((await reviewing.post({ statie_slug: 'x\u202e', rating: 9 })).json.message, /„rating”/);
    assert.match((await reviewing.post({ statie_slug: 'x\u202ey', rating: 5 })).json.message, /„x y”/);
  });

  test('stores nothing and uses up no limit, and comes before the limits', async () => {
    const from = newAddress();
    const before = await countReviews();
    for (const [, body] of bad) await reviewing.post(body, { from });
    assert.equal(await countReviews(), before);
    for (let i = 0; i < 3; i += 1) assert.equal((await reviewing.post(stars(), { from })).status, 200);
    assert.equal((await reviewing.post({ rating: 5 }, { from })).status, 400);
    assert.equal((await reviewing.post(stars(), { from })).status, 429);
  });
});

describe('POST /api/v1/review: other refusals of the request itself', () => {
  test('another method → 405, OPTIONS → 204 without CORS', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const { status, headers } = await reviewing.service.ask('/api/v1/review', { method });
      assert.deepEqual([status, headers.allow], [405, 'POST, OPTIONS'], method);
    }
    const { status, headers } = await reviewing.service.ask('/api/v1/review', { method: 'OPTIONS' });
    assert.deepEqual(
      [status, headers.allow, headers['access-control-allow-origin']],
      [204, 'POST, OPTIONS', undefined],
    );
  });

  test('too large → 413, another type → 415, in the standard envelope', async () => {
    const large = await reviewing.post({ ...stars(), comment: 'x'.repeat(17_000) });
    const form = await reviewing.post('rating=5', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    assert.deepEqual([large.status, large.json.status, form.status, form.json.status], [413, 'error', 415, 'error']);
  });

  test('labelled as compressed → 415, whether it is or not; nothing is stored', async () => {
    const before = await countReviews();
    const plain = JSON.stringify(stars());
    for (const body of [plain, gzipSync(plain)]) {
      const { status, headers, json } = await reviewing.post(body, { headers: { 'Content-Encoding': 'gzip' } });
      assert.deepEqual(
        [status, headers['content-type'], json.status],
        [415, 'application/json; charset=utf-8', 'error'],
      );
    }
    assert.equal(await countReviews(), before);
    assert.equal((await reviewing.post(plain, { headers: { 'Content-Encoding': 'identity' } })).status, 200);
  });
});

describe('POST /api/v1/review → 403', () => {
  const verifierAnswers: [string, object | ((response: ServerResponse) => void)][] = [
    ['no', { ...SUCCESS_ANSWER, success: false, 'error-codes': ['timeout-or-duplicate'] }],
    ['that our secret is wrong', { success: false, 'error-codes': ['invalid-input-secret'] }],
    ['yes in a word', { ...SUCCESS_ANSWER, success: 'true' }],
    ['another action', { ...SUCCESS_ANSWER, action: 'login' }],
    ['no action', { ...SUCCESS_ANSWER, action: undefined }],
    ['another host', { ...SUCCESS_ANSWER, hostname: 'evil.example' }],
    ['a host that only ends like ours', { ...SUCCESS_ANSWER, hostname: 'xpompa.example.ro' }],
    ['no host', { ...SUCCESS_ANSWER, hostname: undefined }],
    ['a low score', { ...SUCCESS_ANSWER, score: 0.499 }],
    ['a score in words', { ...SUCCESS_ANSWER, score: '0.9' }],
    ['an impossible score', { ...SUCCESS_ANSWER, score: 7 }],
    ['no score', { ...SUCCESS_ANSWER, score: undefined }],
    ['a list', [SUCCESS_ANSWER]],
    ['nothing', (response) => response.end()],
    ['no JSON', (response) => response.end('<html>ok</html>')],
    [
      'half an answer',
      (response) =>
        response.writeHead(200, { 'Content-Length': 500 }).write('{"success":true', () => response.destroy()),
    ],
    ['500', (response) => response.writeHead(500).end(JSON.stringify(SUCCESS_ANSWER))],
    ['503', (response) => response.writeHead(503).end(JSON.stringify(SUCCESS_ANSWER))],
    ['201', (response) => response.writeHead(201).end(JSON.stringify(SUCCESS_ANSWER))],
    [
      'to look elsewhere',
      (response) => response.writeHead(302, { Location: reviewing.verifier.url }).end(JSON.stringify(SUCCESS_ANSWER)),
    ],
    ['too much', (response) => response.end(JSON.stringify({ ...SUCCESS_ANSWER, x: 'x'.repeat(20_000) }))],
    ['nothing and hangs up', (response) => response.destroy()],
  ];
  for (const [what, answer] of verifierAnswers) {
    test(`the verifier says ${what}`, async (t) => {
      t.after(() => {
        reviewing.verifier.answer = SUCCESS_ANSWER;
      });
      reviewing.verifier.answer = answer;
      const requestsBefore = reviewing.verifier.requests.length;
      const before = await countReviews();
      const { status, json } = await reviewing.post(withText());
      assert.deepEqual([status, Object.keys(json), json.status], [403, ['status', 'message'], 'error']);
      assert.equal(await countReviews(), before);
      assert.equal(reviewing.verifier.requests.length, requestsBefore + 1, 'asked once');
    });
  }

  test('stops waiting for a verifier that does not answer; other reviews proceed meanwhile', async (t) => {
    t.after(() => {
      reviewing.verifier.answer = SUCCESS_ANSWER;
    });
    reviewing.verifier.answer = (response) => response.write('{"success":');
    const slow = timed(() => reviewing.post(withText()));
    assert.equal((await reviewing.post(stars())).status, 200);
    const { ms, result } = await slow;
    assert.equal(result.status, 403);
    assert.ok(ms < 8_000, `${ms} ms`);
  });

  test('text without a token, or with an empty one, does not reach the verifier', async () => {
    const requestsBefore = reviewing.verifier.requests.length;
    for (const more of [{ recaptcha_token: '' }, { recaptcha_token: undefined }])
      assert.equal((await reviewing.post(withText(more))).status, 403);
    assert.equal(reviewing.verifier.requests.length, requestsBefore);
  });

  test('a refusal uses up nothing: the token works once the verifier accepts it, and only once', async () => {
    const from = newAddress();
    const recaptcha_token = newToken();
    reviewing.verifier.answer = (response) => response.destroy();
    assert.equal((await reviewing.post(withText({ recaptcha_token }), { from })).status, 403);
    reviewing.verifier.answer = SUCCESS_ANSWER;
    assert.equal((await reviewing.post(withText({ recaptcha_token }), { from })).status, 200);
    assert.equal((await reviewing.post(withText({ recaptcha_token }))).status, 403);
  });

  test('the lowest accepted score is enough, and hosts are compared ignoring case', async (t) => {
    t.after(() => {
      reviewing.verifier.answer = SUCCESS_ANSWER;
    });
    reviewing.verifier.answer = { ...SUCCESS_ANSWER, score: 0.5, hostname: 'Pompa.Example.RO' };
    assert.equal((await reviewing.post(withText())).status, 200);
  });

  test('without a captcha text is refused and stars are accepted', async (t) => {
    const without = await ReviewServices.during(t, { captcha: 'none' });
    assert.equal((await without.post(withText())).status, 403);
    assert.equal(without.verifier.requests.length, 0);
    assert.equal((await without.post(stars())).status, 200);
  });
});

describe('POST /api/v1/review → 429', () => {
  test('one review per station and three in all, with the seconds until midnight; checked before the captcha', async () => {
    const from = newAddress();
    const { statie_slug } = stars();
    assert.equal((await reviewing.post({ statie_slug, rating: 5 }, { from })).status, 200);
    const again = await reviewing.post({ statie_slug, rating: 4 }, { from });
    assert.deepEqual([again.status, Object.keys(again.json)], [429, ['status', 'message']]);
    const seconds = Number(again.headers['retry-after']);
    assert.ok(seconds > 0 && seconds <= 25 * 3_600);
    assert.equal((await reviewing.post(withText(), { from })).status, 200);
    assert.equal((await reviewing.post(stars(), { from })).status, 200);
    const requestsBefore = reviewing.verifier.requests.length;
    assert.equal((await reviewing.post(withText(), { from })).status, 429);
    assert.equal((await reviewing.post(withText({ recaptcha_token: '' }), { from })).status, 429, 'before 403');
    assert.equal(reviewing.verifier.requests.length, requestsBefore);
    assert.equal((await reviewing.post({ statie_slug, rating: 5 })).status, 200, 'other addresses may');
  });

  test('a rejected review counts, yesterday’s does not', async () => {
    const from = newAddress();
    const body = withText();
    assert.equal((await reviewing.post(body, { from })).status, 200);
    const { pool } = reviewing.database;
    await pool.query(`update reviews set state = 'rejected' where id = (select max(id) from reviews)`);
    assert.equal((await reviewing.post(withText({ ...body, recaptcha_token: newToken() }), { from })).status, 429);
    await pool.query(
      `update reviews set created_at = created_at - interval '25 hours' where id = (select max(id) from reviews)`,
    );
    assert.equal((await reviewing.post(withText({ ...body, recaptcha_token: newToken() }), { from })).status, 200);
  });

  test('of 50 concurrent reviews over two processes, exactly as many as allowed are accepted', async (t) => {
    const two = await ReviewServices.during(t, { count: 2 });
    const flood = async (body: (i: number) => object) => {
      const before = await countReviews(two);
      const from = newAddress();
      const posts = Array.from({ length: 50 }, (_, i) =>
        two.postWithRetries(body(i), { from, to: two.services[i % 2] as TestService }),
      );
      const statuses = (await Promise.all(posts)).map(({ status }) => status);
      assert.ok(statuses.includes(200) && statuses.includes(429) && !statuses.includes(403), `${statuses}`);
      // Not the number of 200s: on a busy machine a review may be stored just after its request timed out with a 503.
      return (await countReviews(two)) - before;
    };
    const { statie_slug } = stars();
    assert.equal(await flood(() => ({ statie_slug, rating: 3 })), 1, 'of one station');
    assert.equal(await flood(() => stars()), 3, 'of as many stations');
    assert.equal(await flood(() => withText()), 3, 'with text');
    assert.deepEqual((await two.read(statie_slug)).json.review_count, 1);
  });

  test('of 50 with one token, from 50 addresses over two processes, one is accepted', async (t) => {
    const two = await ReviewServices.during(t, { count: 2 });
    const recaptcha_token = newToken();
    const posts = Array.from({ length: 50 }, (_, i) =>
      two.postWithRetries(withText({ recaptcha_token }), { to: two.services[i % 2] as TestService }),
    );
    const refused = (await Promise.all(posts)).filter(({ status }) => status === 403).length;
    assert.ok(refused >= 49, `${refused} were refused`);
    assert.equal(await countReviews(two), 1);
  });
});
