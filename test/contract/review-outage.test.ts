import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '../../src/store/connection/database.ts';
import { DatabaseGate } from '../support/database-proxy.ts';
import { until } from '../support/embedded-database.ts';
import { Reviewing } from '../support/service/review-services.ts';
import { timed } from '../support/stopwatch.ts';

const silent = { info: () => undefined, warn: () => undefined };

let reviewing: Reviewing;
let gate: DatabaseGate;
let through: Awaited<ReturnType<typeof openDatabase>>;
before(async () => {
  reviewing = await Reviewing.start({ connect: false });
  gate = await DatabaseGate.before(reviewing.database.url);
  through = await openDatabase({ databaseUrl: gate.url, dataDir: '', log: silent });
  reviewing.attach(through);
});
after(async () => {
  gate.close();
  await through.close();
  await reviewing.close();
});

const asks = (slug: string) => [
  () => reviewing.read(slug),
  () => reviewing.post({ statie_slug: slug, rating: 5 }),
  () => reviewing.post({ statie_slug: slug, rating: 5, comment: 'Curat.', recaptcha_token: 'x' }),
];

describe('/reviews and /review while the database is away', () => {
  for (const how of ['cut', 'hang'] as const) {
    test(`${how}: 503 within 2 s, what is wrong in itself is still 400, and all comes back by itself`, async () => {
      const slug = reviewing.newStation();
      assert.equal((await reviewing.read(slug)).status, 200);
      gate[how]();
      for (const ask of asks(slug)) {
        const { ms, result } = await timed(ask);
        const { status, json } = result;
        assert.deepEqual([status, Object.keys(json), json.status], [503, ['status', 'message'], 'error']);
        assert.ok(ms < 2_000, `${ms} ms`);
      }
      assert.equal((await reviewing.post({ statie_slug: slug, rating: 6 })).status, 400);
      assert.equal((await reviewing.read('x')).status, 200, 'no station has that name, with or without a database');
      const many = await Promise.all(Array.from({ length: 100 }, () => reviewing.read(slug)));
      assert.ok(many.every(({ status }) => status === 503));
      gate.open();
      await until('reviews to come back', 5_000, async () => (await reviewing.read(slug)).status === 200);
      assert.equal((await reviewing.post({ statie_slug: slug, rating: 4 })).status, 200);
      assert.equal((await reviewing.read(slug)).json.avg_rating, 4, 'what was refused is not there');
    });
  }
});
