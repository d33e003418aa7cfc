import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReport, IS_SHORT, printProgress, roundsOf, seedOf } from '../support/run-settings.ts';
import { type KeyedPlan, keyedRounds } from './rounds/keyed-rounds.ts';

const SIZE: Pick<KeyedPlan, 'keys' | 'smallQuota'> = IS_SHORT
  ? { keys: 40, smallQuota: 3 }
  : { keys: 60, smallQuota: 100 };

test('every answered request is counted although servers are killed, others only if they were under way, and no address gets two answers a week', async (t) => {
  const rounds = roundsOf({ short: 2, medium: 10, long: 200 });
  const result = await keyedRounds({
    rounds,
    seed: seedOf(IS_SHORT ? 3 : 1),
    ...SIZE,
    onRound: (round, line) => printProgress(`${String(round + 1).padStart(4)} ${line}`),
  });
  const { holders, visitors } = result;
  addReport(t, [
    `kills: ${result.kills}`,
    `answers with a key: ${statusCounts(holders)}`,
    `under way at a kill: ${result.lost}, of which ${result.countedUnanswered} were counted`,
    `answers to ${result.addresses} addresses without a key: ${statusCounts(visitors)}`,
    `answered twice because a server decided without the database: ${result.twiceDegraded}`,
  ]);
  assert.deepEqual(result.violations, []);
  assert.equal(result.kills, rounds);
  assert.ok((holders.get(200) ?? 0) > 20 * rounds, 'keys were hardly answered');
  assert.ok(!IS_SHORT || (holders.get(429) ?? 0) > 0, 'no quota was used up');
  const [accepted, refused] = [visitors.get(200) ?? 0, visitors.get(429) ?? 0];
  assert.ok(accepted > 4 * rounds && refused > 4 * rounds, 'no visitor came twice');
});

function statusCounts(counts: ReadonlyMap<number, number>): string {
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(', ');
}
