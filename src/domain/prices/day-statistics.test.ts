import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { statisticsOf } from './day-statistics.ts';

describe('the statistics of prices', () => {
  test('interpolate percentiles, and round the mean to bani', () => {
    assert.deepEqual(statisticsOf([7_300, 7_001, 7_100, 7_200]), {
      stations: 4,
      min: 7_001,
      p10: 7_031,
      median: 7_150,
      mean: 7_150,
      p90: 7_270,
      max: 7_300,
    });
  });

  test('of one price are that price', () => {
    const price = 7_450;
    const all = { min: price, p10: price, median: price, mean: price, p90: price, max: price };
    assert.deepEqual(statisticsOf([price]), { stations: 1, ...all });
  });

  test('of nothing are null', () => assert.equal(statisticsOf([]), null));

  test('ascend from the minimum to the maximum, whatever the order of the prices', () => {
    const prices = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(prices, (list) => {
        const found = statisticsOf(list);
        assert.ok(found !== null);
        const { stations, min, p10, median, p90, max } = found;
        assert.deepEqual(
          [min, p10, median, p90, max],
          [min, p10, median, p90, max].toSorted((a, b) => a - b),
        );
        assert.deepEqual([stations, min, max], [list.length, Math.min(...list), Math.max(...list)]);
        assert.deepEqual(statisticsOf(list.toReversed()), found);
      }),
    );
  });
});
