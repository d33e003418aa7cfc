/** Three rounds of `test/resilience/long/kills.ts`, with a seed that hits PostgreSQL, a collector and a server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killRounds } from './engine/kill-rounds.ts';

test('whoever is killed, readers see whole publications in their order, what was acknowledged stays, the next run repairs all', async () => {
  const report = await killRounds({ kills: 3, seed: 119, leaseMs: 1_000, plainEvery: 0, plainRecoveryEvery: 0 });
  assert.deepEqual(report.violations, []);
  assert.deepEqual([...report.kills.keys()], ['postmaster, commit', 'collector, transaction', 'server, follow']);
  assert.ok(report.collections.acknowledged >= 3);
  assert.ok(report.reads > 100);
});
