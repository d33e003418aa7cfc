/** Five rounds of `test/resilience/long/keyed.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyedRounds } from './engine/keyed-rounds.ts';

test('whoever is killed, every answer is counted, nothing else but what was under way, and no address has two in a week', async () => {
  const report = await keyedRounds({ rounds: 5, seed: 3, keys: 40, smallQuota: 3 });
  assert.deepEqual(report.violations, []);
  assert.equal(report.kills, 5);
  assert.ok((report.holders.get(200) ?? 0) > 100, 'keys were hardly answered');
  assert.ok((report.holders.get(429) ?? 0) > 0, 'no quota was used up');
  assert.ok((report.visitors.get(200) ?? 0) > 20 && (report.visitors.get(429) ?? 0) > 20, 'nobody came twice');
});
