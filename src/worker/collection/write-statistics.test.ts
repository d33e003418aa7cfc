import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  at,
  COLLECTION_SETTINGS,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { nationalPetrol, storedStatistics } from '../../../test/support/collection/stored-statistics.ts';
import { dayNumber, startOfBucharestDay } from '../../domain/days.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import { type DayStatistics, scopeOf } from '../../domain/prices/day-statistics.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { StatisticsHistory } from '../../snapshot/statistics-history.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { fillStatistics } from './fill-statistics.ts';
import { importHistory } from './import.ts';

const { database, fakeSource, bench } = setUpCollector();

const imported = (day: string, station: string, price: number) => ({
  where: 'line 2',
  day,
  station,
  fuel: 'petrol' as const,
  price,
});

/** The station at an address of the fake source. */
async function stationAt(address: string): Promise<string> {
  return (await storedState(database)).stations.find((one) => one.address === address)?.id as string;
}

/** Two stations on two days, R1 10 bani more expensive on the second, and a third day that is open. */
async function twoDays(): Promise<void> {
  for (const [day, price] of [7_000, 7_100, 7_200].entries()) {
    fakeSource.respondsWith({ R1: { petrol: price }, R2: { petrol: 7_500, diesel: 8_000 } });
    await bench.run(`2026-11-${18 + day}T08:00Z`);
  }
}

describe('the statistics of a day', () => {
  test('are stored when the next publication closes it', async () => {
    await twoDays();
    assert.deepEqual(await nationalPetrol(database), {
      '2026-11-18': '2 7000 7500',
      '2026-11-19': '2 7100 7500',
    });
  });

  test('are those of the snapshot at its end, for every scope and fuel', async () => {
    fakeSource.respondsWith(
      { R1: { petrol: 7_001, lpg: 3_700 }, R2: { petrol: 7_500, diesel: 8_000 }, R3: { diesel_premium: 8_500 } },
      { north: { R3: 60 } },
    );
    await bench.run('2026-11-18T08:00Z');
    const day = dayNumber('2026-11-18');
    const facts = await inReadSnapshot(database.kysely, loadFacts);
    const end = startOfBucharestDay(day + 1) - 1;
    const atEnd = buildSnapshot({ ...COLLECTION_SETTINGS, facts, now: end, history: new PriceHistory() });
    await bench.run('2026-11-19T08:00Z');
    const stored = new StatisticsHistory();
    const scopes = new Set<ReturnType<typeof scopeOf>>();
    for (const { lists } of await storedStatistics(database)) {
      stored.putDay(day, lists);
      for (const name of lists.names) scopes.add(scopeOf(lists.kind, name));
    }
    const compared: DayStatistics[] = [];
    for (const scope of scopes) {
      for (const fuel of ROAD_FUELS) {
        const series = stored.series(scope, fuel, day + 1);
        assert.deepEqual(series, atEnd.statistics(scope, fuel), `${scope} ${fuel}`);
        compared.push(...series);
      }
    }
    assert.ok(compared.length >= 12, `${compared.length} of ${[...scopes]}`);
  });

  test('leave doubtful prices out', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 6_000 } });
    await bench.run('2026-11-18T08:00Z');
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-18T10:00Z');
    await bench.run('2026-11-19T08:00Z');
    const { days } = await storedState(database);
    assert.deepEqual(
      days
        .map(({ day, petrol }) => `${day} ${petrol}`)
        .toSorted()
        .slice(0, 2),
      ['2026-11-18 6000', '2026-11-18 7000'],
    );
    assert.deepEqual(await nationalPetrol(database), { '2026-11-18': '1 7000 7000' });
  });

  test('are empty on a day whose prices were all withdrawn, and missing after it', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-18T10:00Z');
    await bench.run('2026-11-25T10:00Z');
    assert.deepEqual(await nationalPetrol(database), {
      '2026-11-18': '1 7000 7000',
      '2026-11-19': '',
      '2026-11-20': '',
    });
  });

  test('are the same when the day is closed again', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_500, diesel: 8_000 } });
    await bench.run('2026-11-18T20:00Z');
    await bench.run('2026-11-19T08:00Z');
    const before = await storedStatistics(database);
    await sql`update publication set published_at = '2026-11-18T20:00Z'`.execute(database.kysely);
    await bench.run('2026-11-19T09:00Z');
    assert.deepEqual(await storedStatistics(database), before);
    assert.deepEqual(await nationalPetrol(database), { '2026-11-18': '2 7000 7500' });
  });

  test('follow an older run that rewrites the day', async () => {
    await twoDays();
    fakeSource.respondsWith({ R1: { petrol: 7_050 }, R2: { petrol: 7_400, diesel: 8_000 } });
    await bench.run('2026-11-20T09:00Z', { at: at('2026-11-18T20:00Z'), scheduled: false });
    assert.deepEqual(await nationalPetrol(database), {
      '2026-11-18': '2 7050 7400',
      '2026-11-19': '2 7100 7500',
    });
  });
});

