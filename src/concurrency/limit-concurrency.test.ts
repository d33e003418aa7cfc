import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitConcurrency } from './limit-concurrency.ts';

test('so many pieces of work run at a time, the others in order, and one that fails makes room for the next', async () => {
  const inTurn = limitConcurrency(2);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const results = ends.map(({ promise }, index) =>
    inTurn(() => {
      begun.push(index);
      return promise;
    }),
  );
  await Promise.resolve();
  assert.deepEqual(begun, [0, 1]);
  const failed = assert.rejects(results[1] as Promise<number>, /broken/);
  ends[1]?.reject(new Error('broken'));
  await failed;
  assert.deepEqual(begun, [0, 1, 2]);
  for (const [index, { resolve }] of ends.entries()) resolve(index);
  assert.deepEqual(await Promise.all([results[0], results[2], results[3]]), [0, 2, 3]);
  assert.deepEqual(begun, [0, 1, 2, 3]);
});
