import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstIndexThat } from './binary-search.ts';

test('binary search finds the same index as a linear scan', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9, max: 9 })),
      fc.integer({ min: -10, max: 10 }),
      fc.nat(5),
      (list, at, low) => {
        const sorted = list.toSorted((a, b) => a - b);
        const start = Math.min(low, sorted.length);
        const walked = sorted.findIndex((value, index) => index >= start && value >= at);
        const found = firstIndexThat((index) => (sorted[index] as number) >= at, start, sorted.length);
        assert.equal(found, walked === -1 ? sorted.length : walked);
      },
    ),
  );
});
