import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { runStatement, sharedTimeout } from './query-timeout.ts';
import { runRaw } from './raw-statement.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query('create table done (what text)');
});
after(() => database.drop());

const LONG = { withinMs: 60_000 };
const done = async () =>
  (await database.pool.query('select what from done order by what')).rows.map(({ what }) => what);

describe('a transaction with a time limit', () => {
  test('commits, returns its result, and releases the connection', async () => {
    for (let i = 0; i < 30; i += 1) {
      const result = await database.transaction(async (tx) => {
        await runRaw(tx, 'delete from done');
        await runRaw(tx, `insert into done values ('kept')`);
        return i;
      }, LONG);
      assert.equal(result, i);
    }
    assert.deepEqual(await done(), ['kept']);
  });

  test('rolls back when the work fails', async () => {
    const work = database.transaction(async (tx) => {
      await runRaw(tx, `insert into done values ('lost')`);
      throw new Error('no');
    }, LONG);
    await assert.rejects(work, /^Error: no$/);
    assert.deepEqual(await done(), ['kept']);
    assert.equal(database.pool.waitingCount, 0);
  });

  test('rejects in time, rolls back, and drops the connection', async () => {
    const holder = await database.pool.connect();
    await holder.query('select pg_advisory_lock(7)');
    const dropped = once(database.pool, 'remove');
    const work = database.transaction(
      async (tx) => {
        await runRaw(tx, `insert into done values ('late')`);
        await runRaw(tx, 'select pg_advisory_xact_lock(7)');
      },
      { withinMs: 200 },
    );
    await assert.rejects(work, /did not answer within 0.2 s/);
    await holder.query('select pg_advisory_unlock(7)');
    holder.release();
    assert.deepEqual(await done(), ['kept']);
    await dropped;
    assert.equal(database.pool.totalCount, database.pool.idleCount);
  });

  test('also limits the wait for a connection, and releases one that is ready too late', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    let begun = false;
    const work = database.transaction(
      async () => {
        begun = true;
      },
      { withinMs: 100 },
    );
    await assert.rejects(work, /did not answer within 0.1 s/);
    for (const client of held) client.release();
    assert.deepEqual(await done(), ['kept']);
    assert.equal(database.pool.totalCount, database.pool.idleCount);
    assert.equal(begun, false);
  });
});

describe('a time limit that several queries share', () => {
  test('leaves each the rest of the time, and starts nothing without any', async () => {
    const limit = sharedTimeout(200);
    await runStatement(database.pool, { text: 'select pg_sleep(0.05)' }, limit);
    await assert.rejects(runStatement(database.pool, { text: 'select pg_sleep(5)' }, limit), DatabaseUnavailable);
    const text = `insert into done values ('without time')`;
    await assert.rejects(runStatement(database.pool, { text }, limit), /no time left/);
    assert.deepEqual(await done(), ['kept']);
  });
});
