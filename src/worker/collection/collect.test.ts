import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  at,
  type CollectorFixture,
  collectorFixture,
  FakeSource,
  lastRun,
  type SourcePrices,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { listRuns } from '../../store/prices/runs.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();

const EIGHT = '2026-11-20T08:00:00.000Z';
const TEN = '2026-11-20T10:00:00.000Z';
const NOON = '2026-11-20T12:00:00.000Z';
const TWO = '2026-11-20T14:00:00.000Z';

/** Twelve stations with petrol at one price. */
function dozen(price: number): SourcePrices {
  return Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`R${index + 1}`, { petrol: price }]));
}

const without = <T>(stations: Record<string, T>, ...names: string[]) =>
  Object.fromEntries(Object.entries(stations).filter(([name]) => !names.includes(name)));

describe('a run that delivers', () => {
  test('stores stations, facts and the day, and announces a version at its end', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000, lpg: 3_500 } });
    const { runs, version } = await bench.run(EIGHT);

    assert.equal(version, 1);
    assert.deepEqual(
      runs.map(({ source, outcome, rows, created, matched, changed, requests }) => ({
        source,
        outcome,
        rows,
        created,
        matched,
        changed,
        requests,
      })),
      [{ source: 'register', outcome: 'delivered', rows: 2, created: 1, matched: 0, changed: 0, requests: 1 }],
    );
    const world = await storedState(database);
    assert.equal(world.publishedAt, at(EIGHT));
    assert.equal(world.updatedAt, at(EIGHT));
    assert.deepEqual(world.sources, [{ name: 'register', deliveredAt: at(EIGHT), downloadedAt: at(EIGHT) }]);
    assert.deepEqual(
      world.prices.map(({ fuel, price, readAt }) => ({ fuel, price, readAt })),
      [
        { fuel: 'petrol', price: 7_000, readAt: at(EIGHT) },
        { fuel: 'lpg', price: 3_500, readAt: at(EIGHT) },
      ],
    );
    assert.deepEqual(
      world.days.map(({ day, petrol, diesel, lpg, facts }) => ({ day, petrol, diesel, lpg, facts })),
      [{ day: '2026-11-20', petrol: 7_000, diesel: null, lpg: 3_500, facts: 0b010001 }],
    );
  });

  test('an unchanged price adds no row; only the unit is recorded as read', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } }, { day: '2026-11-20' });
    await bench.run(EIGHT);
    await bench.run(TEN);
    const { observations, prices } = await storedState(database);
    assert.equal(observations.length, 1);
    assert.equal(prices[0]?.readAt, at(TEN));
  });

  test('a vanished row becomes missing, a returning row present again, each stored once', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_100 } });
    await bench.run(EIGHT);
    fakeSource.respondsWith({ R2: { petrol: 7_100 } }, { units: { '1:petrol': 'read' } });
    await bench.run(TEN);
    await bench.run(NOON);
    const gone = await storedState(database);
    assert.deepEqual(gone.prices.map(({ missingSince }) => missingSince).sort(), [at(TEN), null]);
    assert.equal(gone.observations.length, 3);
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_100 } });
    await bench.run(TWO);
    const back = await storedState(database);
    assert.deepEqual(
      back.prices.map(({ missingSince }) => missingSince),
      [null, null],
    );
    assert.equal(back.observations.length, 4);
  });

  test('a row that loses its valid price withdraws the price of that source', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_100 } });
    await bench.run(EIGHT);
    fakeSource.respondsWith({ R1: { petrol: null }, R2: { petrol: 7_100 } });
    await bench.run(TEN);
    const { prices, days } = await storedState(database);
    assert.deepEqual(prices.map(({ price }) => price).sort(), [7_100, null]);
    assert.deepEqual(days.map(({ petrol }) => petrol).sort(), [7_100, null]);
  });
});

