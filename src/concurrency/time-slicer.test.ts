import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { TimeSlicer } from './time-slicer.ts';

describe('work in slices', () => {
  test('is done in order, all light and quick work in one turn', async () => {
    const slices = new TimeSlicer();
    const done: number[] = [];
    for (const each of [1, 2, 3]) slices.push(() => done.push(each));
    assert.deepEqual(done, []);
    await setImmediate();
    assert.deepEqual(done, [1, 2, 3]);
  });

  test('ends its turn after heavy work', async () => {
    const slices = new TimeSlicer();
    const done: string[] = [];
    slices.push(() => done.push('light'));
    for (const each of ['heavy', 'as heavy']) slices.push(() => done.push(each), true);
    slices.push(() => done.push('last'));
    const turns: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      turns.push(done.splice(0).join());
    }
    assert.deepEqual(turns, ['light,heavy', 'as heavy', 'last']);
  });

  test('continues in the next turn when the time of one is used up', async (t) => {
    let at = 0;
    t.after(() => mock.restoreAll());
    mock.method(performance, 'now', () => at);
    const slices = new TimeSlicer();
    const done: number[] = [];
    for (const each of [1, 2, 3])
      slices.push(() => {
        at += 3;
        done.push(each);
      });
    await setImmediate();
    assert.deepEqual(done, [1, 2]);
    await setImmediate();
    assert.deepEqual(done, [1, 2, 3]);
  });
});
