import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../support/database/test-database.ts';
import { addReport, printProgress, roundsOf, seedOf } from '../support/run-settings.ts';
import { changeRounds } from './rounds/change-rounds.ts';

test('however often those who tell changes are killed, the feed has no gap, tells nothing twice, and folded is what is served', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const wanted = roundsOf({ short: 6, medium: 20, long: 300 });
  const plan = { kills: wanted, seed: seedOf(7), onKill: printProgress };
  const { kills, changes, violations } = await changeRounds(database, plan);
  addReport(t, [`${kills} kills, ${changes} changes`]);
  assert.deepEqual(violations, []);
  assert.equal(kills, wanted);
  assert.ok(changes > 0);
});
