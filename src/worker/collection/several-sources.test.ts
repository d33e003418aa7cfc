import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aFoundStation, onDay } from '../../../test/support/builders/facts-builders.ts';
import {
  at,
  COLLECTION_SETTINGS,
  type CollectorFixture,
  collectorFixture,
  FakeSource,
  setUpCollector,
} from '../../../test/support/collection/collector-fixture.ts';
import type { Fuel, MilliPrice } from '../../domain/fuel.ts';
import { Rejections, type StationDescription } from '../../domain/reports/observation.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { buildSnapshot, priceOf } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { listRuns } from '../../store/prices/runs.ts';
import { findStationBySourceKey } from '../../store/prices/stations.ts';
import type { ConfiguredSource } from './collect.ts';

const { database, dataDir } = setUpCollector();

const EIGHT = '2026-11-20T08:00:00.000Z';
const TEN = '2026-11-20T10:00:00.000Z';
const ALL = ['prices:petrom', 'locator:petrom', 'register'];

/** A source with one page, whose content a test sets. */
class FakePage implements ConfiguredSource {
  readonly parallel = 1;
  readonly source: ConfiguredSource['source'];
  contents: Partial<Sweep> = {};

  constructor(name: string) {
    const sweep = async (): Promise<Sweep> => ({
      stations: [],
      readings: [],
      units: new Map([['all', 'read']]),
      rejections: new Rejections(),
      requests: 1,
      ...this.contents,
    });
    this.source = { name, sweep };
  }

  connect = () => ({ fetch: () => Promise.reject(new Error('unexpected request')), close: async () => undefined });
}

type Fixture = { register: FakeSource; list: FakePage; locator: FakePage; bench: CollectorFixture };

function createFixture(): Fixture {
  const register = new FakeSource('register');
  const list = new FakePage('prices:petrom');
  const locator = new FakePage('locator:petrom');
  return { register, list, locator, bench: collectorFixture(database, dataDir, [list, locator, register]) };
}

/** The places of `FakeSource`: R1 near Bucharest, each further one 11 km further north. */
const place = (number: number, northMetres = 0) => ({ lat: 44.4 + number / 10 + northMetres / 111_195, lng: 26.1 });
const station = (sourceId: string, facts: Partial<StationDescription>) =>
  aFoundStation(sourceId, { siruta: null, ...facts });
const reading = (sourceId: string, fuel: Fuel, price: MilliPrice | null, network = 'petrom') => ({
  sourceId,
  network,
  fuel,
  price,
  observed: onDay('2026-11-20'),
  unit: 'all',
});
const networkPrice = (fuel: Fuel, price: MilliPrice) => ({
  network: 'petrom',
  fuel,
  price,
  observed: onDay('2026-11-20'),
});

/** The served records, one line each: place, fuel, price and source. */
async function served(when: string): Promise<string[]> {
  const facts = await inReadSnapshot(database.kysely, loadFacts);
  const { records } = buildSnapshot({ ...COLLECTION_SETTINGS, facts, now: at(when), history: new PriceHistory() });
  return records
    .map(({ station: { address }, fuel, verdict }) => {
      const source = 'fact' in verdict ? verdict.fact.source : 'none';
      return `${address} ${fuel} ${priceOf(verdict)} ${source}`;
    })
    .sort();
}

test('a station that lies outside the country is not served in the nearest Romanian town', async () => {
  const { locator, register, list, bench } = createFixture();
  const sofia = { lat: 42.69, lng: 23.32 };
  register.respondsWith({ R1: { petrol: 7_000 } });
  list.contents = {
    stations: [station('L1', { ...place(1), address: 'Strada 1' }), station('L2', { ...sofia, address: 'Sofia' })],
    readings: [reading('L1', 'diesel', 7_200), reading('L2', 'diesel', 6_000)],
  };
  locator.contents = {
    stations: [station('F1', { ...sofia, address: 'Sofia' })],
    readings: [reading('F1', 'petrol', null)],
  };
  const { runs } = await bench.run(EIGHT, { sources: ALL });
  assert.deepEqual(
    runs.map(({ source, rejected }) => [source, rejected]),
    [
      ['register', {}],
      ['locator:petrom', { outside_romania: 1 }],
      ['prices:petrom', { outside_romania: 1 }],
    ],
  );
  assert.deepEqual(await served(EIGHT), ['Strada 1 diesel 7200 prices:petrom', 'Strada 1 petrol 7000 register']);
});

