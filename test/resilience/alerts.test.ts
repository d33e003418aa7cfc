/** The first five kills of `test/resilience/long/alerts.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { alertRounds } from './engine/alert-rounds.ts';

test('a sender of alerts that is killed five times leaves nobody without, and nobody twice but what was under way', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const { kills, subscribers, messages, duplicates, violations } = await alertRounds(database, 5);
  assert.deepEqual(violations, []);
  assert.deepEqual([kills, subscribers, messages - duplicates], [5, 70, 140]);
});
