import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReport, IS_SHORT, printProgress, roundsOf, seedOf } from '../support/run-settings.ts';
import { type KillReport, killRounds } from './rounds/kill-rounds.ts';

/** With this seed the short form kills PostgreSQL while it commits a publication. */
const SHORT_SEED = 13;

test('readers see complete publications in order whichever process is killed, what was acknowledged stays, and the next run repairs everything', async (t) => {
  const wanted = roundsOf({ short: 1, medium: 8, long: 200 });
  const result = await killRounds({
    kills: wanted,
    seed: seedOf(IS_SHORT ? SHORT_SEED : 1),
    leaseMs: IS_SHORT ? 1_000 : 3_000,
    plainEvery: IS_SHORT ? 0 : 20,
    plainRecoveryEvery: IS_SHORT ? 0 : 4,
    onRound: (round, line) => printProgress(`${String(round + 1).padStart(4)} ${line}`),
  });
  addReport(t, linesOf(result));
  assert.deepEqual(result.violations, []);
  if (IS_SHORT) assert.deepEqual([...result.kills.keys()], ['postmaster, commit']);
  const killed = [...result.kills.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(killed >= wanted, `${killed} kills of ${wanted}`);
  assert.ok(result.collections.acknowledged >= wanted);
  assert.ok(result.reads > 30 * wanted);
});

function linesOf({ kills, collections, halfWritten, ...rest }: KillReport): string[] {
  return [
    ...[...kills].sort().map(([name, count]) => `${name.padEnd(30)} ${String(count).padStart(4)}`),
    `rounds in which the target had already exited: ${rest.tooLate}`,
    `collections: ${collections.acknowledged} acknowledged, ${collections.cutOffButStored} cut off after their ` +
      `commit, ${collections.storedNothing} cut off before it; imports acknowledged or found whole: ${rest.imports}`,
    `answers checked: ${rest.reads}; starts with an older last good state: ${rest.staleStarts}`,
    `longest time until the next collection was done: ${(rest.slowestRecoveryMs / 1000).toFixed(1)} s`,
    `half-written files left: ${halfWritten.lastGood} of the last good state, ${halfWritten.archive} of the archive`,
  ];
}
