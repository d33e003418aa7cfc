import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReport, printProgress, RUN, roundsOf, seedOf } from '../support/run-settings.ts';
import { collectorRounds } from './rounds/collector-rounds.ts';

/** The long form runs `bin/pompa collect` itself; the medium one runs collectors that read only a few units. */
const IS_LONG = RUN.length === 'long';
const GROUPS = [2, 5];

test('collectors that start together publish one after another, and one that is stopped beyond its lease publishes nothing', async (t) => {
  const rounds = roundsOf({ medium: 1, long: 10 });
  const { published, stopped, reads, violations } = await collectorRounds({
    rounds,
    seed: seedOf(1),
    groups: GROUPS,
    plain: IS_LONG,
    stoppedWhilePublishing: IS_LONG,
    onRound: printProgress,
  });
  addReport(t, [
    `collections of groups that were published: ${published}`,
    `collectors stopped and resumed that published nothing: ${stopped}`,
    `answers checked: ${reads}`,
  ]);
  assert.deepEqual(violations, []);
  const together = rounds * GROUPS.reduce((sum, size) => sum + size);
  assert.deepEqual([published, stopped], [together, 2 * rounds + (IS_LONG ? 1 : 0)]);
  assert.ok(reads > 50);
});
