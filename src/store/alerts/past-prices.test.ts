import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { dayNumber } from '../../domain/days.ts';
import { inReadSnapshot } from '../prices/publication.ts';
import { loadPastPrices } from './alerts.ts';

/** Two days of so many stations are more rows than are read at a time; the second day begins within the first batch. */
const STATIONS = 1_500;
const idOf = (number: number) => `S${String(number).padStart(4, '0')}`;
const ids = Array.from({ length: STATIONS }, (_, index) => idOf(index + 1));
const FIRST = dayNumber('2026-11-10');

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    insert into stations (id, created_at) select 'S' || lpad(n::text, 4, '0'), now() from generate_series(1, ${STATIONS}) n;
    insert into daily_prices (day, station_id, petrol, facts)
      select date '2026-11-10' + 2 * day, 'S' || lpad(n::text, 4, '0'), 7000 + 100 * day + n, 0
      from generate_series(0, 1) day, generate_series(1, ${STATIONS}) n`);
});
after(() => database.drop());

const past = (stations: readonly string[], to: number) =>
  inReadSnapshot(database.kysely, (tx) => loadPastPrices(tx, 'petrol', stations, { from: FIRST, to }));

test('past prices are those of each day that has any, oldest first, however many they are', async () => {
  const days = await past(ids, FIRST + 3);
  assert.deepEqual(
    days.map(({ day, prices }) => [day, prices.size]),
    [
      [FIRST, STATIONS],
      [FIRST + 2, STATIONS],
    ],
  );
  for (const [index, { prices }] of days.entries())
    for (const [offset, id] of ids.entries())
      assert.deepEqual(prices.get(id), { price: 7_000 + 100 * index + offset + 1, source: null });
});

test('past prices end before the last day, and are those of the stations asked for', async () => {
  const days = await past([idOf(7), idOf(8), 'of nobody'], FIRST + 2);
  assert.deepEqual(
    days.map(({ day, prices }) => [day, [...prices.keys()].sort()]),
    [[FIRST, [idOf(7), idOf(8)]]],
  );
  assert.deepEqual(await past([], FIRST + 3), []);
});
