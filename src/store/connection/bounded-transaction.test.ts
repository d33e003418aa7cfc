import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { transactionWithin } from './bounded-transaction.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query('create table done (what text)');
});
after(() => database.drop());

const LONG_MS = 60_000;
const done = async () =>
  (await database.pool.query('select what from done order by what')).rows.map(({ what }) => what);

describe('transactionWithin', () => {
  test('keeps what was done, gives its result, and gives the connection back', async () => {
    for (let i = 0; i < 30; i += 1) {
      const result = await transactionWithin(database.pool, LONG_MS, async (client) => {
        await client.query('delete from done');
        await client.query(`insert into done values ('kept')`);
        return i;
      });
      assert.equal(result, i);
    }
    assert.deepEqual(await done(), ['kept']);
  });

  test('undoes what was begun when the work fails', async () => {
    const work = transactionWithin(database.pool, LONG_MS, async (client) => {
      await client.query(`insert into done values ('lost')`);
      throw new Error('no');
    });
    await assert.rejects(work, /^Error: no$/);
    assert.deepEqual(await done(), ['kept']);
    assert.equal(database.pool.waitingCount, 0);
  });

  test('gives up in time, undoes what was begun, and lets go of the connection', async () => {
    const holder = await database.pool.connect();
    await holder.query('select pg_advisory_lock(7)');
    const work = transactionWithin(database.pool, 200, async (client) => {
      await client.query(`insert into done values ('late')`);
      await client.query('select pg_advisory_xact_lock(7)');
    });
    await assert.rejects(work, /did not answer within 0.2 s/);
    await holder.query('select pg_advisory_unlock(7)');
    holder.release();
    assert.deepEqual(await done(), ['kept']);
    assert.equal(database.pool.totalCount, database.pool.idleCount);
  });

  test('gives up waiting for a connection, too, and gives back one that comes too late', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    let begun = false;
    const work = transactionWithin(database.pool, 100, async () => {
      begun = true;
    });
    await assert.rejects(work, /did not answer within 0.1 s/);
    for (const client of held) client.release();
    assert.deepEqual(await done(), ['kept']);
    assert.equal(database.pool.totalCount, database.pool.idleCount);
    assert.equal(begun, false);
  });
});
