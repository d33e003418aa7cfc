/** Lives of subscriptions at Stripe, fetched at random moments; `look-again.test.ts` has a short form of the second. */
import { test } from 'node:test';
import { assertDeliveries } from '../support/builders/subscription-deliveries.ts';
import { assertVerdictOfLatest } from '../support/builders/subscription-lives.ts';
import { testDatabase } from '../support/database/test-database.ts';
import { addReport, roundsOf, seedOf } from '../support/run-settings.ts';

test('fetches in any order and number leave the verdict of the latest of them', (t) => {
  const numRuns = roundsOf({ medium: 5_000, long: 100_000 });
  assertVerdictOfLatest({ numRuns, seed: seedOf(15) });
  addReport(t, [`${numRuns} lives`]);
});

test('events that come twice, late, swapped or never, with disputes and withdrawals, leave one key and the right verdict', async (t) => {
  const numRuns = roundsOf({ medium: 100, long: 100_000 });
  const database = await testDatabase();
  t.after(() => database.drop());
  await assertDeliveries(database, { numRuns, seed: seedOf(15) });
  addReport(t, [`${numRuns} lives with their deliveries`]);
});
