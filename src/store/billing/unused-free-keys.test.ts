import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
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

test('a free key that is not used for 90 days is deleted, two weeks after a warning that a use takes back', async () => {
  await database.transaction((tx) => createFreeKey(tx, { email: 'ana@exemplu.ro', language: 'ro' }, 1_000));
  const end = async () => {
    await endUnusedFreeKeys(database);
    return state();
  };
  const usedAt = (days: number) =>
    database.kysely
      .updateTable('key_usage')
      .set({ last_used: daysAgo(days) })
      .execute();
  const warnedAt = (days: number) =>
    database.kysely
      .updateTable('mails')
      .set({ created_at: daysAgo(days) })
      .where('kind', '=', 'free_key_unused')
      .execute();
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
