/** The first round of `test/resilience/long/collectors.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectorRounds } from './engine/collector-rounds.ts';

test('collectors at once publish one after another; one that was stopped beyond its lease and woken publishes nothing', async () => {
  const plan = { rounds: 1, seed: 1, groups: [2], plain: false, stoppedWhilePublishing: false };
  const { published, stopped, reads, violations } = await collectorRounds(plan);
  assert.deepEqual(violations, []);
  assert.deepEqual([published, stopped], [2, 2]);
  assert.ok(reads > 50);
});
