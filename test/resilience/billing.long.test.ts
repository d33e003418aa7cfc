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
  const { leaving } = report;
  const left = Object.entries(leaving).map(([what, kills]) => `${kills} leaving ${what}`);
  addReport(t, [
    `${report.kills} kills, ${report.customers} customers; ${left.join(', ')}`,
    `${report.keyMails} keys mailed, of which ${report.again} to customers who had one: their worker was killed after sending`,
  ]);
  assert.deepEqual(report.violations, []);
  assert.equal(report.customers, wanted);
  for (const what of ['an event without its effect', 'a mail on its way'] as const)
    assert.ok(leaving[what] > wanted / 20, `kills leave ${what}`);
});
