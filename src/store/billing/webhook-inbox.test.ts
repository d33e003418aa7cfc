import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { deferEvent, finishEvents, storeEvent, takeDueEvents } from './webhook-inbox.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate webhook_events`.execute(database.kysely);
});

const event = (id: string, object = 'sub_1') => ({ id, type: 'customer.subscription.updated', object });
const take = async (limit = 10) => (await takeDueEvents(database.kysely, limit)).map(({ id, tries }) => [id, tries]);

describe('an event', () => {
  test('is stored once, however often and at once it comes', async () => {
    const stored = await Promise.all(Array.from({ length: 5 }, () => storeEvent(database.kysely, event('evt_1'))));
    assert.deepEqual(stored.sort(), [false, false, false, false, true]);
    assert.deepEqual(await take(), [['evt_1', 0]]);
    assert.equal(await storeEvent(database.kysely, event('evt_1')), false);
  });

  test('is taken by one process at a time, and by another after a minute', async () => {
    await storeEvent(database.kysely, event('evt_1'));
    await storeEvent(database.kysely, event('evt_2', 'sub_2'));
    const taken = (await Promise.all([take(), take()])).flat();
    assert.deepEqual(taken.map(([id]) => id).sort(), ['evt_1', 'evt_2']);
    assert.deepEqual(await take(), []);
    await deferEvent(database.kysely, 'evt_1', 0);
    assert.deepEqual(await take(), [['evt_1', 1]]);
  });

  test('is done with all that came before its object was fetched, and later ones are not', async () => {
    await storeEvent(database.kysely, event('evt_1'));
    await storeEvent(database.kysely, event('evt_2'));
    assert.deepEqual(await take(), [['evt_1', 0]], 'one fetch answers both');
    const { rows } = await sql<{
      at: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000000)::float8 as at`.execute(database.kysely);
    await storeEvent(database.kysely, event('evt_3'));
    await finishEvents(database.kysely, { object: 'sub_1', takenAtUs: Number(rows[0]?.at) }, 'sub_1');
    assert.deepEqual(await take(), [['evt_3', 0]]);
  });
});
