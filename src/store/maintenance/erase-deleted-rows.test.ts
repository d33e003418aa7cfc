import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { eraseDeletedRows } from './erase-deleted-rows.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

const query = async (text: string) => (await database.pool.query(text)).rows;

/** Whether the file of the table holds the bytes of a text. */
async function fileHolds(text: string): Promise<boolean> {
  await query('checkpoint');
  const [found] = await query(
    `select position('${text}'::bytea in pg_read_binary_file(pg_relation_filepath('reviews'))) > 0 as holds`,
  );
  return found.holds;
}

async function insertReviews(): Promise<void> {
  await query(`insert into reviews (station_id, slug, rating, state, created_at, nickname)
    select 'a', 'a', 5, 'approved', now(), case when n in (50, 100) then 'Ana Popescu din Turda' else 'x' || n end
    from generate_series(1, 100) n`);
}

test('leaves no byte of a deleted row in the file of its table, the latest row included', async () => {
  await insertReviews();
  await query(`delete from reviews where nickname like 'Ana%'`);
  assert.equal(await fileHolds('Popescu'), true);
  assert.equal(await eraseDeletedRows(database.kysely, 'reviews'), 'erased');
  assert.deepEqual([await fileHolds('Popescu'), await fileHolds('x51')], [false, true]);
});

test('gives up when another transaction uses the table for longer, and leaves the connection as it was', async () => {
  const reader = await database.pool.connect();
  try {
    await reader.query('begin; select from reviews');
    assert.equal(await eraseDeletedRows(database.kysely, 'reviews'), 'in use');
  } finally {
    await reader.query('rollback');
    reader.release();
  }
  assert.deepEqual(await query('show lock_timeout'), [{ lock_timeout: '0' }]);
  assert.equal(await eraseDeletedRows(database.kysely, 'reviews'), 'erased');
});
