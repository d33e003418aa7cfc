import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices, inTimeSlices, runInSlices, runInTimeSlices } from './in-slices.ts';

describe('a list in slices', () => {
  test('yields each item once, in order, at most `size` per slice', async () => {
    const slices: (readonly number[])[] = [];
    for await (const slice of inSlices([1, 2, 3, 4, 5], 2)) slices.push(slice);
    assert.deepEqual(slices, [[1, 2], [3, 4], [5]]);
    for await (const slice of inSlices([], 2)) assert.fail(`a slice of nothing: ${slice}`);
  });

  test('lets the event loop turn before each slice', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('a turn'));
    for await (const slice of inSlices([1, 2, 3], 2)) {
      order.push(slice.join());
      setImmediate(() => order.push('a turn'));
    }
    assert.deepEqual(order, ['a turn', '1,2', 'a turn', '3']);
  });
});

describe('a list in slices of time', () => {
  test('yields each item once, in order', async () => {
    const items: number[] = [];
    for await (const item of inTimeSlices([1, 2, 3])) items.push(item);
    assert.deepEqual(items, [1, 2, 3]);
  });

  test('lets the event loop turn after each item that takes longer than a slice', async () => {
    const order: string[] = [];
    for await (const item of inTimeSlices([1, 2, 3])) {
      order.push(`${item}`);
      setImmediate(() => order.push('a turn'));
      const end = performance.now() + 6;
      while (performance.now() < end);
    }
    assert.deepEqual(order, ['1', 'a turn', '2', 'a turn', '3']);
  });
});

describe('a generator in slices', () => {
  test('returns its result, with a turn of the event loop at each step', async () => {
    const order: string[] = [];
    const other = () => setImmediate(() => order.push('a turn'));
    const result = await runInSlices(
      (function* () {
        order.push('one');
        other();
        yield;
        order.push('two');
        other();
        yield;
        order.push('three');
        return 3;
      })(),
    );
    assert.equal(result, 3);
    assert.deepEqual(order, ['one', 'a turn', 'two', 'a turn', 'three']);
  });

  test('rejects with what it throws', async () => {
    const broken = (function* (): Generator<void, never, void> {
      yield;
      throw new Error('broken');
    })();
    await assert.rejects(runInSlices(broken), /broken/);
  });
});

describe('a generator in slices of time', () => {
  test('returns its result, with a turn of the event loop after each step that takes longer than a slice', async () => {
    const order: string[] = [];
    const result = await runInTimeSlices(
      (function* () {
        for (const step of ['one', 'two', 'three']) {
          order.push(step);
          setImmediate(() => order.push('a turn'));
          const end = performance.now() + 3;
          while (performance.now() < end);
          yield;
        }
        return 3;
      })(),
    );
    assert.equal(result, 3);
    assert.deepEqual(order.slice(0, 5), ['one', 'a turn', 'two', 'a turn', 'three']);
  });

  test('rejects with what it throws', async () => {
    const broken = (function* (): Generator<void, never, void> {
      yield;
      throw new Error('broken');
    })();
    await assert.rejects(runInTimeSlices(broken), /broken/);
  });
});
