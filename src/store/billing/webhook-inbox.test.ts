import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { deferEvent, finishEvents, storeEvent, takeDueEvent } from './webhook-inbox.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate webhook_events`.execute(database.kysely);
});

const event = (id: string, object = 'sub_1') => ({ id, type: 'customer.subscription.updated', object });
/** Its id, and how often it was taken before; `null` = none is due. */
const take = async () => {
  const taken = await takeDueEvent(database.kysely);
  return taken && [taken.id, taken.tries];
};

describe('an event', () => {
  test('is stored once, however often and at once it comes', async () => {
    const stored = await Promise.all(Array.from({ length: 5 }, () => storeEvent(database.kysely, event('evt_1'))));
    assert.deepEqual(stored.sort(), [false, false, false, false, true]);
    assert.deepEqual(await take(), ['evt_1', 0]);
    assert.equal(await storeEvent(database.kysely, event('evt_1')), false);
  });

  test('is taken by one process, and again when it was left for later', async () => {
    await storeEvent(database.kysely, event('evt_1'));
    await storeEvent(database.kysely, event('evt_2', 'sub_2'));
    const taken = await Promise.all([take(), take()]);
    assert.deepEqual(taken.map((each) => each?.[0]).sort(), ['evt_1', 'evt_2']);
    assert.equal(await take(), null);
    await deferEvent(database.kysely, 'evt_1', 0);
    assert.deepEqual(await take(), ['evt_1', 1]);
  });

  test('whose process died while it was looked at is taken by another after two minutes', async () => {
    await storeEvent(database.kysely, event('evt_1'));
    await take();
    const age = (seconds: number) =>
      sql`update webhook_events set due_at = due_at - ${seconds} * interval '1 second'`.execute(database.kysely);
    await age(100);
    assert.equal(await take(), null);
    await age(20);
    assert.deepEqual(await take(), ['evt_1', 1]);
  });

  test('is done with all that came before its object was fetched, and later ones are not', async () => {
    await storeEvent(database.kysely, event('evt_1'));
    await storeEvent(database.kysely, event('evt_2'));
    assert.deepEqual(await take(), ['evt_1', 0]);
    assert.equal(await take(), null, 'one fetch answers both');
    const { rows } = await sql<{
      at: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000000)::float8 as at`.execute(database.kysely);
    await storeEvent(database.kysely, event('evt_3'));
    await finishEvents(database.kysely, { object: 'sub_1', takenAtUs: Number(rows[0]?.at) }, 'sub_1');
    assert.deepEqual(await take(), ['evt_3', 0]);
  });
});
