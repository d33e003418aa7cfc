import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatisticsLists } from '../domain/prices/day-statistics.ts';
import { STATISTICS_DAYS, StatisticsHistory } from './statistics-history.ts';

const TODAY = 20_000;

/** Each city with one station at its price. */
function cities(prices: Record<string, number>): StatisticsLists {
  const all = Object.values(prices);
  return {
    kind: 'city',
    fuel: 'petrol',
    names: Object.keys(prices),
    stations: all.map(() => 1),
    ...{ min: all, p10: all, median: all, mean: all, p90: all, max: all },
  };
}
const minima = (history: StatisticsHistory, city: string) =>
  history.series(`city:${city}`, 'petrol', TODAY).map(({ day, min }) => [day - TODAY, min]);

describe('the history of statistics', () => {
  test('gives the days of a scope in ascending order, without those on which it had no price', () => {
    const history = new StatisticsHistory();
    history.putDay(TODAY - 1, cities({ turda: 7_200, cluj: 7_100 }));
    history.putDay(TODAY - 3, cities({ cluj: 7_000 }));
    history.putDay(TODAY - 2, cities({ turda: 7_300 }));
    assert.deepEqual(minima(history, 'cluj'), [
      [-3, 7_000],
      [-1, 7_100],
    ]);
    assert.deepEqual(minima(history, 'turda'), [
      [-2, 7_300],
      [-1, 7_200],
    ]);
    assert.deepEqual(minima(history, 'dej'), []);
    assert.deepEqual(history.series('city:cluj', 'diesel', TODAY), []);
    assert.deepEqual(history.series('national', 'petrol', TODAY), []);
  });

  test('replaces a day whole, and removes it', () => {
    const history = new StatisticsHistory();
    history.putDay(TODAY - 1, cities({ cluj: 7_100, turda: 7_200 }));
    history.putDay(TODAY - 1, cities({ turda: 7_250 }));
    assert.deepEqual([minima(history, 'cluj'), minima(history, 'turda')], [[], [[-1, 7_250]]]);
    history.clearDay(TODAY - 1);
    assert.deepEqual(minima(history, 'turda'), []);
  });

  test('a copy changes nothing in what it was made from', () => {
    const history = new StatisticsHistory();
    history.putDay(TODAY - 2, cities({ cluj: 7_100 }));
    const copy = history.copy();
    copy.putDay(TODAY - 2, cities({ cluj: 7_150, dej: 7_000 }));
    copy.putDay(TODAY - 1, cities({ cluj: 7_160 }));
    assert.deepEqual(minima(history, 'cluj'), [[-2, 7_100]]);
    assert.deepEqual(minima(history, 'dej'), []);
    assert.deepEqual(minima(copy, 'cluj'), [
      [-2, 7_150],
      [-1, 7_160],
    ]);
  });

  test('holds prices that do not fit in 16 bits', () => {
    const history = new StatisticsHistory();
    history.putDay(TODAY - 1, cities({ cluj: 99_999 }));
    assert.deepEqual(minima(history, 'cluj'), [[-1, 99_999]]);
  });

  test('is bounded', () => {
    const history = new StatisticsHistory();
    for (const day of [TODAY - STATISTICS_DAYS.city - 1, TODAY - STATISTICS_DAYS.city])
      history.putDay(day, cities({ cluj: 7_100 }));
    history.prune(TODAY);
    assert.deepEqual(minima(history, 'cluj'), [[-STATISTICS_DAYS.city, 7_100]]);
  });
});