describe('a price list', () => {
  test('that corrects an out-of-range price is accepted: no served price has changed', async () => {
    const { list, bench } = createFixture();
    const says = (lpg: MilliPrice, diesel: MilliPrice) => {
      const readings = [reading('L1', 'lpg', lpg), reading('L1', 'petrol', lpg * 2), reading('L1', 'diesel', diesel)];
      list.contents = { stations: [station('L1', place(1))], readings };
    };
    const outcomes = [];
    for (const [when, lpg] of [
      [EIGHT, 4_000],
      [TEN, 40_000],
      ['2026-11-20T12:00:00.000Z', 4_000],
    ] as const) {
      says(lpg, 7_000);
      outcomes.push((await bench.run(when, { sources: ['prices:petrom'] })).runs[0]?.outcome);
    }
    assert.deepEqual(outcomes, ['delivered', 'delivered', 'delivered']);
  });

  test('is read after the sources that know stations, and prices those of its network that sell the fuel', async () => {
    const { register, list, bench } = createFixture();
    register.respondsWith({ R1: { petrol: 7_000, diesel: 7_500 }, R2: { petrol: 7_100 } });
    list.contents = { networkPrices: [networkPrice('petrol', 6_900), networkPrice('lpg', 3_500)] };
    const { runs } = await bench.run(EIGHT, { sources: ['prices:petrom', 'register'] });

    assert.deepEqual(
      runs.map(({ source, rows, matched }) => [source, rows, matched]),
      [
        ['register', 3, 0],
        ['prices:petrom', 2, 0],
      ],
    );
    assert.deepEqual(await served(EIGHT), [
      'Strada 1 diesel 7500 register',
      'Strada 1 petrol 6900 prices:petrom',
      'Strada 2 petrol 6900 prices:petrom',
    ]);
  });

  test('yields to the register once it delivers without the row', async () => {
    const { register, list, bench } = createFixture();
    register.respondsWith({ R1: { petrol: 7_000, diesel: 7_500 } });
    list.contents = { networkPrices: [networkPrice('petrol', 6_900), networkPrice('diesel', 7_400)] };
    await bench.run(EIGHT, { sources: ['prices:petrom', 'register'] });
    list.contents = { networkPrices: [networkPrice('diesel', 7_400)] };
    await bench.run(TEN, { sources: ['prices:petrom'], force: true });

    assert.deepEqual(await served(TEN), ['Strada 1 diesel 7400 prices:petrom', 'Strada 1 petrol 7000 register']);
  });

  test('matches stations by its own ids and by place, and does not price one that changed its network', async () => {
    const { register, list, bench } = createFixture();
    register.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 7_100 } });
    list.contents = {
      stations: [station('one', place(1, 150)), station('two', place(2, 50))],
      readings: [reading('one', 'petrol', 6_900), reading('two', 'petrol', 6_950)],
    };
    await bench.run(EIGHT, { sources: ['prices:petrom', 'register'] });
    assert.deepEqual(await served(EIGHT), ['Strada 1 petrol 6900 prices:petrom', 'Strada 2 petrol 6950 prices:petrom']);
    const named = await findStationBySourceKey(database.kysely, 'prices:petrom:two');
    assert.ok(named !== null);
    assert.equal(named, await findStationBySourceKey(database.kysely, 'register:R2'));
    assert.equal(await findStationBySourceKey(database.kysely, 'prices:petrom'), null);

    await database.kysely
      .updateTable('station_aliases')
      .set({ network: 'mol', brand: 'MOL' })
      .where('source', '=', 'register')
      .where('key', '=', 'R2')
      .execute();
    await bench.run(TEN, { sources: ['prices:petrom'] });
    const [run] = await listRuns(database.kysely, 1);
    assert.deepEqual(run?.rejected, { station_of_other_network: 1 });
    assert.deepEqual(await served(TEN), ['Strada 1 petrol 6900 prices:petrom', 'Strada 2 petrol 7100 register']);
  });

  test('creates no second record of a station without coordinates, and reports it', async () => {
    const { register, list, bench } = createFixture();
    register.respondsWith({ R1: { petrol: 7_000 } });
    const placeless = { lat: null, lng: null };
    list.contents = {
      stations: [
        station('own town', { ...placeless, locality: 'turda', address: 'Turda' }),
        station('no town', placeless),
      ],
      readings: ['own town', 'no town'].map((id) => reading(id, 'petrol', 6_900)),
    };
    const { runs } = await bench.run(EIGHT, { sources: ['register', 'prices:petrom'] });

    assert.deepEqual(runs[1]?.rejected, { unplaced_station: 1 });
    assert.deepEqual(runs[1]?.samples, { unplaced_station: ['Petrom no town'] });
    assert.deepEqual(await served(EIGHT), ['Strada 1 petrol 7000 register', 'Turda petrol 6900 prices:petrom']);
  });
});