describe('a run that failed', () => {
  beforeEach(async () => {
    fakeSource.respondsWith(dozen(7_000));
    await bench.run(EIGHT);
  });

  async function changesNothing(order: Parameters<CollectorFixture['run']>[1] = {}): Promise<void> {
    const earlier = await storedState(database);
    const { version } = await bench.run(TEN, order);
    assert.equal(version, null);
    assert.deepEqual(await storedState(database), earlier);
  }

  test('as a whole changes nothing, leaves the time of its source, and records the reason', async () => {
    fakeSource.failsWith('the register is unhealthy');
    await changesNothing();
    const run = await lastRun(database);
    assert.deepEqual([run.outcome, run.reason, run.requests], ['failed', 'the register is unhealthy', 1]);
  });

  test('because fewer than 90 % of its units answered changes nothing, even when forced', async () => {
    fakeSource.respondsWith(dozen(7_100), { units: { '1:petrol': 'failed', '2:petrol': 'failed' } });
    await changesNothing();
    await changesNothing({ force: true });
    const run = await lastRun(database);
    assert.deepEqual([run.outcome, run.reason], ['failed', 'only 10 of 12 units answered']);
    assert.deepEqual(run.failedUnits, ['1:petrol', '2:petrol']);
  });

  test('in one unit keeps that unit’s rows with their time, and orphans none', async () => {
    fakeSource.respondsWith(without(dozen(7_100), 'R3'), { units: { '3:petrol': 'failed' } });
    await bench.run(TEN);
    const { prices } = await storedState(database);
    const kept = prices.filter(({ unit }) => unit === '3:petrol');
    assert.deepEqual(
      kept.map(({ price, readAt, missingSince }) => ({ price, readAt, missingSince })),
      [{ price: 7_000, readAt: at(EIGHT), missingSince: null }],
    );
    assert.ok(
      prices.every(({ unit, price, readAt }) => unit === '3:petrol' || (price === 7_100 && readAt === at(TEN))),
    );
  });
});

describe('a unit that answers "no such thing" though it had rows', () => {
  const refusing = () => fakeSource.respondsWith(without(dozen(7_000), 'R3'), { units: { '3:petrol': 'not-found' } });
  const missing = async () =>
    (await storedState(database)).prices.find(({ unit }) => unit === '3:petrol')?.missingSince;

  beforeEach(async () => {
    fakeSource.respondsWith(dozen(7_000));
    await bench.run(EIGHT);
  });

  test('counts as failed twice and as empty the third time in a row', async () => {
    refusing();
    await bench.run(TEN);
    await bench.run(NOON);
    assert.equal(await missing(), null);
    await bench.run(TWO);
    assert.equal(await missing(), at(TWO));
  });

  test('is counted in runs that such units make fail: more than a tenth of the units are empty the third time', async () => {
    fakeSource.respondsWith(without(dozen(7_000), 'R3', 'R4'), {
      units: { '3:petrol': 'not-found', '4:petrol': 'not-found' },
    });
    const outcomes = [];
    for (const when of [TEN, NOON, TWO]) outcomes.push((await bench.run(when)).runs[0]?.outcome);
    assert.deepEqual(outcomes, ['failed', 'failed', 'delivered']);
    assert.equal(await missing(), at(TWO));
  });

  test('is counted in runs that are set aside', async () => {
    fakeSource.respondsWith(without(dozen(8_200), 'R3'), { units: { '3:petrol': 'not-found' } });
    for (const when of [TEN, NOON]) assert.equal((await bench.run(when)).runs[0]?.outcome, 'set_aside');
    await bench.run(TWO);
    assert.equal(await missing(), at(TWO));
  });

  test('is counted from zero after it answered in a run that failed', async () => {
    refusing();
    await bench.run(TEN);
    await bench.run(NOON);
    fakeSource.respondsWith(dozen(7_000), { units: { '1:petrol': 'failed', '2:petrol': 'failed' } });
    await bench.run(TWO);
    refusing();
    await bench.run('2026-11-20T15:00Z');
    assert.equal(await missing(), null);
  });

  test('is counted from zero after the unit answered or failed in another way', async () => {
    refusing();
    await bench.run(TEN);
    fakeSource.respondsWith(dozen(7_000));
    await bench.run(NOON);
    refusing();
    await bench.run(TWO);
    fakeSource.respondsWith(without(dozen(7_000), 'R3'), { units: { '3:petrol': 'failed' } });
    await bench.run('2026-11-20T15:00Z');
    refusing();
    await bench.run('2026-11-20T16:00Z');
    await bench.run('2026-11-20T17:00Z');
    assert.equal(await missing(), null);
  });

  test('is not counted from zero because of an older run', async () => {
    refusing();
    await bench.run(NOON);
    await bench.run(TWO);
    fakeSource.respondsWith(dozen(7_000));
    await bench.run('2026-11-20T15:00Z', { at: at(TEN), scheduled: false });
    refusing();
    await bench.run('2026-11-20T16:00Z');
    assert.equal(await missing(), at('2026-11-20T16:00Z'));
  });
});

