import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FUELS } from '../fuel.ts';
import { IMPORTED_DAYS, type StoredStationDay, splitBySource } from './sourced-day.ts';

const NONE = FUELS.map(() => null);
const pair = <T>(petrol: T, diesel: T) => FUELS.map((fuel) => ({ petrol, diesel })[fuel as 'petrol'] ?? null);
const BOTH = (1 << FUELS.indexOf('petrol')) | (1 << FUELS.indexOf('diesel'));
const aDay: StoredStationDay = {
  day: '2026-03-01',
  station: 'a',
  prices: pair(7_100, 7_300),
  facts: BOTH,
  trusted: BOTH,
  reliedOn: pair('register', 'register'),
};
const sourcesOf = (day: Partial<StoredStationDay>, sole: string | undefined = undefined) =>
  splitBySource({ ...aDay, ...day }, () => sole).map(({ source, prices }) => [source, ...prices.filter(Boolean)]);

describe('the prices of a past day', () => {
  it('are one row for each source that was relied on, by name', () => {
    assert.deepEqual(sourcesOf({}), [['register', 7_100, 7_300]]);
    assert.deepEqual(sourcesOf({ reliedOn: pair('rompetrol', 'register') }), [
      ['register', 7_300],
      ['rompetrol', 7_100],
    ]);
  });

  it('leave out doubtful prices, and days without any', () => {
    assert.deepEqual(sourcesOf({ reliedOn: pair<string | null>('register', null) }), [['register', 7_100]]);
    assert.deepEqual(sourcesOf({ reliedOn: NONE }), []);
    assert.deepEqual(sourcesOf({ prices: NONE }), []);
  });

  it('are the operator’s own where they were imported', () => {
    assert.deepEqual(sourcesOf({ facts: 0, reliedOn: null }), [[IMPORTED_DAYS, 7_100, 7_300]]);
  });

  it('belong, once the source is forgotten, to the only one that there ever was, and to none if there were more', () => {
    assert.deepEqual(sourcesOf({ reliedOn: null }, 'register'), [['register', 7_100, 7_300]]);
    assert.deepEqual(sourcesOf({ reliedOn: null }), []);
    assert.deepEqual(sourcesOf({ reliedOn: null, trusted: null }, 'register'), []);
    assert.deepEqual(sourcesOf({ reliedOn: null, trusted: 1 }, 'register'), [['register', 7_100]]);
  });
});
