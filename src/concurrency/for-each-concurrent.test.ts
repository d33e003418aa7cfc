import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { forEachConcurrent } from './for-each-concurrent.ts';

describe('work on each item of a list', () => {
  test('is done once each, in order, within the limit of concurrency', async () => {
    const started: number[] = [];
    let running = 0;
    let most = 0;
    await forEachConcurrent([1, 2, 3, 4, 5], 2, async (item) => {
      started.push(item);
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
    });
    assert.deepEqual([started, most, running], [[1, 2, 3, 4, 5], 2, 0]);
  });

  test('runs one at a time when the limit is below one', async () => {
    const done: number[] = [];
    await forEachConcurrent([1, 2], 0, async (item) => void done.push(item));
    assert.deepEqual(done, [1, 2]);
  });

  test('starts on no item after a failure, and rejects with the first once running work has ended', async () => {
    const started: number[] = [];
    const slow = Promise.withResolvers<void>();
    let rejected = false;
    const all = forEachConcurrent([1, 2, 3], 2, async (item) => {
      started.push(item);
      if (item === 1) throw new Error('broken');
      await slow.promise;
    }).catch((error: Error) => {
      rejected = true;
      return error.message;
    });
    await setImmediate();
    assert.deepEqual([started, rejected], [[1, 2], false]);
    slow.resolve();
    assert.equal(await all, 'broken');
    assert.deepEqual(started, [1, 2]);
  });
});
