import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { pruneDriverReports } from './prune-driver-reports.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('pruning removes addresses within seven days, and reports 30 days after their decision or their arrival', async () => {
  await database.pool.query(`
    insert into driver_reports (station_id, slug, kind, version, state, created_at, decided_at, client, network)
    select 'a', what, 'closed', 1, state, clock_timestamp() - age::interval, clock_timestamp() - decided::interval,
      '\\x01', '\\x02'
    from (values
      ('fresh', 'open', '166 hours', null),
      ('a week old', 'open', '168 hours', null),
      ('waits', 'open', '29 days', null),
      ('waited too long', 'open', '31 days', null),
      ('accepted', 'accepted', '40 days', '29 days'),
      ('accepted long ago', 'accepted', '40 days', '31 days'),
      ('rejected long ago', 'rejected', '40 days', '31 days')) as t (what, state, age, decided)`);
  assert.ok((await pruneDriverReports(database.pool)) >= 4);
  const { rows } = await database.pool.query(
    'select slug, client is not null as client, network is not null as network from driver_reports order by id',
  );
  assert.deepEqual(
    rows.map(({ slug, client, network }) => [slug, client, network]),
    [
      ['fresh', true, true],
      ['a week old', false, false],
      ['waits', false, false],
      ['accepted', false, false],
    ],
  );
  assert.equal(await pruneDriverReports(database.pool), 0);
});
