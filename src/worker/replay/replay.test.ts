import assert from 'node:assert/strict';
import { rm, truncate } from 'node:fs/promises';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  at,
  COLLECTION_SETTINGS,
  emptyTables,
  type SourcePrices,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import {
  type ReplayFixtureOptions,
  rebuild,
  replayFixture,
  replayServedDays,
} from '../../../test/support/collection/replay-fixture.ts';
import { nationalPetrol, storedStatistics } from '../../../test/support/collection/stored-statistics.ts';
import { dayNumber } from '../../domain/days.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { archivePath } from '../../sources/archive/archive.ts';
import { takeLease } from '../../store/connection/leases.ts';
import { COLLECT_LEASE } from '../collection/collect.ts';
import { importHistory, importPrices } from '../collection/import.ts';
import { LeaseTaken } from '../collection/lease-errors.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();

const THREE_DAYS: ReplayFixtureOptions = { from: '2026-11-01', to: '2026-11-03' };
const MORNING = {
  '2026-11-01': '2026-11-01T06:00Z',
  '2026-11-02': '2026-11-02T06:00Z',
  '2026-11-03': '2026-11-03T06:00Z',
};

/** Three days with one run each, R1 10 bani more expensive every day. */
async function threeDays(): Promise<void> {
  for (const [index, when] of Object.values(MORNING).entries()) {
    fakeSource.respondsWith({ R1: { petrol: 7_000 + index * 100 }, R2: { petrol: 9_000, diesel: 8_000 } });
    await bench.run(when);
  }
}

/** Stored petrol prices of a station by day; `-` = no row. */
async function petrol(address: string): Promise<(number | null | string)[]> {
  const { days, stations } = await storedState(database);
  const id = stations.find((station) => station.address === address)?.id;
  return Object.keys(MORNING).map((day) => {
    const row = days.find((each) => each.station_id === id && each.day === day);
    return row === undefined ? '-' : row.petrol;
  });
}

const price = fc.constantFrom(7_000, 7_100, 7_200, null);
/** Enough units that one failing unit does not make the run fail. */
const OTHERS: SourcePrices = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`R${10 + index}`, { lpg: 3_000 }]),
);
const somePrices: fc.Arbitrary<SourcePrices> = fc
  .record({ R1: fc.option(price, { freq: 3 }), R2: price })
  .map(({ R1, R2 }) => ({ ...OTHERS, ...(R1 === null ? {} : { R1: { petrol: R1 } }), R2: { petrol: R2 } }));
const runs = fc.uniqueArray(
  fc.record({ hour: fc.integer({ min: 0, max: 90 }), stations: somePrices, failed: fc.boolean(), force: fc.boolean() }),
  { selector: ({ hour }) => hour, minLength: 1, maxLength: 8 },
);

