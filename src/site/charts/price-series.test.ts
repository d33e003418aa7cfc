import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { columnsOf, summarize } from './price-series.ts';

/**
 * Prices of a length, without any order; a seventh of the days has none. Two numbers shrink faster than a long array.
 */
const anyPrices = fc
  .record({ length: fc.integer({ min: 1, max: 4_000 }), seed: fc.integer({ min: 1, max: 10_000 }) })
  .map(({ length, seed }) => Array.from({ length }, (_, day) => priceOf(((day + 1) * 7_919 * seed) % 10_007)));
const priceOf = (number: number) => (number % 7 === 0 ? null : 1_000 + number);
const known = (prices: readonly (number | null)[]) => prices.filter((price) => price !== null);

describe('the summary of a series', () => {
  it('finds the lowest and highest price, each on its first day, and the last one', () => {
    assert.deepEqual(summarize([9_400, 9_300, 9_300, 9_600, 9_300, 9_600, 9_400, null]), {
      lowest: { index: 1, price: 9_300 },
      highest: { index: 3, price: 9_600 },
      last: { index: 6, price: 9_400 },
      lowestCentre: 2,
      endsAtLowest: false,
    });
  });

  it('knows that the series ends at its lowest price', () => {
    assert.equal(summarize([9_600, 9_300, 9_300])?.endsAtLowest, true);
    assert.equal(summarize([9_300, 9_600, 9_300])?.endsAtLowest, false, 'it was there before');
  });

  it('is null without any price', () => {
    assert.equal(summarize([null, null]), null);
    assert.equal(summarize([]), null);
  });
});

describe('the columns of a series', () => {
  it('are its days while there is room for them', () => {
    assert.deepEqual(columnsOf([9_300, null]), [
      { start: 0, days: 1, prices: [9_300] },
      { start: 1, days: 1, prices: [] },
    ]);
  });

  it('are at most 732, half as many of more than two years, cover all days and lose no extreme', () => {
    fc.assert(
      fc.property(anyPrices, (prices) => {
        const columns = columnsOf(prices);
        assert.ok(columns.length <= (prices.length <= 732 ? 732 : 366));
        assert.equal(
          columns.reduce((sum, { days }) => sum + days, 0),
          prices.length,
        );
        for (const column of columns) {
          const days = known(prices.slice(column.start, column.start + column.days));
          assert.equal(Math.min(...column.prices), Math.min(...days));
          assert.equal(Math.max(...column.prices), Math.max(...days));
          assert.equal(column.prices.at(-1), days.at(-1));
          assert.ok(column.prices.length <= 3);
        }
      }),
      { numRuns: 30 },
    );
  });
});
