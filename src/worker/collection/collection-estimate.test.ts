import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CollectionEstimate } from './collection-estimate.ts';

test('the slowest source decides, at its pace so far; there is no estimate before the pace is known', () => {
  let now = 5_000;
  const told: number[] = [];
  const estimate = new CollectionEstimate(
    (seconds) => told.push(seconds),
    () => now,
  );
  const progress = (source: string, done: number, total: number) =>
    estimate.onProgress(source, { done, total, requests: done });
  assert.equal(estimate.secondsLeft(), null);
  progress('register', 1, 1_000);
  progress('rompetrol', 1, 1);
  assert.equal(estimate.secondsLeft(), null);
  now += 60_000;
  progress('register', 250, 1_000);
  assert.equal(estimate.secondsLeft(), 180);
  now += 1_000;
  assert.equal(estimate.secondsLeft(), 190);
  progress('register', 1_000, 1_000);
  assert.equal(estimate.secondsLeft(), 10);
  assert.deepEqual(told, [180]);
  estimate.clear();
  assert.equal(estimate.secondsLeft(), null);
});
