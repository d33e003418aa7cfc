import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, median, upperMedian } from './average.ts';

test('the mean is the sum divided by the count', () => {
  assert.equal(mean([1, 2, 6]), 3);
  assert.equal(mean([]), Number.NaN);
});

test('the median is the middle value, or halfway between the middle two', () => {
  assert.equal(median([9, 1, 2]), 2);
  assert.equal(median([9, 1, 2, 4]), 3);
  assert.equal(median([]), Number.NaN);
});

test('the upper median is one of the values', () => {
  assert.equal(upperMedian([9, 1, 2]), 2);
  assert.equal(upperMedian([9, 1, 2, 4]), 4);
  assert.equal(upperMedian([]), undefined);
});
