import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { at, emptyTables } from '../../../test/support/collection/collector-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { dayNumber } from '../../domain/days.ts';
import type { KnownPrice, PriceObservation } from '../../domain/prices/apply-collection.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { SourceStation } from '../../domain/stations/source-station.ts';
import { pruneHistoryAndAlerts } from '../maintenance/prune-history.ts';
import { importDays, loadFirstDays, readDay, writeDay } from './daily-prices.ts';
import { loadKnownPricesAsOf, readTimesAsOf, recomputeKnownPrices } from './facts-as-of.ts';
import { appendObservations, loadKnownPrices, removeKnownPrices, saveKnownPrices } from './observations.ts';
import { insertRun } from './runs.ts';
import { createStations, loadSourceStations, saveSourceStations } from './stations.ts';
import { knownUnits } from './units.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await emptyTables(database);
  await createStations(database.kysely, [A, B], at('2026-01-01T00:00Z'));
});

const A = 'aaaaaaaaaaaa';
const B = 'bbbbbbbbbbbb';
const TODAY = dayNumber('2026-11-20');
const NOW = at('2026-11-20T08:00Z');
const DAY = 86_400_000;

const fact: KnownPrice = {
  station: A,
  fuel: 'diesel_premium',
  source: 'register',
  unit: '179132:diesel_premium',
  price: 7_890,
  observed: { day: '2026-11-19', at: at('2026-11-19T10:00Z'), text: '19.11.2026 12:00 „așa”' },
  sinceDay: TODAY - 3,
  changed: true,
  missingSince: null,
};

describe('price facts', () => {
  test('are loaded as they were saved, with any field null', async () => {
    const odd: KnownPrice = { ...fact, station: B, price: null, observed: null, changed: false, missingSince: NOW };
    const dayOnly: KnownPrice = { ...fact, fuel: 'adblue', observed: { day: '2026-11-19', at: null, text: null } };
    await saveKnownPrices(database.kysely, [fact, odd, dayOnly], NOW);
    const sorted = (await loadKnownPrices(database.kysely, 'register')).toSorted((a, b) => (a.fuel < b.fuel ? -1 : 1));
    assert.deepEqual(
      sorted.toSorted((a, b) => (a.station < b.station ? -1 : 1)),
      [dayOnly, fact, odd],
    );
  });

  test('are replaced and removed by key, leaving those of another source unchanged', async () => {
    const other = { ...fact, source: 'rompetrol' };
    await saveKnownPrices(database.kysely, [fact, other], NOW);
    const dearer = { ...fact, price: 8_000, unit: '1:diesel_premium' };
    await saveKnownPrices(database.kysely, [dearer], NOW);
    assert.deepEqual(await loadKnownPrices(database.kysely, 'register'), [dearer]);
    await removeKnownPrices(database.kysely, 'register', [fact]);
    assert.deepEqual(await loadKnownPrices(database.kysely, 'register'), []);
    assert.deepEqual(await loadKnownPrices(database.kysely, 'rompetrol'), [other]);
  });

  test('show which units have rows, not counting missing ones', async () => {
    await saveKnownPrices(
      database.kysely,
      [fact, { ...fact, station: B, unit: '2:diesel_premium', missingSince: NOW }],
      NOW,
    );
    const { unitsWithRows } = await knownUnits(database.kysely, 'register');
    assert.deepEqual([...unitsWithRows], ['179132:diesel_premium']);
  });

  test('may be empty lists in every function', async () => {
    await saveKnownPrices(database.kysely, [], NOW);
    await appendObservations(database.kysely, [], NOW, null);
    await removeKnownPrices(database.kysely, 'register', []);
    await recomputeKnownPrices(database.kysely, 'register', []);
    await createStations(database.kysely, [], NOW);
    await saveSourceStations(database.kysely, [], false);
    await writeDay(database.kysely, TODAY, []);
    assert.deepEqual(await loadKnownPrices(database.kysely, 'register'), []);
  });
});

