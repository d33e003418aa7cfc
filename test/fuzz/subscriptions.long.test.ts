/** Lives of subscriptions at Stripe, fetched at random moments. */
import { test } from 'node:test';
import { assertVerdictOfLatest } from '../support/builders/subscription-lives.ts';
import { addReport, roundsOf, seedOf } from '../support/run-settings.ts';

test('fetches in any order and number leave the verdict of the latest of them', (t) => {
  const numRuns = roundsOf({ medium: 5_000, long: 100_000 });
  assertVerdictOfLatest({ numRuns, seed: seedOf(15) });
  addReport(t, [`${numRuns} lives`]);
});
