import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { pruneReviews } from './prune-reviews.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('pruning removes addresses within two days and rejected reviews after 30, and keeps approved and pending ones', async () => {
  await database.pool.query(`
    insert into reviews (station_id, slug, rating, comment, state, created_at, decided_at, client)
    select 'a', what, 5, what, state, clock_timestamp() - age::interval, clock_timestamp() - decided::interval, '\\x01'
    from (values
      ('fresh', 'approved', '46 hours 59 minutes', null),
      ('old', 'approved', '47 hours 1 minute', null),
      ('waits', 'pending', '400 days', null),
      ('refused', 'rejected', '400 days', '29 days'),
      ('refused long ago', 'rejected', '400 days', '31 days')) as t (what, state, age, decided)`);
  await database.pool.query(`
    insert into captcha_tokens
    select sha256(age::bytea), clock_timestamp() - age::interval from unnest('{46 hours,48 hours}'::text[]) as age`);
  const removed = await pruneReviews(database.pool);
  const { rows } = await database.pool.query('select slug, client is not null as known from reviews order by id');
  assert.deepEqual(
    rows.map(({ slug, known }) => [slug, known]),
    [
      ['fresh', true],
      ['old', false],
      ['waits', false],
      ['refused', false],
    ],
  );
  assert.equal((await database.pool.query('select from captcha_tokens')).rowCount, 1);
  assert.ok(removed >= 5);
  assert.equal(await pruneReviews(database.pool), 0);
});
