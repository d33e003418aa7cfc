import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { statisticsOf } from './day-statistics.ts';
import { changeSince, priceOn, pricesOf, records, standingOf } from './price-standing.ts';

const TODAY = 20_000;
/** One price a day, the last one today's; `null` = a day without statistics. */
const series = (...prices: (number | null)[]) =>
  prices.flatMap((price, index) => (price === null ? [] : [{ day: TODAY - prices.length + 1 + index, price }]));

describe('the standing of a price', () => {
  test('is the shares of the days before today that were dearer and cheaper', () => {
    const days = [7_000, 7_100, 7_200, 7_300] as const;
    assert.deepEqual(standingOf(7_100, series(...days, 7_100), 4, TODAY), { dearer: 0.5, cheaper: 0.25 });
    assert.deepEqual(standingOf(6_900, series(...days, 6_900), 4, TODAY), { dearer: 1, cheaper: 0 });
    assert.deepEqual(standingOf(7_300, series(...days, 7_300), 4, TODAY), { dearer: 0, cheaper: 0.75 });
  });

  test('counts days with the same price for neither', () => {
    assert.deepEqual(standingOf(7_000, series(7_000, 7_000, 7_000), 2, TODAY), { dearer: 0, cheaper: 0 });
  });

  test('looks no further back than its days, and leaves today out', () => {
    const standing = standingOf(7_100, series(9_000, 9_000, 7_000, 7_000, 9_000), 2, TODAY);
    assert.deepEqual(standing, { dearer: 0, cheaper: 1 });
  });

  test('is null when fewer than half of the days are known', () => {
    assert.equal(standingOf(7_100, series(7_200, null, null, 7_200, null, 7_100), 5, TODAY), null);
    assert.equal(standingOf(7_100, series(7_200, null, null, 7_200, 7_100), 4, TODAY)?.dearer, 1);
    assert.equal(standingOf(7_100, [], 7, TODAY), null);
  });
});

describe('the change of a price', () => {
  test('is today’s price minus that of the day the given number of days ago', () => {
    const prices = series(6_900, 7_000, 7_300, 7_100);
    assert.deepEqual(
      [1, 2, 3].map((days) => changeSince(prices, days, TODAY)),
      [-200, 100, 200],
    );
  });

  test('is null when either day is unknown', () => {
    assert.equal(changeSince(series(7_000, null, 7_100), 1, TODAY), null);
    assert.equal(changeSince(series(7_000, 7_100, null), 1, TODAY), null);
    assert.equal(changeSince(series(7_000), 30, TODAY), null);
  });
});

describe('the records of a series', () => {
  test('are its lowest and highest price, each on its first day', () => {
    assert.deepEqual(records(series(7_100, 7_000, 7_300, 7_000, 7_300)), {
      lowest: { day: TODAY - 3, price: 7_000 },
      highest: { day: TODAY - 2, price: 7_300 },
    });
  });

  test('are null without a price', () => assert.equal(records([]), null));
});

test('a series of one figure has its price of each day', () => {
  const found = statisticsOf([7_000, 7_100]);
  assert.ok(found !== null);
  const prices = pricesOf([{ ...found, day: TODAY }], 'max');
  assert.deepEqual(prices, [{ day: TODAY, price: 7_100 }]);
  assert.equal(priceOn(prices, TODAY), 7_100);
  assert.equal(priceOn(prices, TODAY - 1), null);
});
