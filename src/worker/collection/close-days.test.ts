import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  at,
  COLLECTION_SETTINGS,
  setUpCollector,
  stationInLine,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { importHistory, importPrices, importStations } from './import.ts';

const { database, fakeSource, bench } = setUpCollector();

/** What is stored of petrol by day. */
async function petrol(): Promise<Record<string, number | null>> {
  return Object.fromEntries((await storedState(database)).days.map((row) => [row.day, row.petrol]));
}

const says = (price: number | null) => fakeSource.respondsWith({ R1: { petrol: price } });

describe('the value of a day', () => {
  test('is the last of the day; a later day does not change it', async () => {
    says(7_000);
    await bench.run('2026-11-18T08:00Z');
    says(7_100);
    await bench.run('2026-11-18T20:00Z');
    says(7_200);
    await bench.run('2026-11-19T08:00Z');
    assert.deepEqual(await petrol(), { '2026-11-18': 7_100, '2026-11-19': 7_200 });
  });

  test('begins and ends at midnight in Bucharest', async () => {
    says(7_000);
    await bench.run('2026-11-18T21:59:59Z');
    says(7_100);
    await bench.run('2026-11-18T22:00:00Z');
    assert.deepEqual(await petrol(), { '2026-11-18': 7_000, '2026-11-19': 7_100 });
  });

  test('of a day without a run is the trusted price until its source falls silent', async () => {
    says(7_000);
    await bench.run('2026-11-18T21:00Z');
    says(7_200);
    await bench.run('2026-11-25T08:00Z');
    // The run of the 18th at 23:00 was 25 hours old when the 19th ended.
    assert.deepEqual(await petrol(), { '2026-11-18': 7_000, '2026-11-25': 7_200 });
  });

  test('is judged at that day’s own end: a price silent since noon has no value a day later', async () => {
    says(7_000);
    await bench.run('2026-11-18T10:00Z');
    says(7_100);
    await bench.run('2026-11-20T10:00Z');
    assert.deepEqual(await petrol(), { '2026-11-18': 7_000, '2026-11-20': 7_100 });
  });

  test('on the day with 23 hours is taken an hour earlier: a source read just before still counts', async () => {
    // Clocks go forward on 29 March 2026: the day lasts from the 28th 22:00Z to the 29th 21:00Z.
    says(7_000);
    await bench.run('2026-03-28T21:30Z');
    says(7_200);
    await bench.run('2026-03-30T08:00Z');
    assert.deepEqual(await petrol(), { '2026-03-28': 7_000, '2026-03-29': 7_000, '2026-03-30': 7_200 });
  });

  test('on the day with 25 hours is taken an hour later', async () => {
    // Clocks go back on 25 October 2026: the day lasts from the 24th 21:00Z to the 25th 22:00Z.
    says(7_000);
    await bench.run('2026-10-25T21:30Z');
    says(7_200);
    await bench.run('2026-10-25T22:00Z');
    assert.deepEqual(await petrol(), { '2026-10-25': 7_000, '2026-10-26': 7_200 });
  });

  test('is computed from the facts before the next run, not from those it brings', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_500 } });
    await bench.run('2026-11-18T20:00Z');
    fakeSource.respondsWith({ R1: { petrol: 7_300 } }, { units: { '2:petrol': 'read' } });
    await bench.run('2026-11-19T01:00Z');
    const { days } = await storedState(database);
    const eighteenth = days.filter(({ day }) => day === '2026-11-18').map((row) => row.petrol);
    assert.deepEqual(eighteenth.sort(), [7_000, 7_500]);
  });
});

