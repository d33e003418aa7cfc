import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { BoundedMap } from './bounded-map.ts';

type Step = readonly ['set' | 'delete' | 'oldest' | 'clear', number];

/** The reference model: a list of keys in the order in which they were set. */
function expected(steps: readonly Step[], maxSize: number) {
  let entries: [string, number][] = [];
  const oldest: (number | undefined)[] = [];
  for (const [index, [step, key]] of steps.entries()) {
    if (step === 'clear') entries = [];
    if (step === 'set' || step === 'delete') entries = entries.filter(([known]) => known !== String(key));
    if (step === 'set') entries = [...entries.slice(entries.length >= maxSize ? 1 : 0), [String(key), index]];
    if (step === 'oldest') oldest.push(entries[0]?.[1]);
  }
  return { entries, oldest };
}

describe('a bounded map', () => {
  test('keeps the entries set last through any sequence of set, delete and get', () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.constant('set' as const), fc.nat(9)) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), fc.nat(9)) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('oldest' as const), fc.constant(0)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('clear' as const), fc.constant(0)) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, maxSize) => {
        const map = new BoundedMap<number>(maxSize);
        const oldest: (number | undefined)[] = [];
        for (const [index, [name, key]] of steps.entries()) {
          if (name === 'set') map.set(String(key), index);
          if (name === 'delete') map.delete(String(key));
          if (name === 'clear') map.clear();
          if (name === 'oldest') oldest.push(map.oldest);
        }
        const entries = map.entries().toArray();
        assert.deepEqual({ entries, oldest }, expected(steps, maxSize));
        assert.equal(map.size, entries.length);
        assert.equal(map.isFull, entries.length === maxSize);
        for (const [key, value] of entries) assert.equal(map.get(key), value);
      }),
      { numRuns: 500 },
    );
  });

  test('evicts in order over many more entries than it holds', () => {
    const map = new BoundedMap<number>(1_000);
    for (let key = 0; key < 10_000; key += 1) map.set(`key ${key}`, key);
    assert.deepEqual(
      [map.size, map.oldest, map.get('key 8999'), map.get('key 9000')],
      [1_000, 9_000, undefined, 9_000],
    );
  });

  test('forgets the entries set longest ago that are past', () => {
    const map = new BoundedMap<number>(10);
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3, d: 1 })) map.set(key, value);
    map.deleteOldestWhile((value) => value < 3);
    assert.deepEqual(
      [...map.entries()],
      [
        ['c', 3],
        ['d', 1],
      ],
    );
    map.deleteOldestWhile(() => true);
    assert.deepEqual([map.size, map.oldest], [0, undefined]);
    map.set('e', 5);
    assert.equal(map.oldest, 5);
  });

  test('keeps no removed entry in memory, even if it never fills up', () => {
    const map = new BoundedMap<number[]>(1_000);
    const set = (count: number) => {
      for (let number = 0; number < count; number += 1) map.set(`key ${number % 10}`, Array(100).fill(number));
    };
    set(1_000);
    const before = heapAfterGc();
    set(20_000);
    const grownMb = (heapAfterGc() - before) / 1e6;
    assert.ok(grownMb < 2, `${grownMb} MB more for the same 10 entries`);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapAfterGc(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
