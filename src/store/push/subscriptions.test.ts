import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/postgres.ts';
import { alertAll, subscribe } from '../../../test/push-builders.ts';
import { newcomers } from './subscriptions.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('whoever subscribes is a newcomer until an alert is made for it, and again when it subscribes anew', async () => {
  const origin = 'https://push.example.com';
  const endpoint = `${origin}/ana`;
  const ids = async () => (await newcomers(database.kysely, origin)).map(({ id }) => id);
  const id = await subscribe(database, { endpoint });
  await subscribe(database, { endpoint: 'https://elsewhere.example.com/ana' });
  assert.deepEqual(await ids(), [id]);
  await database.pool.query(`update push_subscriptions set created_at = '2026-11-20T08:00:00Z'`);
  await alertAll(database, Date.parse('2026-11-20T09:00:00Z'));
  assert.deepEqual(await ids(), []);
  await subscribe(database, { endpoint });
  assert.deepEqual(await ids(), [id]);
});