describe('a past day', () => {
  beforeEach(async () => {
    says(7_000);
    await bench.run('2026-11-18T08:00Z');
    says(7_100);
    await bench.run('2026-11-18T16:00Z');
    says(7_200);
    await bench.run('2026-11-20T08:00Z');
  });

  const backfill = (when: string) => bench.run('2026-11-20T09:00Z', { at: at(when), scheduled: false });

  test('gets the value of an older run that is its last', async () => {
    says(7_150);
    await backfill('2026-11-18T20:00Z');
    assert.deepEqual(await petrol(), { '2026-11-18': 7_150, '2026-11-20': 7_200 });
  });

  test('keeps its last value when the older run is earlier', async () => {
    says(6_800);
    await backfill('2026-11-18T06:00Z');
    assert.equal((await petrol())['2026-11-18'], 7_100);
  });

  test('keeps its last value when a run between two that agree differs', async () => {
    says(7_100);
    await bench.run('2026-11-20T10:00Z', { at: at('2026-11-18T18:00Z'), scheduled: false });
    says(7_900);
    await backfill('2026-11-18T17:00Z');
    assert.equal((await petrol())['2026-11-18'], 7_100);
  });

  test('without a value is added, without the price of any other day', async () => {
    says(6_500);
    await backfill('2026-11-10T08:00Z');
    assert.deepEqual(await petrol(), { '2026-11-10': 6_500, '2026-11-18': 7_100, '2026-11-20': 7_200 });
  });
});

describe('imported daily prices', () => {
  const row = (day: string, price: number, station: string) => ({
    where: 'line 2',
    day,
    station,
    fuel: 'petrol' as const,
    price,
  });

  test('fill days and fuels without facts only, and facts that come later win', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-18T08:00Z');
    const station = (await storedState(database)).stations[0]?.id as string;
    const rows = [row('2026-11-17', 6_900, station), row('2026-11-18', 6_901, station)];
    const now = at('2026-11-18T09:00Z');
    await importHistory(
      database.kysely,
      [...rows, { ...row('2026-11-18', 6_000, station), fuel: 'diesel' }],
      COLLECTION_SETTINGS,
      now,
    );
    assert.deepEqual(await petrol(), { '2026-11-17': 6_900, '2026-11-18': 7_000 });
    assert.equal((await storedState(database)).days[1]?.diesel, 6_000);

    says(7_777);
    await bench.run('2026-11-18T10:00Z', { at: at('2026-11-17T10:00Z'), scheduled: false });
    assert.deepEqual(await petrol(), { '2026-11-17': 7_777, '2026-11-18': 7_000 });
  });

  test('stay on a day on which the station was listed but nobody reported a price', async () => {
    const now = at('2026-11-18T09:00Z');
    const { station } = await aManualStation(now);
    await importHistory(database.kysely, [row('2026-11-18', 6_900, station)], COLLECTION_SETTINGS, now);
    says(7_000);
    await bench.run('2026-11-19T08:00Z');
    await bench.run('2026-11-20T08:00Z');
    const own = (await storedState(database)).days.filter(({ station_id }) => station_id === station);
    assert.deepEqual(
      own.map(({ day, petrol }) => [day, petrol]),
      [['2026-11-18', 6_900]],
    );
  });

  test('a manual report that repeats its price counts from its own time in a rewritten day', async () => {
    const { station } = await aManualStation(at('2026-11-17T07:00Z'));
    const report = (when: string) => ({
      where: 'line 2',
      station,
      fuel: 'petrol' as const,
      price: 7_000,
      observedAt: at(when),
    });
    await importPrices(database.kysely, [report('2026-11-17T08:00Z')], COLLECTION_SETTINGS, at('2026-11-17T08:00Z'));
    await importPrices(database.kysely, [report('2026-11-18T20:00Z')], COLLECTION_SETTINGS, at('2026-11-18T20:00Z'));
    says(7_100);
    await bench.run('2026-11-20T08:00Z');
    await bench.run('2026-11-20T09:00Z', { at: at('2026-11-18T09:00Z'), scheduled: false });
    const own = (await storedState(database)).days.find(
      (day) => day.station_id === station && day.day === '2026-11-18',
    );
    assert.equal(own?.petrol, 7_000);
  });
});

async function aManualStation(now: number): Promise<{ station: string }> {
  const place = stationInLine('R5');
  const manual = { name: 'Own', franchise: null, priceNote: null };
  const row = {
    ...place,
    sourceId: 'own',
    where: 'line 2',
    siruta: null,
    locality: 'bucuresti',
    manual,
    fuels: ['petrol' as const],
  };
  await importStations(database.kysely, [row], COLLECTION_SETTINGS, now);
  return { station: (await storedState(database)).stations[0]?.id as string };
}
