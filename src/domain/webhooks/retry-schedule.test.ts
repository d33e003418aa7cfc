import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TRIES, pauseAfter } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;

test('a delivery is tried for about 75 hours, ever more slowly', () => {
  const pauses = Array.from({ length: MAX_TRIES - 1 }, (_, index) => pauseAfter(index + 1, 0.5) as number);
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / HOUR_MS;
  assert.ok(hours > 75 && hours < 76, `${hours}`);
  assert.deepEqual(
    [...pauses].sort((a, b) => a - b),
    pauses,
  );
  assert.equal(pauseAfter(MAX_TRIES, 0.5), null);
});

test('pauses vary by a tenth, and are longer if the receiver asks so, but not by more than a day', () => {
  assert.deepEqual([pauseAfter(2, 0), pauseAfter(2, 1)], [270_000, 330_000]);
  assert.equal(pauseAfter(1, 0.5, 60_000), 60_000);
  assert.equal(pauseAfter(3, 0.5, 1_000), 1_800_000);
  assert.equal(pauseAfter(1, 0.5, 1_000 * HOUR_MS), 24 * HOUR_MS);
});
