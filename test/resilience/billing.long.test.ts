import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFraction } from '../../src/simulation/country/seeded-random.ts';
import { testDatabase } from '../support/database/test-database.ts';
import { addReport, printProgress, roundsOf, seedOf } from '../support/run-settings.ts';
import { billingRounds } from './rounds/billing-rounds.ts';

test('every customer gets one key, to their own address, however often workers are killed', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const wanted = roundsOf({ medium: 20, long: 200 });
  const seed = seedOf(15);
  const fractionOf = (kill: number) => randomFraction(seed, 'kill', kill);
  const report = await billingRounds(database, wanted, fractionOf, printProgress);
  addReport(t, [
    `${report.kills} kills, ${report.customers} customers`,
    `${report.keyMails} keys mailed, of which ${report.again} to customers who had one: their worker was killed after sending`,
  ]);
  assert.deepEqual(report.violations, []);
  assert.equal(report.customers, wanted);
});
