import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { endOfMonth, MONTH } from '../keys/month.ts';
import { noteDispute } from './subscription-notes.ts';
import { queueUsageMails } from './usage-mails.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

const queued = async () => {
  const { rows } = await sql<{ percent: number; quota: number }>`
    select (parameters->>'percent')::int as percent, (parameters->>'quota')::int as quota
    from mails where kind = 'usage' order by id`.execute(database.kysely);
  return rows.map(({ percent, quota }) => [percent, quota]);
};

test('a key that has used most of its quota, or all, is told once for each level and month', async () => {
  const { id } = await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  const use = (used: number, monthsAgo = 0) =>
    sql`update key_usage set used = ${used}, month = ${sql.raw(MONTH)} - ${monthsAgo} where key_id = ${id}`.execute(
      database.kysely,
    );
  const after = async (used: number, monthsAgo?: number) => {
    await use(used, monthsAgo);
    await queueUsageMails(database.kysely);
    await queueUsageMails(database.kysely);
    return queued();
  };
  assert.deepEqual(await after(79_999), []);
  assert.deepEqual(await after(90_000, 1), [], 'of another month');
  assert.deepEqual(await after(80_000), [[80, 100_000]]);
  assert.deepEqual(await after(100_000), [
    [80, 100_000],
    [100, 100_000],
  ]);
  await database.kysely.updateTable('api_keys').set({ cap: 50_000 }).execute();
  assert.deepEqual((await after(50_000)).slice(2), [[100, 50_000]], 'of the cap that the holder set, beside the quota');
  await database.kysely.updateTable('api_keys').set({ cap: 40_000 }).execute();
  assert.equal((await after(50_000)).length, 3, 'once, however often it is set');
  await database.kysely.updateTable('api_keys').set({ cap: null, plan: 'business' }).execute();
  assert.equal((await after(1_000_000)).length, 4, 'of the larger quota of another plan');
  await sql`delete from mails`.execute(database.kysely);
  await database.kysely.updateTable('accounts').set({ usage_mails: false }).execute();
  assert.deepEqual(await after(1_000_000), [], 'to whoever declined');
  await database.kysely.updateTable('accounts').set({ usage_mails: true }).execute();
  await noteDispute(database, 'sub_1', 'dp_1', false);
  assert.deepEqual(await after(1_000_000), [], 'of a key that is closed');
  await noteDispute(database, 'sub_1', 'dp_1', true);
  assert.deepEqual(await after(1_000_000), [[100, 1_000_000]]);
});

test('a month ends where the next begins, also at the end of a year', () => {
  assert.equal(endOfMonth(2026 * 12 + 11), Date.UTC(2026, 11, 1));
  assert.equal(endOfMonth(2026 * 12 + 12), Date.UTC(2027, 0, 1));
});
