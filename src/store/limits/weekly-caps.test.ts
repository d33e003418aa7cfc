import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { recordWeeklyAcceptances } from './weekly-caps.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('what was accepted without the database begins a week, and never shortens one that began later', async () => {
  const visit = { client: Buffer.from('somebody'), endpoint: '/x' };
  const noon = Date.parse('2026-11-21T12:00:00Z');
  const kept: number[] = [];
  for (const since of [noon, noon - 1, noon + 1]) {
    await recordWeeklyAcceptances(database, [{ ...visit, since }], 10_000);
    const { rows } = await database.pool.query<{ accepted_at: number }>('select accepted_at from weekly_caps');
    kept.push(...rows.map(({ accepted_at }) => accepted_at - noon));
  }
  assert.deepEqual(kept, [0, 0, 1]);
});