describe('a replay by the rules of the collections', () => {
  test('changes nothing, whatever day it starts on', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.integer({ min: 0, max: 2 }), async (list, skipped) => {
        await emptyTables(database);
        await rm(dataDir, { recursive: true, force: true });
        for (const { hour, stations, failed, force } of list.toSorted((a, b) => a.hour - b.hour)) {
          fakeSource.respondsWith(stations, { units: { '1:petrol': failed ? 'failed' : 'read' } });
          await bench.run(new Date(at('2026-11-01T06:00Z') + hour * 3_600_000).toISOString(), { force });
        }
        fakeSource.respondsWith({ ...OTHERS, R2: { petrol: 7_300 } });
        await bench.run('2026-11-06T06:00Z', { force: true });
        const before = await storedState(database);
        const from = new Date(at('2026-11-01T00:00Z') + skipped * 86_400_000).toISOString().slice(0, 10);
        const { changed, version } = await rebuild(bench, { from, to: '2026-11-05' });
        assert.deepEqual([[...changed], version], [[], null]);
        assert.deepEqual(await storedState(database), before);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

describe('a replay by other rules', () => {
  const NARROW = { ranges: { ...DEFAULT_RANGES, petrol: { min: 5_500, max: 8_500 } } };

  test('rewrites the day values in one publication, and changes no current data', async () => {
    await threeDays();
    const before = await storedState(database);
    const { changed, version } = await rebuild(bench, { ...THREE_DAYS, settings: NARROW });

    assert.deepEqual(
      [...changed],
      Object.keys(MORNING).map((day) => [dayNumber(day), 1]),
    );
    assert.equal(version, before.version + 1);
    assert.deepEqual(await petrol('Strada 1'), [7_000, 7_100, 7_200]);
    assert.deepEqual(await petrol('Strada 2'), [null, null, null]);
    const { days: _, version: __, ...present } = await storedState(database);
    const { days: ___, version: ____, ...then } = before;
    assert.deepEqual(present, then);
    const announced = await database.kysely
      .selectFrom('changed_days')
      .selectAll()
      .where('version', '=', version as number)
      .execute();
    assert.deepEqual(announced.map(({ day }) => day).sort(), Object.keys(MORNING));
  });

  test('makes every cursor of the feed of changes invalid, unless it rewrites nothing', async () => {
    const epoch = async () => (await database.pool.query('select epoch from change_feed')).rows[0].epoch;
    await threeDays();
    await database.pool.query(`update change_feed set epoch = 'epoch_01'`);
    await rebuild(bench, THREE_DAYS);
    assert.equal(await epoch(), 'epoch_01');
    await rebuild(bench, { ...THREE_DAYS, settings: NARROW });
    assert.match(await epoch(), /^(?!epoch_01)[\w-]{8}$/);
  });

  test('gives the same result the second time, and the old values again by the old rules', async () => {
    await threeDays();
    const { days } = await storedState(database);
    await rebuild(bench, { ...THREE_DAYS, settings: NARROW });
    assert.equal((await rebuild(bench, { ...THREE_DAYS, settings: NARROW })).version, null);
    assert.equal((await rebuild(bench, THREE_DAYS)).changed.size, 3);
    assert.deepEqual((await storedState(database)).days, days);
  });

  test('rewrites the statistics of these days', async () => {
    await threeDays();
    await bench.run('2026-11-04T06:00Z');
    const before = await storedStatistics(database);
    await rebuild(bench, { ...THREE_DAYS, settings: NARROW });
    assert.deepEqual(await nationalPetrol(database), {
      '2026-11-01': '1 7000 7000',
      '2026-11-02': '1 7100 7100',
      '2026-11-03': '1 7200 7200',
    });
    await rebuild(bench, THREE_DAYS);
    assert.deepEqual(await storedStatistics(database), before);
  });

  test('publishes days whose values stay, if other values of them are trusted now', async () => {
    await threeDays();
    await bench.run('2026-11-04T06:00Z');
    const before = await storedStatistics(database);
    await sql`update daily_prices set trusted = 0 where day = '2026-11-02'`.execute(database.kysely);
    await sql`delete from day_statistics where day = '2026-11-02'`.execute(database.kysely);
    const { changed, version } = await rebuild(bench, THREE_DAYS);
    assert.deepEqual([[...changed], version], [[], (await storedState(database)).version]);
    assert.deepEqual(await storedStatistics(database), before);
  });

  test('leaves imported days where it reads no fact, and withdraws what an earlier reading had given', async () => {
    await threeDays();
    const ids = (await storedState(database)).stations.map(({ id, address }) => [address, id]);
    const id = Object.fromEntries(ids)['Strada 2'] as string;
    const imported = { where: 'a', day: '2026-11-02', station: id, fuel: 'lpg' as const, price: 3_210 };
    await importHistory(database.kysely, [imported], COLLECTION_SETTINGS, at('2026-11-04T06:00Z'));
    const sweep = fakeSource.source.sweep;
    fakeSource.source.sweep = async (context) => {
      const found = await sweep(context);
      return { ...found, readings: found.readings.filter(({ fuel }) => fuel === 'diesel') };
    };

    const { changed } = await rebuild(bench, { ...THREE_DAYS, to: '2026-11-02' });
    const { days } = await storedState(database);
    const values = days.map(({ day, station_id, petrol: p, diesel, lpg }) => [day, station_id === id, p, diesel, lpg]);
    assert.deepEqual([...changed.values()], [2, 2]);
    assert.deepEqual(
      values.filter(([day]) => day === '2026-11-01' || day === '2026-11-02'),
      [
        ['2026-11-01', true, null, 8_000, null],
        ['2026-11-02', true, null, 8_000, 3_210],
      ],
    );
    assert.equal(values.filter(([day]) => day === '2026-11-03').length, 2);
  });

  test('rewrites whose price was trusted, which alerts compare by', async () => {
    await threeDays();
    const doubtful = { ...NARROW.ranges, diesel: { min: 5_500, max: 7_000 } };
    const relied = async () => {
      const rows = await database.kysely.selectFrom('daily_reliance').select(['day', 'petrol', 'diesel']).execute();
      return rows.filter(({ day }) => day === '2026-11-01').map(({ petrol: p, diesel }) => [p, diesel]);
    };
    assert.deepEqual(
      (await relied()).sort(),
      [
        ['register', 'register'],
        ['register', null],
      ].sort(),
    );
    await rebuild(bench, { ...THREE_DAYS, settings: { ranges: doubtful } });
    assert.deepEqual(
      (await relied()).sort(),
      [
        [null, null],
        ['register', null],
      ].sort(),
    );
  });
});

describe('a day', () => {
  test('begins with what was known before it, and a unit that fails is as old as its last reading', async () => {
    fakeSource.respondsWith({ ...OTHERS, R1: { petrol: 7_000 } });
    await bench.run('2026-11-01T18:00Z');
    fakeSource.respondsWith({ ...OTHERS, R1: { petrol: 7_100 } }, { units: { '1:petrol': 'failed' } });
    await bench.run('2026-11-02T06:00Z');
    const second = { from: '2026-11-02', to: '2026-11-02' };
    const sold = async (today: string) => {
      const [day] = await Array.fromAsync(replayServedDays(bench, { ...second, today }));
      return day?.prices
        .filter(({ fuel }) => fuel === 'benzina_standard')
        .map(({ price: ron, verdict }) => [ron, verdict]);
    };
    assert.deepEqual(await sold('2026-11-02'), [[7, 'relied']]);
    assert.deepEqual(await sold('2026-11-03'), [[null, 'expired']]);
  });

  test('with a missing or incomplete archive is left unchanged and named', async () => {
    await threeDays();
    fakeSource.failsWith('the register is unhealthy');
    await bench.run('2026-11-03T08:00Z');
    await rm(archivePath(dataDir, 'register', at(MORNING['2026-11-02'])));
    const NONE = { ranges: { ...DEFAULT_RANGES, petrol: { min: 1, max: 2 } } };

    const { leftOut } = await rebuild(bench, { from: '2026-10-31', to: '2026-11-03', settings: NONE });
    assert.deepEqual(leftOut, [
      'no archived run',
      null,
      'the archive of register at 2026-11-02T06:00:00+00:00 is missing',
      null,
    ]);
    assert.deepEqual(await petrol('Strada 1'), [null, 7_100, null]);
  });

  test('whose archive is damaged is left unchanged, and the days after it are read', async () => {
    await threeDays();
    await truncate(archivePath(dataDir, 'register', at(MORNING['2026-11-02'])), 20);
    const { leftOut, changed } = await rebuild(bench, { ...THREE_DAYS });
    assert.match(leftOut[1] ?? '', /^the archive .*20261102T060000Z\.ndjson\.zst is damaged: /);
    assert.deepEqual([leftOut[0], leftOut[2], changed.size], [null, null, 0]);
  });

  test('has the manual reports that were imported by its end', async () => {
    await threeDays();
    const [r1] = (await storedState(database)).stations.filter(({ address }) => address === 'Strada 1');
    const report = { where: 'a', station: r1?.id ?? '', fuel: 'lpg' as const, price: 3_300 };
    const observedAt = at('2026-11-03T07:00Z');
    await importPrices(database.kysely, [{ ...report, observedAt }], COLLECTION_SETTINGS, at('2026-11-03T08:00Z'));
    assert.equal((await rebuild(bench, THREE_DAYS)).version, null);
    const days = await Array.fromAsync(replayServedDays(bench, THREE_DAYS));
    assert.deepEqual(
      days.map(({ prices }) => prices.filter(({ fuel }) => fuel === 'gpl').map(({ price, source }) => [price, source])),
      [[], [], [[3.3, 'manual']]],
    );
  });

  test('applies runs that the operator had forced, and reports runs that would be set aside', async () => {
    await threeDays();
    fakeSource.respondsWith({ R1: { petrol: 9_900 }, R2: { petrol: 11_900, diesel: 11_000 } });
    await bench.run('2026-11-03T08:00Z', { force: true });
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 8_000, diesel: 7_000 } });
    await bench.run('2026-11-03T10:00Z');

    const days = await Array.fromAsync(replayFixture(bench, THREE_DAYS));
    assert.deepEqual(days[2]?.setAside, [
      { source: 'register', at: at('2026-11-03T10:00Z'), reason: '3 of 3 prices moved by more than 15 %' },
    ]);
    assert.deepEqual(await petrol('Strada 1'), [7_000, 7_100, 9_900]);
    assert.equal((await rebuild(bench, THREE_DAYS)).version, null);
  });

  test('is compared with delivered runs however many were set aside since, as its collections were', async () => {
    const start = at('2026-11-01T06:00Z');
    for (let run = 0; run < 35; run += 1) {
      // After three whole runs partial ones, no two of which in a row agree.
      fakeSource.respondsWith(Object.fromEntries(Object.entries(OTHERS).slice(0, run < 3 ? 12 : 1 + (run % 5))));
      const { runs: collected } = await bench.run(new Date(start + run * 600_000).toISOString());
      assert.equal(collected[0]?.outcome, run < 3 ? 'delivered' : 'set_aside', `run ${run}`);
    }
    const [day] = await Array.fromAsync(replayFixture(bench, { from: '2026-11-01', to: '2026-11-01' }));
    assert.equal(day?.setAside.length, 32);
  });

  test('counts units that were not found in runs that failed because of them, as its collections did', async () => {
    fakeSource.respondsWith({ ...OTHERS, R1: { petrol: 7_000 }, R2: { petrol: 7_000 } });
    await bench.run('2026-11-01T06:00Z');
    fakeSource.respondsWith(OTHERS, { units: { '1:petrol': 'not-found', '2:petrol': 'not-found' } });
    const outcomes = [];
    for (const hour of ['08', '10', '12']) {
      const { runs: run } = await bench.run(`2026-11-01T${hour}:00Z`);
      outcomes.push(run[0]?.reason);
    }
    const replayed = async () => {
      const [day] = await Array.fromAsync(replayFixture(bench, { from: '2026-11-01', to: '2026-11-01' }));
      return day?.setAside.map(({ reason }) => reason);
    };
    assert.deepEqual(await replayed(), outcomes.slice(0, 2));
    assert.deepEqual(outcomes, ['only 12 of 14 units answered', 'only 12 of 14 units answered', null]);
    for (const hour of ['08', '10']) await rm(archivePath(dataDir, 'register', at(`2026-11-01T${hour}:00Z`)));
    assert.deepEqual(await replayed(), [], 'archives of runs that failed are kept for two days only');
  });

  test('that has not ended is judged at its last run', async () => {
    await threeDays();
    const days = await Array.fromAsync(replayFixture(bench, { ...THREE_DAYS, today: '2026-11-03' }));
    assert.deepEqual(
      days.map(({ now }) => new Date(now).toISOString()),
      ['2026-11-01T21:59:59.999Z', '2026-11-02T21:59:59.999Z', '2026-11-03T06:00:00.000Z'],
    );
  });

  test('ignores sources that are not in service', async () => {
    await threeDays();
    const days = await Array.fromAsync(replayServedDays(bench, { ...THREE_DAYS, settings: { inService: ['manual'] } }));
    assert.deepEqual(
      days.map(({ leftOut, prices }) => [leftOut, prices.length]),
      [1, 2, 3].map(() => ['no archived run', 0]),
    );
  });
});

test('nothing is rewritten while another process collects', async () => {
  await threeDays();
  const lease = await takeLease(database.kysely, COLLECT_LEASE, 'another', 30_000);
  assert.ok(lease);
  await assert.rejects(rebuild(bench, THREE_DAYS), LeaseTaken);
});