describe('what was known at an earlier moment', () => {
  const seen = (price: number | null, missing = false, day?: string): PriceObservation => {
    const { station, fuel, source } = fact;
    return { station, fuel, source, price, missing, observed: day ? { day, at: null, text: null } : null };
  };
  const observe = (when: string, row: PriceObservation) => appendObservations(database.kysely, [row], at(when), null);
  const asOf = async (when: string) => (await loadKnownPricesAsOf(database.kysely, 'register', at(when)))[0];

  beforeEach(() => saveKnownPrices(database.kysely, [fact], NOW));

  test('is nothing before the first observation', async () => {
    await observe('2026-11-10T08:00Z', seen(7_000));
    assert.equal(await asOf('2026-11-10T07:59Z'), undefined);
    assert.equal((await asOf('2026-11-10T08:00Z'))?.price, 7_000);
  });

  test('has the price since its first observation, by the source’s day or else by its own', async () => {
    await observe('2026-11-10T23:30Z', seen(7_000));
    assert.equal((await asOf('2026-11-11T00:00Z'))?.sinceDay, dayNumber('2026-11-11'), 'half past one in Bucharest');
    await observe('2026-11-12T08:00Z', seen(7_100, false, '2026-11-09'));
    const { price, sinceDay, changed } = (await asOf('2026-11-13T00:00Z')) as KnownPrice;
    assert.deepEqual([price, sinceDay, changed], [7_100, dayNumber('2026-11-09'), true]);
  });

  test('is the last stored of several rows of one moment', async () => {
    await observe('2026-11-10T08:00Z', seen(7_000));
    await observe('2026-11-12T08:00Z', seen(7_500));
    await observe('2026-11-12T08:00Z', seen(7_000));
    const { price, sinceDay, changed } = (await asOf('2026-11-13T00:00Z')) as KnownPrice;
    assert.deepEqual([price, sinceDay, changed], [7_000, dayNumber('2026-11-10'), false]);
  });

  test('is missing since the first "missing" row, at its last price', async () => {
    await observe('2026-11-10T08:00Z', seen(7_000));
    await observe('2026-11-11T08:00Z', seen(6_000, true));
    await observe('2026-11-12T08:00Z', seen(7_000, true));
    const { price, missingSince } = (await asOf('2026-11-13T00:00Z')) as KnownPrice;
    assert.deepEqual([price, missingSince], [7_000, at('2026-11-11T08:00Z')]);
    await observe('2026-11-14T08:00Z', seen(7_000));
    const back = (await asOf('2026-11-15T00:00Z')) as KnownPrice;
    assert.deepEqual([back.missingSince, back.sinceDay, back.changed], [null, dayNumber('2026-11-10'), false]);
  });

  test('counts no change for a price after none, and a change for none after a price', async () => {
    await observe('2026-11-10T08:00Z', seen(7_000));
    await observe('2026-11-11T08:00Z', seen(null));
    assert.equal((await asOf('2026-11-11T09:00Z'))?.changed, true);
    await observe('2026-11-12T08:00Z', seen(7_100));
    assert.equal((await asOf('2026-11-12T09:00Z'))?.changed, false);
  });

  test('has the last read of a unit, without runs that failed to read it, and none after a day of silence', async () => {
    const run = (when: string, more: Partial<RunRecord> = {}) => insertRun(database.kysely, runRecord(when, more));
    await run('2026-11-10T08:00Z');
    await run('2026-11-10T10:00Z', { failedUnits: ['2:lpg'] });
    await run('2026-11-10T12:00Z', { outcome: 'set_aside' });
    const readAt = await readTimesAsOf(database.kysely, 'register', at('2026-11-10T13:00Z'));
    assert.equal(readAt('1:lpg'), at('2026-11-10T10:00Z'));
    assert.equal(readAt('2:lpg'), at('2026-11-10T08:00Z'));
    const later = await readTimesAsOf(database.kysely, 'register', at('2026-11-12T13:00Z'));
    assert.equal(later('1:lpg'), null);
  });

  describe('when old observations are removed', () => {
    test('stays the same for every moment of the last two years', async () => {
      const moments = ['2023-06-01', '2024-06-01', '2024-11-21', '2025-06-01', '2026-11-19'];
      await observe('2023-05-01T08:00Z', seen(6_800));
      await observe('2024-05-01T08:00Z', seen(6_900));
      await observe('2025-05-01T08:00Z', seen(7_000));
      const prices = () => Promise.all(moments.map(async (day) => (await asOf(`${day}T12:00Z`))?.price));
      assert.deepEqual(await prices(), [6_800, 6_900, 6_900, 7_000, 7_000]);
      assert.equal(await pruneHistoryAndAlerts(database.kysely, NOW), 1);
      assert.deepEqual(await prices(), [undefined, 6_900, 6_900, 7_000, 7_000]);
      assert.equal(await pruneHistoryAndAlerts(database.kysely, NOW), 0);
    });

    test('keeps the only observation of a price, however old', async () => {
      await observe('2019-05-01T08:00Z', seen(6_800));
      assert.equal(await pruneHistoryAndAlerts(database.kysely, NOW), 0);
      assert.equal((await asOf('2026-11-19T12:00Z'))?.price, 6_800);
    });

    test('loses told changes and states older than 100 days, but not the last state', async () => {
      await database.pool.query(
        `insert into served_changes (seq, version, told_at, station_id, kind, county, city, network)
         select n, 1, $1::timestamptz - n * interval '34 days', 'a', 'station added', '', '', ''
         from generate_series(0, 3) n`,
        [new Date(NOW)],
      );
      await database.pool.query(
        `insert into served_states (number, seq, version, told_at, until)
         select 3 - n, 0, 1, $1::timestamptz - (101 + n) * interval '1 day', $1::timestamptz from generate_series(0, 2) n`,
        [new Date(NOW)],
      );
      await database.pool.query('update change_feed set states = 3');
      assert.equal(await pruneHistoryAndAlerts(database.kysely, NOW), 1 + 2);
      const { rows } = await database.pool.query('select number from served_states');
      assert.deepEqual(rows, [{ number: 3 }]);
    });

    test('loses runs older than 400 days', async () => {
      await insertRun(database.kysely, runRecord(new Date(NOW - 401 * DAY).toISOString()));
      await insertRun(database.kysely, runRecord(new Date(NOW - 399 * DAY).toISOString()));
      assert.equal(await pruneHistoryAndAlerts(database.kysely, NOW), 1);
    });
  });
});

