/** The first five kills of `bench/crash/alerts.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertRounds } from '../../bench/crash/engine/alert-rounds.ts';
import { testDatabase } from '../postgres.ts';

test('a sender of alerts that is killed five times leaves nobody without, and nobody twice but what was under way', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const { kills, subscribers, messages, doubled, violations } = await alertRounds(database, 5);
  assert.deepEqual(violations, []);
  assert.deepEqual([kills, subscribers, messages - doubled], [5, 70, 140]);
});
