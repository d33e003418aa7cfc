import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '../../src/store/connection/database.ts';
import { DatabaseProxy } from '../support/database/database-proxy.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import type { TestDatabase } from '../support/database/test-database.ts';
import { ReviewServices } from '../support/service/review-services.ts';
import { timed } from '../support/stopwatch.ts';

const silentLog = { info: () => undefined, warn: () => undefined };

let reviewing: ReviewServices;
let proxy: DatabaseProxy;
let proxied: Awaited<ReturnType<typeof openDatabase>>;
before(async () => {
  const connect = async ({ url }: TestDatabase) => {
    proxy = await DatabaseProxy.inFrontOf(url);
    proxied = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log: silentLog });
    return proxied;
  };
  reviewing = await ReviewServices.start({ connect });
});
after(async () => {
  proxy.close();
  await proxied.close();
  await reviewing.close();
});

const asks = (slug: string) => [
  () => reviewing.read(slug),
  () => reviewing.post({ statie_slug: slug, rating: 5 }),
  () => reviewing.post({ statie_slug: slug, rating: 5, comment: 'Curat.', recaptcha_token: 'x' }),
];

describe('/reviews and /review while the database is away', () => {
  for (const failure of ['cut', 'hang'] as const) {
    test(`${failure}: 503 within 2 s, invalid requests are still 400, and everything recovers by itself`, async () => {
      const slug = reviewing.newStation();
      assert.equal((await reviewing.read(slug)).status, 200);
      proxy[failure]();
      for (const ask of asks(slug)) {
        const { ms, result } = await timed(ask);
        const { status, json } = result;
        assert.deepEqual([status, Object.keys(json), json.status], [503, ['status', 'message'], 'error']);
        assert.ok(ms < 2_000, `${ms} ms`);
      }
      assert.equal((await reviewing.post({ statie_slug: slug, rating: 6 })).status, 400);
      assert.equal((await reviewing.read('x')).status, 200, 'no station has that slug, with or without a database');
      const many = await Promise.all(Array.from({ length: 100 }, () => reviewing.read(slug)));
      assert.ok(many.every(({ status }) => status === 503));
      proxy.open();
      await waitFor('reviews to come back', 5_000, async () => (await reviewing.read(slug)).status === 200);
      assert.equal((await reviewing.post({ statie_slug: slug, rating: 4 })).status, 200);
      assert.equal((await reviewing.read(slug)).json.avg_rating, 4, 'refused reviews are not stored');
    });
  }
});
