import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  at,
  COLLECTION_SETTINGS,
  FakeSource,
  type SourcePrices,
  setUpCollector,
  stationInLine,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { rebuild } from '../../../test/support/collection/replay-fixture.ts';
import { nationalPetrol } from '../../../test/support/collection/stored-statistics.ts';
import { FUELS } from '../../domain/fuel.ts';
import { importHistory, importPrices, importStations } from './import.ts';

const list = new FakeSource('prices:oscar');
const { database, fakeSource, bench } = setUpCollector(list);

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

describe('a price that its source withdraws', () => {
  const OTHERS: SourcePrices = { R3: { petrol: 7_300 }, R4: { petrol: 7_400 }, R5: { petrol: 7_500 } };
  const sources = ['prices:oscar'];
  /** Two wrong prices: of one fuel of R1, and of all that R2 sells. */
  const withWrongPrices = () =>
    list.respondsWith({ ...OTHERS, R1: { petrol: 5_600, diesel: 8_000 }, R2: { petrol: 5_700 } });
  const corrected = () => list.respondsWith({ ...OTHERS, R1: { diesel: 8_000 } });

  /** What is stored of a day for R1 and R2: price, whose price is trusted, and whether it is trusted, fuel by fuel. */
  async function wrongDay(day: string): Promise<Record<string, string[]>> {
    const { days, stations } = await storedState(database);
    const relied = await database.kysely.selectFrom('daily_reliance').selectAll().where('day', '=', day).execute();
    const valuesAt = (address: string) => {
      const id = stations.find((station) => station.address === address)?.id;
      const row = days.find((each) => each.day === day && each.station_id === id);
      const own = relied.find(({ station_id }) => station_id === id);
      return FUELS.flatMap((fuel, index) => {
        const bits = `${((row?.facts ?? 0) >> index) & 1}${((row?.trusted ?? 0) >> index) & 1}`;
        return bits === '00' && !row?.[fuel] ? [] : [`${fuel} ${row?.[fuel]} ${own?.[fuel]} ${bits}`];
      });
    };
    return { R1: valuesAt('Strada 1'), R2: valuesAt('Strada 2') };
  }

  const WITHDRAWN = { R1: ['petrol null null 10', 'diesel 8000 prices:oscar 11'], R2: ['petrol null null 10'] };

  test('on the same day is in no value, statistics or trust of the day, and a replay agrees', async () => {
    withWrongPrices();
    await bench.run('2026-11-18T08:00Z', { sources });
    corrected();
    await bench.run('2026-11-18T10:00Z', { sources });
    assert.deepEqual(await wrongDay('2026-11-18'), WITHDRAWN);
    await bench.run('2026-11-19T08:00Z', { sources });
    assert.deepEqual(await wrongDay('2026-11-18'), WITHDRAWN);
    assert.deepEqual(await nationalPetrol(database), { '2026-11-18': '3 7300 7500' });
    const { changed, version } = await rebuild(bench, { from: '2026-11-18', to: '2026-11-18' });
    assert.deepEqual([[...changed], version], [[], null]);
  });

  test('and that an earlier version kept is gone when the day is closed', async () => {
    withWrongPrices();
    await bench.run('2026-11-18T08:00Z', { sources });
    const { kysely } = database;
    const kept = await kysely.selectFrom('daily_prices').selectAll().execute();
    corrected();
    await bench.run('2026-11-18T10:00Z', { sources });
    await kysely.deleteFrom('daily_prices').execute();
    await kysely.insertInto('daily_prices').values(kept).execute();
    await bench.run('2026-11-19T08:00Z', { sources });
    assert.deepEqual(await wrongDay('2026-11-18'), WITHDRAWN);
    assert.deepEqual(await nationalPetrol(database), { '2026-11-18': '3 7300 7500' });
  });

  test('on a later day stays the value of the days before', async () => {
    withWrongPrices();
    await bench.run('2026-11-18T22:30Z', { sources });
    corrected();
    await bench.run('2026-11-20T22:30Z', { sources });
    const kept = { R1: ['petrol 5600 prices:oscar 11', 'diesel 8000 prices:oscar 11'] };
    assert.deepEqual(await wrongDay('2026-11-19'), { ...kept, R2: ['petrol 5700 prices:oscar 11'] });
  });

  test('in an older run of that day leaves it, too', async () => {
    withWrongPrices();
    await bench.run('2026-11-18T08:00Z', { sources });
    await bench.run('2026-11-19T08:00Z', { sources });
    assert.equal((await nationalPetrol(database))['2026-11-18'], '5 5600 7500');
    corrected();
    await bench.run('2026-11-19T10:00Z', { sources, at: at('2026-11-18T20:00Z'), scheduled: false });
    assert.deepEqual(await wrongDay('2026-11-18'), WITHDRAWN);
    assert.equal((await nationalPetrol(database))['2026-11-18'], '3 7300 7500');
  });

  test('is announced, so that who has read the day reads it again', async () => {
    withWrongPrices();
    await bench.run('2026-11-18T08:00Z', { sources });
    corrected();
    for (const when of ['2026-11-18T10:00Z', '2026-11-18T11:00Z']) await bench.run(when, { sources });
    const announced = await database.kysely.selectFrom('changed_days').selectAll().execute();
    assert.deepEqual(announced, [{ version: 2, day: '2026-11-18' }]);
  });

  test('leaves imported values of other fuels', async () => {
    withWrongPrices();
    await bench.run('2026-11-18T08:00Z', { sources });
    const station = (await storedState(database)).stations.find(({ address }) => address === 'Strada 2')?.id as string;
    const lpg = { where: 'line 2', day: '2026-11-18', station, fuel: 'lpg' as const, price: 3_600 };
    await importHistory(database.kysely, [lpg], COLLECTION_SETTINGS, at('2026-11-18T09:00Z'));
    corrected();
    await bench.run('2026-11-18T10:00Z', { sources });
    await bench.run('2026-11-19T08:00Z', { sources });
    assert.deepEqual((await wrongDay('2026-11-18')).R2, ['petrol null null 10', 'lpg 3600 null 00']);
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