describe('imported daily prices', () => {
  test('count on the days that they fill, and do not replace trusted ones', async () => {
    await twoDays();
    const station = await stationAt('Strada 1');
    const rows = [imported('2026-10-01', station, 6_500), imported('2026-11-18', station, 6_000)];
    await importHistory(database.kysely, rows, COLLECTION_SETTINGS, at('2026-11-20T09:00Z'));
    assert.deepEqual(await nationalPetrol(database), {
      '2026-10-01': '1 6500 6500',
      '2026-11-18': '2 7000 7500',
      '2026-11-19': '2 7100 7500',
    });
  });

  test('do not count where the caller knows that they were doubtful', async () => {
    await twoDays();
    const rows = [
      imported('2026-10-01', await stationAt('Strada 1'), 6_500),
      { ...imported('2026-10-01', await stationAt('Strada 2'), 6_000), doubtful: true },
    ];
    await importHistory(database.kysely, rows, COLLECTION_SETTINGS, at('2026-11-20T09:00Z'));
    assert.equal((await nationalPetrol(database))['2026-10-01'], '1 6500 6500');
    const { days } = await storedState(database);
    assert.deepEqual(
      days
        .filter(({ day }) => day === '2026-10-01')
        .map(({ petrol }) => petrol)
        .toSorted(),
      [6_000, 6_500],
    );
  });

  test('leave the trusted prices of a day in place whose sources are no longer stored', async () => {
    await twoDays();
    const station = await stationAt('Strada 2');
    await sql`delete from daily_reliance`.execute(database.kysely);
    const rows = [{ ...imported('2026-11-18', station, 3_600), fuel: 'lpg' as const }];
    await importHistory(database.kysely, rows, COLLECTION_SETTINGS, at('2026-11-20T09:00Z'));
    assert.equal((await nationalPetrol(database))['2026-11-18'], '2 7000 7500');
  });
});

describe('days stored before there were statistics', () => {
  const fill = (signal = new AbortController().signal) =>
    fillStatistics(database.kysely, COLLECTION_SETTINGS.gazetteer, signal);
  const forget = async () => {
    await sql`delete from day_statistics`.execute(database.kysely);
    await sql`update daily_prices set trusted = null`.execute(database.kysely);
  };

  test('get the same statistics, in publications that announce them; the open day gets none', async () => {
    await twoDays();
    const station = await stationAt('Strada 1');
    const rows = Array.from({ length: 28 }, (_, index) =>
      imported(`2026-10-${String(index + 1).padStart(2, '0')}`, station, 6_500 + index),
    );
    await importHistory(database.kysely, rows, COLLECTION_SETTINGS, at('2026-11-20T09:00Z'));
    const before = await storedStatistics(database);
    const { version, days } = await storedState(database);
    await forget();

    assert.equal(await fill(), 30);
    assert.deepEqual(await storedStatistics(database), before);
    const state = await storedState(database);
    assert.equal(state.version, version + 2);
    assert.deepEqual(
      state.days.filter(({ trusted }) => trusted !== null),
      days.filter(({ day, facts }) => facts > 0 && day < '2026-11-20'),
    );
    const announced = await database.kysely
      .selectFrom('changed_days')
      .select('day')
      .where('version', '>', version)
      .execute();
    assert.equal(announced.length, 30);
    assert.equal(await fill(), 0);
    assert.equal((await storedState(database)).version, version + 2);
  });

  test('have no price in them of which nobody knows whether it was trusted', async () => {
    await twoDays();
    await sql`delete from daily_reliance where day = '2026-11-18'`.execute(database.kysely);
    await forget();
    assert.equal(await fill(), 2);
    assert.deepEqual(await nationalPetrol(database), { '2026-11-18': '', '2026-11-19': '2 7100 7500' });
  });

  test('wait for the next worker when the work is aborted', async () => {
    await twoDays();
    await forget();
    assert.equal(await fill(AbortSignal.abort()), 0);
    assert.deepEqual(await nationalPetrol(database), {});
  });

  test('are none in a new database', async () => assert.equal(await fill(), 0));
});
