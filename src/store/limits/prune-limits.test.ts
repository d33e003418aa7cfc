import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { namedHasher } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { KeyedHasher } from './address-hash.ts';
import { pruneLimits } from './prune-limits.ts';
import { takeWeeklyCaps } from './weekly-cap-queries.ts';

let database: TestDatabase;
let hasher: KeyedHasher;
before(async () => {
  database = await testDatabase();
  hasher = await namedHasher(database);
});
after(() => database.drop());
beforeEach(() => database.pool.query('truncate weekly_caps, minute_windows'));

const names = async (table: string) =>
  (
    await database.pool.query<{ name: string }>(`select convert_from(client, 'UTF8') as name from ${table} order by 1`)
  ).rows.map(({ name }) => name);

describe('an expired counter', () => {
  test('is deleted: acceptances after a week, requests after an hour, and nothing else', async () => {
    await database.pool.query(`insert into weekly_caps values
      ('fresh', '/x', now()), ('nearly', '/x', now() - interval '167 hours 59 minutes'), ('past', '/x', now() - interval '168 hours'),
      ('long past', '/x', now() - interval '3 years')`);
    await database.pool.query(`insert into minute_windows
      select client::bytea, 'crawlers', recent from (
        select extract(epoch from now())::bigint * 1000 as now) as clock,
        lateral (values ('now', array[now]), ('an hour', array[now - 7200000, now - 3590000]), ('past', array[now - 3610000]),
          ('never', '{}'), ('of a clock far ahead', array[now + 86400000])) as v (client, recent)`);
    assert.equal(await pruneLimits(database.pool), 5);
    assert.deepEqual(
      [await names('weekly_caps'), await names('minute_windows')],
      [
        ['fresh', 'nearly'],
        ['an hour', 'now'],
      ],
    );
  });

  test('is deleted however many there are', async () => {
    await database.pool.query(`insert into weekly_caps
      select sha256(n::text::bytea), '/x', now() - interval '8 days' from generate_series(1, 45000) as n`);
    assert.equal(await pruneLimits(database.pool), 45_000);
    assert.deepEqual(await names('weekly_caps'), []);
  });

  test('is kept for at most a week after a clock was set back', async () => {
    await database.pool.query(`insert into weekly_caps values ('ahead', '/x', now() + interval '30 days')`);
    assert.equal(await pruneLimits(database.pool), 0);
    const { rows } = await database.pool.query(`select accepted_at <= clock_timestamp() as past from weekly_caps`);
    assert.deepEqual(rows, [{ past: true }]);
  });

  test('stays if a request takes it at the same moment, and does not delay that request', async () => {
    await database.pool.query(`insert into weekly_caps values ('again', '/x', now() - interval '8 days')`);
    const request = await database.pool.connect();
    try {
      await request.query('begin');
      await request.query(`update weekly_caps set accepted_at = now()`);
      assert.equal(await pruneLimits(database.pool), 0);
      await request.query('commit');
    } finally {
      request.release();
    }
    const [verdict] = await takeWeeklyCaps(database, [{ client: 'again', endpoint: '/x' }], hasher, 5_000);
    assert.equal(verdict?.accepted, false);
  });

  test('is deleted while requests are decided, none of which fails or is accepted twice', async () => {
    await database.pool.query(`insert into weekly_caps
      select ('c' || n)::bytea, '/x', now() - interval '8 days' from generate_series(1, 2000) as n`);
    const requestsOf = (from: number) =>
      Array.from({ length: 100 }, (_, index) => ({
        client: `c${from * 100 + index + 1}`,
        endpoint: '/x',
      }));
    const decisions = Array.from({ length: 20 }, (_, round) =>
      takeWeeklyCaps(database, requestsOf(round), hasher, 20_000),
    );
    const [, ...first] = await Promise.all([pruneLimits(database.pool), ...decisions]);
    const again = await Promise.all(
      Array.from({ length: 20 }, (_, round) => takeWeeklyCaps(database, requestsOf(round), hasher, 20_000)),
    );
    assert.ok(first.flat().every(({ accepted }) => accepted));
    assert.ok(again.flat().every(({ accepted }) => !accepted));
  });
});
