import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { aWebhook } from '../../../test/support/webhooks/a-webhook.ts';
import { grantToKeys } from '../limits/key-limit-queries.ts';
import { createFreeKey } from './free-keys.ts';
import { endUnusedFreeKeys } from './unused-free-keys.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

const state = async () => {
  const { rows } = await sql<{ keys: number; warnings: number }>`
    select (select count(*)::int from api_keys) as keys,
      (select count(*)::int from mails where kind = 'free_key_unused') as warnings`.execute(database.kysely);
  return [rows[0]?.keys, rows[0]?.warnings];
};
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

const usedAt = (days: number) =>
  database.kysely
    .updateTable('key_usage')
    .set({ last_used: daysAgo(days), recent: [daysAgo(days).getTime()] })
    .execute();
const warnedAt = (days: number) =>
  database.kysely
    .updateTable('mails')
    .set({ created_at: daysAgo(days) })
    .where('kind', '=', 'free_key_unused')
    .execute();
const end = async () => {
  await endUnusedFreeKeys(database);
  return state();
};

/** A free key, the only one, that is to be deleted now; returns its id. */
async function aKeyToDelete(): Promise<number> {
  await sql`truncate accounts, api_keys, mails restart identity cascade`.execute(database.kysely);
  await database.transaction((tx) => createFreeKey(tx, { email: 'ana@exemplu.ro', language: 'ro' }, 1_000));
  await usedAt(91);
  await end();
  await warnedAt(15);
  const { id } = await database.kysely.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  return id;
}
const uncountedRequest = (key: number) => grantToKeys(database, [{ key, slots: 1, counted: 0, quota: 1_000 }], 5_000);

test('a free key that is not used for 90 days is deleted, two weeks after a warning that a use takes back', async () => {
  await database.transaction((tx) => createFreeKey(tx, { email: 'ana@exemplu.ro', language: 'ro' }, 1_000));
  await usedAt(75);
  assert.deepEqual(await end(), [1, 0]);
  await usedAt(77);
  assert.deepEqual(
    [await end(), await end()],
    [
      [1, 1],
      [1, 1],
    ],
  );
  await usedAt(200);
  assert.deepEqual(await end(), [1, 1], 'not before two weeks have passed since the warning');
  await warnedAt(15);
  await usedAt(1);
  assert.deepEqual(await end(), [1, 0]);
  await usedAt(91);
  await end();
  await warnedAt(14.1);
  assert.deepEqual((await end())[0], 0);
});

test('a request that is not counted keeps a key', async () => {
  await uncountedRequest(await aKeyToDelete());
  assert.deepEqual(await end(), [1, 0]);
});

test('a webhook that changes arrive at keeps its key, one that they do not arrive at does not', async () => {
  const key = await aKeyToDelete();
  const webhook = await aWebhook(database, key);
  const arrivedAt = (days: number) =>
    database.kysely
      .updateTable('webhooks')
      .set({ sent_at: daysAgo(days) })
      .where('id', '=', webhook)
      .execute();
  await arrivedAt(1);
  assert.deepEqual(await end(), [1, 0]);
  await arrivedAt(91);
  assert.deepEqual(await end(), [1, 1]);
  await warnedAt(15);
  assert.deepEqual((await end())[0], 0);
});

test('a request that comes while unused keys are deleted keeps its key', async () => {
  const key = await aKeyToDelete();
  const deleted = await endUnusedFreeKeys({
    ...database,
    transaction: async (work, limit) => {
      await uncountedRequest(key);
      return database.transaction(work, limit);
    },
  });
  assert.deepEqual([deleted, (await state())[0]], [0, 1]);
});

test('whoever has a key that the operator revoked is warned of nothing, and gets no other', async () => {
  await sql`truncate accounts, api_keys, mails restart identity cascade`.execute(database.kysely);
  await database.transaction((tx) => createFreeKey(tx, { email: 'ana@exemplu.ro', language: 'ro' }, 1_000));
  await database.kysely
    .updateTable('key_usage')
    .set({ last_used: daysAgo(200) })
    .execute();
  await database.kysely
    .updateTable('api_keys')
    .set({ revoked_at: daysAgo(100) })
    .execute();
  await endUnusedFreeKeys(database);
  assert.deepEqual(await state(), [1, 0]);
  const give = () =>
    database.transaction((tx) => createFreeKey(tx, { email: 'ana@exemplu.ro', language: 'ro' }, 1_000));
  assert.equal(await give(), 'had one');
});