describe('the plausibility check', () => {
  beforeEach(async () => {
    fakeSource.respondsWith(dozen(7_000));
    await bench.run(EIGHT);
    fakeSource.respondsWith(dozen(8_200));
  });

  test('sets a run aside: prices stay, only the time of the last download moves', async () => {
    const earlier = await storedState(database);
    const { runs, version } = await bench.run(TEN);
    assert.deepEqual(
      runs.map(({ outcome, reason }) => [outcome, reason]),
      [['set_aside', '12 of 12 prices moved by more than 15 %']],
    );
    const later = await storedState(database);
    assert.equal(later.version, version);
    assert.deepEqual(later.sources, [{ name: 'register', deliveredAt: at(EIGHT), downloadedAt: at(TEN) }]);
    assert.deepEqual({ ...later, version: 1, sources: earlier.sources }, earlier);
  });

  test('accepts the third run in a row that agrees', async () => {
    const outcomes = [];
    for (const when of [TEN, NOON, TWO]) outcomes.push((await bench.run(when)).runs[0]?.outcome);
    assert.deepEqual(outcomes, ['set_aside', 'set_aside', 'delivered']);
    assert.ok((await storedState(database)).prices.every(({ price }) => price === 8_200));
  });

  test('accepts a forced run at once, and records that it was forced', async () => {
    const { runs } = await bench.run(TEN, { force: true });
    assert.deepEqual([runs[0]?.outcome, runs[0]?.forced], ['delivered', true]);
  });
});

describe('a run dated before one that has delivered', () => {
  test('adds facts and days and changes no current value', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run(TEN);
    const present = await storedState(database);
    fakeSource.respondsWith({ R1: { petrol: 6_900 } });
    const { version } = await bench.run(NOON, { at: at('2026-11-10T10:00Z'), scheduled: false });

    assert.equal(version, 2);
    const { days, observations, prices, ...rest } = await storedState(database);
    const { sources, stations, publishedAt, updatedAt } = present;
    assert.deepEqual(rest, { sources, stations, publishedAt, updatedAt, version: 2 });
    assert.deepEqual(
      prices.map(({ price, readAt }) => ({ price, readAt })),
      [{ price: 7_000, readAt: at(TEN) }],
    );
    assert.deepEqual(
      days.map(({ day, petrol }) => [day, petrol]),
      [
        ['2026-11-10', 6_900],
        ['2026-11-20', 7_000],
      ],
    );
    assert.equal(observations.length, 2);
  });

  test('marks stations that no longer exist as missing since the first later run that read their unit', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } }, { units: { '2:petrol': 'read' } });
    await bench.run(TEN);
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_100 } });
    await bench.run(NOON, { at: at(EIGHT), scheduled: false });
    const { prices } = await storedState(database);
    assert.deepEqual(prices.map(({ price, missingSince }) => [price, missingSince]).sort(), [
      [7_000, null],
      [7_100, at(TEN)],
    ]);
  });

  test('does not move the schedule', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run(TEN);
    await bench.run(NOON, { at: at(EIGHT), scheduled: false });
    const [older, newer] = await listRuns(database.kysely, 2);
    assert.deepEqual([older?.scheduled, newer?.scheduled], [false, true]);
    assert.equal(older?.startedAt, at(NOON));
    assert.equal(older?.at, at(EIGHT));
  });
});

describe('several sources', () => {
  test('one that fails does not affect the others', async () => {
    const other = new FakeSource('rompetrol').failsWith('it answered 403');
    const both = collectorFixture(database, dataDir, [fakeSource.respondsWith({ R1: { petrol: 7_000 } }), other]);
    const { runs, version } = await both.run(EIGHT, { sources: ['rompetrol', 'register'] });
    assert.equal(version, 1);
    assert.deepEqual(runs.map(({ source, outcome }) => `${source} ${outcome}`).sort(), [
      'register delivered',
      'rompetrol failed',
    ]);
    const { sources } = await storedState(database);
    assert.deepEqual(
      sources.map(({ name }) => name),
      ['register'],
    );
  });

  test('each orphans only its own rows', async () => {
    const other = new FakeSource('rompetrol').respondsWith({ R1: { petrol: 7_050 } });
    const both = collectorFixture(database, dataDir, [
      fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { lpg: 3_000 } }),
      other,
    ]);
    await both.run(EIGHT, { sources: ['rompetrol', 'register'] });
    fakeSource.respondsWith({ R2: { lpg: 3_000 } }, { units: { '1:petrol': 'read' } });
    await both.run(TEN);
    const { prices, stations } = await storedState(database);
    assert.equal(stations.length, 2);
    assert.deepEqual(prices.map(({ source, fuel, missingSince }) => `${source} ${fuel} ${missingSince}`).sort(), [
      'register lpg null',
      `register petrol ${at(TEN)}`,
      'rompetrol petrol null',
    ]);
  });
});
