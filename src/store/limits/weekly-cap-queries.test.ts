import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { namedHasher } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { recordWeeklyAcceptances } from './weekly-cap-queries.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('a recorded acceptance starts a week, and never replaces a later one', async () => {
  const hasher = await namedHasher(database);
  const request = { client: 'somebody', endpoint: '/x' };
  const noon = Date.parse('2026-11-21T12:00:00Z');
  const stored: number[] = [];
  for (const acceptedAt of [noon, noon - 1, noon + 1]) {
    await recordWeeklyAcceptances(database, [{ ...request, acceptedAt }], hasher, 10_000);
    const { rows } = await database.pool.query<{ accepted_at: number }>('select accepted_at from weekly_caps');
    stored.push(...rows.map(({ accepted_at }) => accepted_at - noon));
  }
  assert.deepEqual(stored, [0, 0, 1]);
});
