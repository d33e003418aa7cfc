import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bucharestDateTime } from '../../src/domain/days.ts';
import { decideReview, deleteReview } from '../../src/store/reviews/review-moderation.ts';
import { NO_DATABASE } from '../support/database/late-database.ts';
import { ReviewServices } from '../support/service/review-services.ts';

let reviewing: ReviewServices;
before(async () => {
  reviewing = await ReviewServices.start();
});
after(() => reviewing.close());

const EMPTY = { status: 'ok', avg_rating: 0, review_count: 0, reviews: [] };

/** Stores approved reviews of a station, oldest first. */
async function reviewed(slug: string, ratings: readonly number[], comment: string | null = null): Promise<void> {
  await reviewing.database.pool.query(
    `insert into reviews (station_id, slug, rating, comment, state, created_at)
    select right($1, 12), $1, rating, $3, 'approved', '2026-11-01T08:00:00Z'::timestamptz + place * interval '1 hour'
    from unnest($2::int[]) with ordinality as sent (rating, place)`,
    [slug, ratings, comment],
  );
}

describe('GET /api/v1/reviews/{slug} → 200', () => {
  test('an empty list for a slug without reviews, of an unknown station, or without a station', async () => {
    for (const slug of [reviewing.newStation(), 'petrom-cluj-ffffffffffff', 'x', '%20', '%C8%99', `${'x'.repeat(400)}`])
      assert.deepEqual((await reviewing.read(slug)).json, EMPTY, slug);
  });

  test('the mean of all, and the newest 20', async () => {
    const slug = reviewing.newStation();
    await reviewed(slug, [1, ...Array.from({ length: 24 }, (_, i) => 2 + (i % 4))]);
    const { json } = await reviewing.read(slug);
    // 24 ratings of 3.5 on average, and a 1: 85 / 25.
    assert.deepEqual([json.avg_rating, json.review_count, json.reviews.length], [3.4, 25, 20]);
    assert.deepEqual(Object.keys(json.reviews[0]), ['id', 'nickname', 'rating', 'comment', 'created_at']);
    const times = json.reviews.map(({ created_at }: { created_at: string }) => created_at);
    assert.deepEqual(times, [...times].sort().reverse());
    assert.equal(times[0], bucharestDateTime(Date.parse('2026-11-02T09:00:00Z')));
    assert.deepEqual([json.reviews[0].nickname, json.reviews[0].comment], ['Anonim', '']);
  });

  test('hidden characters of older reviews are not served', async () => {
    const slug = reviewing.newStation();
    await reviewed(slug, [5], 'Bun\u{e0049}\u{e0047}.');
    assert.equal((await reviewing.read(slug)).json.reviews[0].comment, 'Bun.');
  });

  test('half a tenth is rounded up', async () => {
    const slug = reviewing.newStation();
    await reviewed(slug, [4, 4, 4, 5]);
    assert.equal((await reviewing.read(slug)).json.avg_rating, 4.3);
  });

  test('older spellings of a slug show the same reviews', async () => {
    const slug = reviewing.newStation();
    await reviewed(slug, [5]);
    const { json } = await reviewing.read(slug);
    for (const older of [slug.slice(-12), `rompetrol-alba-${slug.slice(-12)}`, slug.toUpperCase()])
      assert.deepEqual((await reviewing.read(older)).json, json);
  });

  test('markup is returned as text', async () => {
    const slug = reviewing.newStation();
    const comment = '<script>alert("1")</script> &amp; {{x}} \\ é';
    await reviewed(slug, [5], comment);
    const { json, headers } = await reviewing.read(slug);
    assert.equal(json.reviews[0].comment, comment);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  test('pending or rejected reviews are not shown or counted; approving, rejecting or deleting one takes effect at once', async () => {
    const slug = reviewing.newStation();
    const { json } = await reviewing.post({ statie_slug: slug, rating: 2, comment: 'Scump.', recaptcha_token: slug });
    assert.deepEqual([json.avg_rating, json.review_count], [0, 0]);
    assert.deepEqual((await reviewing.read(slug)).json, EMPTY);
    const { kysely } = reviewing.database;
    const { id } = await kysely.selectFrom('reviews').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
    await decideReview(kysely, id, 'approved');
    const shown = (await reviewing.read(slug)).json;
    assert.deepEqual([shown.avg_rating, shown.reviews[0].id, shown.reviews[0].comment], [2, id, 'Scump.']);
    await decideReview(kysely, id, 'rejected');
    assert.deepEqual((await reviewing.read(slug)).json, EMPTY);
    await decideReview(kysely, id, 'approved');
    await deleteReview(kysely, id);
    assert.deepEqual((await reviewing.read(slug)).json, EMPTY);
  });

  test('HEAD is GET without the body', async () => {
    const slug = reviewing.newStation();
    await reviewed(slug, [5]);
    const { headers } = await reviewing.read(slug);
    const head = await reviewing.service.ask(`/api/v1/reviews/${slug}`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.raw.length], [200, 0]);
    assert.deepEqual({ ...head.headers, date: '' }, { ...headers, date: '' });
  });

  test('a key changes nothing, valid or not', async () => {
    const options = { headers: { 'X-Api-Key': 'nonsense' } };
    assert.equal((await reviewing.service.ask(`/api/v1/reviews/${reviewing.newStation()}`, options)).status, 200);
  });
});

describe('/api/v1/reviews/{slug}: other methods and addresses', () => {
  test('OPTIONS → 204 for pages of any origin, others → 405', async () => {
    const path = `/api/v1/reviews/${reviewing.newStation()}`;
    const options = await reviewing.service.ask(path, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers['access-control-allow-origin']], [204, '*']);
    for (const method of ['POST', 'DELETE']) {
      const { status, headers } = await reviewing.service.ask(path, { method });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('no slug, or more than one → 404', async () => {
    for (const path of ['/api/v1/reviews', '/api/v1/reviews/', '/api/v1/reviews/a/b', '/api/v1/review/x'])
      assert.equal((await reviewing.service.ask(path)).status, 404, path);
  });

  test('a slug that cannot be decoded → 400, one that is too long → 414', async () => {
    assert.equal((await reviewing.read('%zz')).status, 400);
    assert.equal((await reviewing.read('x'.repeat(600))).status, 414);
  });
});

describe('/api/v1/reviews/{slug} → 503', () => {
  test('in the standard envelope before there is a database', async (t) => {
    const early = await ReviewServices.during(t, { connect: async () => NO_DATABASE });
    const { status, json } = await early.read(early.newStation());
    assert.deepEqual([status, Object.keys(json)], [503, ['status', 'message']]);
  });
});
