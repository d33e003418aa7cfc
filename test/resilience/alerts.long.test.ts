import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../support/database/test-database.ts';
import { addReport, printProgress, roundsOf } from '../support/run-settings.ts';
import { alertRounds } from './rounds/alert-rounds.ts';

const SUBSCRIBERS_PER_KILL = 60;

test('every subscriber gets each alert however often the sender is killed, and only messages under way or not recorded yet arrive twice', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const wanted = roundsOf({ short: 5, medium: 10, long: 50 });
  const { kills, subscribers, messages, duplicates, violations } = await alertRounds(database, wanted, printProgress);
  addReport(t, [
    `${kills} kills, ${subscribers} subscribers, 2 alerts each`,
    `${messages} messages, of which ${duplicates} arrived a second time: under way or not recorded yet when their sender was killed`,
  ]);
  assert.deepEqual(violations, []);
  assert.deepEqual([kills, subscribers], [wanted, SUBSCRIBERS_PER_KILL * wanted]);
  assert.equal(messages - duplicates, 2 * subscribers);
});