describe('daily prices', () => {
  const none = [null, null, null, null, null, null];
  const row = (prices: (number | null)[], facts: number) => ({
    station: A,
    prices: [...prices, ...none].slice(0, 6),
    facts,
  });
  const stored = async () => (await readDay(database.kysely, TODAY))[0];

  test('from facts replace those of earlier facts and imports, withdrawn prices included', async () => {
    await writeDay(database.kysely, TODAY, [row([7_000, 7_500], 0b11)]);
    await importDays(database.kysely, [{ day: TODAY, ...row([1, 1, 3], 0) }]);
    assert.deepEqual(await stored(), row([7_000, 7_500, 3], 0b11));
    await writeDay(database.kysely, TODAY, [row([null, 7_600, 4], 0b111)]);
    assert.deepEqual(await stored(), row([null, 7_600, 4], 0b111));
  });

  test('from facts leave imported values of fuels without a fact', async () => {
    await importDays(database.kysely, [{ day: TODAY, ...row([1, 2, 3], 0) }]);
    await writeDay(database.kysely, TODAY, [row([7_000], 0b1)]);
    assert.deepEqual(await stored(), row([7_000, 2, 3], 0b1));
  });

  test('from an import replace imported ones, and leave fuels that it does not name', async () => {
    await importDays(database.kysely, [{ day: TODAY, ...row([1, 2], 0) }]);
    await importDays(database.kysely, [{ day: TODAY, ...row([null, 3], 0) }]);
    assert.deepEqual(await stored(), row([1, 3], 0));
  });

  test('give the first known day and all fuels ever known of a station', async () => {
    await writeDay(database.kysely, TODAY, [row([7_000], 1)]);
    await importDays(database.kysely, [
      { day: TODAY - 400, ...row([null, null, null, null, 3_000], 0) },
      { day: TODAY - 500, ...row([], 0) },
    ]);
    await writeDay(database.kysely, TODAY + 1, [row([null, 7_000], 0b11)]);
    assert.deepEqual(await loadFirstDays(database.kysely), [{ station: A, firstDay: TODAY - 400, fuels: 0b010011 }]);
  });

  test('can be stored a hundred thousand at a time', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({ day: TODAY - index, ...row([7_000], 0) }));
    await importDays(database.kysely, many);
    assert.equal((await loadFirstDays(database.kysely))[0]?.firstDay, TODAY - 49_999);
  });
});

describe('source stations', () => {
  const sourceStation: SourceStation = {
    source: 'register',
    key: 'PETROM:1',
    station: A,
    network: 'petrom',
    brand: 'Petrom',
    name: 'Petrom „1”',
    address: "Str. O'Neil, nr. 1; {a,b}",
    lat: 44.4325,
    lng: 26.1039,
    siruta: 179_132,
    locality: null,
    hours: '24/24',
    services: ['Magazin, "mic"', 'Spălătorie'],
    phone: null,
    manual: { name: 'x', franchise: true, priceNote: null },
    seenAt: NOW,
  };
  const save = (changed: Partial<SourceStation>, onlyNew = false) =>
    saveSourceStations(database.kysely, [{ ...sourceStation, ...changed }], onlyNew);

  test('are loaded as they were saved', async () => {
    await save({});
    assert.deepEqual(await loadSourceStations(database.kysely, 'register'), [sourceStation]);
    assert.deepEqual(await loadSourceStations(database.kysely, 'manual'), []);
  });

  test('keep the time of their description until any detail of it changes', async () => {
    await save({});
    await save({ seenAt: NOW + 1_000 });
    assert.equal((await loadSourceStations(database.kysely))[0]?.seenAt, NOW);
    const details: Partial<SourceStation>[] = [
      { phone: '1' },
      { lat: null },
      { services: [] },
      { manual: null },
      { station: B },
    ];
    for (const [index, detail] of details.entries()) {
      await save({ ...detail, seenAt: NOW + index + 2 });
      assert.equal((await loadSourceStations(database.kysely))[0]?.seenAt, NOW + index + 2, JSON.stringify(detail));
    }
  });

  test('are left unchanged by an older run', async () => {
    await save({});
    await save({ name: 'Before', seenAt: NOW - DAY }, true);
    await save({ key: 'PETROM:2', seenAt: NOW - DAY }, true);
    assert.deepEqual(
      (await loadSourceStations(database.kysely)).map(({ key, name }) => [key, name]),
      [
        ['PETROM:1', sourceStation.name],
        ['PETROM:2', sourceStation.name],
      ],
    );
  });
});

function runRecord(when: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    source: 'register',
    at: at(when),
    startedAt: at(when),
    finishedAt: at(when),
    outcome: 'delivered',
    scheduled: true,
    forced: false,
    requests: 1,
    rows: 1,
    rejected: {},
    samples: {},
    matched: 1,
    created: 0,
    ambiguous: [],
    changed: 0,
    failedUnits: [],
    means: {},
    reason: null,
    ...more,
  };
}