describe('a locator', () => {
  test('delivers stations: describes those that others price, and adds unpriced records for the rest', async () => {
    const { register, locator, bench } = createFixture();
    register.respondsWith({ R1: { petrol: 7_000 } });
    const details = { hours: 'Mo-Su 00:00-24:00', services: ['Spălătorie'], phone: '+40 21 000 00 00' };
    locator.contents = {
      stations: [station('S1', { ...place(1, 190), ...details }), station('S9', { ...place(9), address: 'Câmp' })],
      readings: [reading('S1', 'petrol', null), reading('S9', 'petrol', null), reading('S9', 'diesel', null)],
    };
    const { runs } = await bench.run(EIGHT, { sources: ALL.filter((name) => name !== 'prices:petrom') });

    assert.deepEqual(
      runs.map(({ source, outcome, rows, matched, created }) => [source, outcome, rows, matched, created]),
      [
        ['register', 'delivered', 1, 0, 1],
        ['locator:petrom', 'delivered', 2, 1, 1],
      ],
    );
    assert.deepEqual(await served(EIGHT), [
      'Câmp diesel null none',
      'Câmp petrol null none',
      'Strada 1 petrol 7000 register',
    ]);
    const { stations } = await inReadSnapshot(database.kysely, loadFacts);
    const described = stations.find(({ address }) => address === 'Strada 1');
    assert.deepEqual({ hours: described?.hours, services: described?.services, phone: described?.phone }, details);
  });

  test('that is the only one to deliver makes no price newer', async () => {
    const { register, locator, bench } = createFixture();
    register.respondsWith({ R1: { petrol: 7_000 } });
    locator.contents = { stations: [station('S1', place(1))], readings: [reading('S1', 'petrol', null)] };
    await bench.run(EIGHT, { sources: ['register', 'locator:petrom'] });
    register.failsWith('status 503');
    await bench.run(TEN, { sources: ['register', 'locator:petrom'] });
    assert.equal((await inReadSnapshot(database.kysely, loadFacts)).updatedAt, at(EIGHT));
    register.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-20T12:00:00.000Z', { sources: ['register'] });
    assert.equal((await inReadSnapshot(database.kysely, loadFacts)).updatedAt, at('2026-11-20T12:00:00.000Z'));
  });

  test('that suddenly lists few stations is set aside', async () => {
    const { locator, bench } = createFixture();
    const many = (count: number) => Array.from({ length: count }, (_, index) => station(`S${index}`, place(index)));
    locator.contents = {
      stations: many(20),
      readings: many(20).map(({ sourceId }) => reading(sourceId, 'petrol', null)),
    };
    for (const hour of ['08', '10', '12'])
      await bench.run(`2026-11-20T${hour}:00:00.000Z`, { sources: ['locator:petrom'] });
    locator.contents = { stations: many(3), readings: [] };
    const { runs } = await bench.run('2026-11-20T14:00:00.000Z', { sources: ['locator:petrom'] });
    assert.equal(runs[0]?.outcome, 'set_aside');
    assert.equal((await served('2026-11-20T14:00:00.000Z')).length, 20);
  });

  test('corrects the place of a station with suspect coordinates', async () => {
    const { locator } = createFixture();
    const turda = { lat: 46.567, lng: 23.783 };
    const lost = new FakePage('register');
    lost.contents = {
      stations: [aFoundStation('R1', { siruta: 55_259, lat: 44.43, lng: 26.1, address: 'Turda' })],
      readings: [reading('R1', 'petrol', 7_000)],
    };
    locator.contents = { stations: [station('S1', turda)], readings: [reading('S1', 'petrol', null)] };
    const world = collectorFixture(database, dataDir, [lost, locator]);
    await world.run(EIGHT, { sources: ['register', 'locator:petrom'] });

    const facts = await inReadSnapshot(database.kysely, loadFacts);
    const { records } = buildSnapshot({ ...COLLECTION_SETTINGS, facts, now: at(EIGHT), history: new PriceHistory() });
    assert.deepEqual(
      records.map(({ station: { address, lat, lng, suspectCoordinates } }) => [address, lat, lng, suspectCoordinates]),
      [['Turda', turda.lat, turda.lng, false]],
    );
  });
});
