import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  aKnownStation,
  aSource,
  aStationFact,
  DAY,
  describeVerdict,
  HOUR,
  onDay,
  SIRUTA,
  someFacts,
} from '../../test/support/builders/facts-builders.ts';
import { NOON, TODAY } from '../../test/support/builders/snapshot-builders.ts';
import { deadSource, LISTED, REGISTER_ONLY, REPORTED } from '../../test/support/worlds/dead-source.ts';
import {
  MOL_CLUJ,
  MOL_TURDA,
  PETROM_BUCHAREST,
  PETROM_CLUJ,
  quietDay,
  ROMOIL_BUCHAREST,
} from '../../test/support/worlds/quiet-day.ts';
import { ONLY_STATION, STUCK, STUCK_SINCE, stuckNetwork } from '../../test/support/worlds/stuck-network.ts';
import { runInSlices } from '../concurrency/in-slices.ts';
import { nextBucharestMidnight } from '../domain/days.ts';
import { DEFAULT_RANGES, FUELS, type Fuel, ROAD_FUELS } from '../domain/fuel.ts';
import { NO_PUBLISHED_FACTS, type PublishedFacts, type StoredPrice } from '../domain/prices/facts.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { type BuildInput, buildSnapshot, buildSnapshotInSlices } from './build.ts';
import { PriceHistory } from './price-history.ts';
import type { Snapshot } from './snapshot.ts';

const gazetteer = loadGazetteer();

function inputOf(facts: PublishedFacts, rest: Partial<BuildInput> = {}): BuildInput {
  return { facts, now: NOON, ranges: DEFAULT_RANGES, gazetteer, history: new PriceHistory(), inService: null, ...rest };
}

function build(facts: PublishedFacts, rest: Partial<BuildInput> = {}): Snapshot {
  return buildSnapshot(inputOf(facts, rest));
}

function verdictOf({ records }: Snapshot, station: string, fuel: Fuel = 'petrol'): string {
  return describeVerdict(records.find((record) => record.station.id === station && record.fuel === fuel)?.verdict);
}

/** A snapshot of one station with these facts and nothing else. */
function factsOfOneStation(prices: Partial<Record<Fuel, Partial<StoredPrice>>>, brand = 'Petrom'): PublishedFacts {
  const facts = Object.entries(prices).map(([fuel, fact]) => aStationFact('a', fuel as Fuel, 7_450, fact));
  return someFacts({ stations: [aKnownStation('a', brand)], prices: facts });
}

/** The verdicts and figures, without fields that differ between equal builds. */
function content({ history: _, statistics: ____, now: __, nextChangeAt: ___, records, counties, ...rest }: Snapshot) {
  return {
    ...rest,
    records: records.map(({ station, fuel, verdict }) => ({ station, fuel, verdict })),
    counties: [...counties],
  };
}

describe('on a quiet day', () => {
  const snapshot = build(quietDay());

  it('every price is trusted', () => {
    assert.ok(snapshot.records.every(({ verdict }) => verdict.kind === 'trusted'));
  });

  it('records are sorted by county name, city, station id and fuel, AdBlue last', () => {
    assert.deepEqual(
      snapshot.records.map(({ station, fuel }) => `${station.countyName}/${station.city}/${station.id}/${fuel}`),
      [
        `Bucuresti/Bucuresti/${PETROM_BUCHAREST}/petrol`,
        `Bucuresti/Bucuresti/${PETROM_BUCHAREST}/lpg`,
        `Bucuresti/Bucuresti/${ROMOIL_BUCHAREST}/adblue`,
        `Cluj/Cluj-Napoca/${PETROM_CLUJ}/petrol`,
        `Cluj/Cluj-Napoca/${PETROM_CLUJ}/diesel`,
        `Cluj/Cluj-Napoca/${MOL_CLUJ}/petrol`,
        `Cluj/Cluj-Napoca/${MOL_CLUJ}/adblue`,
        `Cluj/Turda/${MOL_TURDA}/petrol`,
        `Cluj/Turda/${MOL_TURDA}/diesel`,
      ],
    );
  });

  it('each city has its cheapest prices, the largest city first', () => {
    assert.deepEqual(
      snapshot.cities.map(({ slug, county, prices }) => [slug, county, prices.petrol, prices.diesel, prices.lpg]),
      [
        ['bucuresti', 'B', 7_600, null, 3_690],
        ['cluj-napoca', 'CJ', 7_399, 7_890, null],
        ['turda', 'CJ', 7_504, 7_950, null],
      ],
    );
  });

  it('a larger city comes before a smaller one whatever their names', () => {
    const stations = [
      aKnownStation('a', 'Petrom', { locality: 'abrud' }),
      aKnownStation('b', 'Petrom', { locality: 'zalau' }),
    ];
    const prices = stations.map(({ id }) => aStationFact(id, 'petrol', 7_450));
    assert.deepEqual(
      build(someFacts({ stations, prices })).cities.map(({ slug }) => slug),
      ['zalau', 'abrud'],
    );
  });

  it('each network with a station has its means, by name, even where it sells no road fuel', () => {
    assert.deepEqual(
      snapshot.networks.map(({ network, prices }) => [network.name, prices.petrol, prices.diesel, prices.lpg]),
      [
        // (7.399 + 7.504) / 2 = 7.4515
        ['MOL', 7_450, 7_950, null],
        ['Petrom', 7_530, 7_890, 3_690],
        ['Romoil', null, null, null],
      ],
    );
  });

  it('all 42 counties are listed, with their number of cities and the means of the cities’ minima', () => {
    assert.equal(snapshot.counties.size, 42);
    const cluj = snapshot.counties.get('CJ');
    // (7.399 + 7.504) / 2 = 7.4515, (7.890 + 7.950) / 2
    assert.deepEqual([cluj?.cities, cluj?.prices.petrol, cluj?.prices.diesel], [2, 7_450, 7_920]);
    const iasi = snapshot.counties.get('IS');
    assert.deepEqual([iasi?.cities, iasi?.prices.petrol], [0, null]);
  });

  it('the country has its minimum, mean and maximum over stations', () => {
    // (7.450 + 7.399 + 7.504 + 7.600) / 4 = 7.48825
    assert.deepEqual(snapshot.national.petrol, { min: 7_399, mean: 7_490, max: 7_600 });
    assert.deepEqual(snapshot.national.petrol_premium, { min: null, mean: null, max: null });
    assert.deepEqual(Object.keys(snapshot.national), [...ROAD_FUELS]);
  });

  it('the counts cover stations, and records and prices including AdBlue', () => {
    assert.deepEqual(snapshot.counts, {
      records: 9,
      recordsWithPrice: 9,
      pricesWithoutDay: 0,
      oldestObservation: '2026-11-19',
      stations: 5,
      stationsWithPrice: 5,
    });
  });

  it('the snapshot names its publication and time', () => {
    const { version, now, today, updatedAt } = snapshot;
    assert.deepEqual(
      { version, now, today, updatedAt },
      { version: 7, now: NOON, today: TODAY, updatedAt: NOON - HOUR / 2 },
    );
  });

  it('the day is that of Bucharest: the next one from 22:00 UTC', () => {
    assert.equal(build(quietDay(), { now: Date.parse('2026-11-20T21:59:59.999Z') }).today, TODAY);
    assert.equal(build(quietDay(), { now: Date.parse('2026-11-20T22:00:00Z') }).today, TODAY + 1);
  });

  it('is the same when it is built in slices', async () => {
    assert.deepEqual(content(await runInSlices(buildSnapshotInSlices(inputOf(quietDay())))), content(snapshot));
  });

  it('the snapshot does not depend on the order of the facts', () => {
    const world = quietDay();
    const turned = quietDay({ stations: world.stations.toReversed(), prices: world.prices.toReversed() });
    assert.deepEqual(content(build(turned)), content(snapshot));
  });

  it('the history of a station ends with the price being served', () => {
    const history = new PriceHistory();
    history.putDay({ station: MOL_CLUJ, prices: FUELS.map((fuel) => (fuel === 'petrol' ? 7_300 : null)) }, TODAY - 1);
    const series = build(quietDay(), { history }).history(MOL_CLUJ);
    assert.deepEqual([series?.price('petrol', TODAY - 1), series?.price('petrol', TODAY)], [7_300, 7_399]);
    assert.deepEqual(series?.fuels, ['petrol', 'adblue']);
    assert.equal(snapshot.history('ffffffffffff'), undefined);
  });
});

describe('with a silent source', () => {
  const snapshot = build(deadSource());

  it('its prices are withdrawn, whatever other sources still deliver', () => {
    assert.equal(verdictOf(snapshot, REGISTER_ONLY), 'expired');
  });

  it('another source’s price and a fresh report replace them', () => {
    assert.equal(verdictOf(snapshot, LISTED), '7450 trusted (prices:petrom)');
    assert.equal(verdictOf(snapshot, REPORTED), '7500 trusted (manual)');
  });

  it('a report older than 24 h is withdrawn', () => {
    assert.equal(verdictOf(snapshot, REPORTED, 'diesel'), 'expired');
  });

  it('withdrawn prices count in no figure', () => {
    assert.deepEqual(snapshot.national.petrol, { min: 7_450, mean: 7_480, max: 7_500 });
    assert.equal(snapshot.national.diesel.min, null);
    assert.equal(snapshot.cities[0]?.prices.petrol, 7_450);
    assert.deepEqual([snapshot.counts.records, snapshot.counts.recordsWithPrice], [4, 2]);
    assert.deepEqual([snapshot.counts.stations, snapshot.counts.stationsWithPrice], [3, 2]);
  });

  it('today’s value in the history is null', () => {
    assert.equal(snapshot.history(REGISTER_ONLY), undefined);
  });
});

describe('with a stuck network', () => {
  const snapshot = build(stuckNetwork());

  it('an unchanged price is served as stuck since its day', () => {
    assert.equal(verdictOf(snapshot, STUCK), `7000 stuck ${STUCK_SINCE} (register)`);
  });

  it('a network with too few stations is not stuck', () => {
    assert.equal(verdictOf(snapshot, ONLY_STATION), '7100 trusted (register)');
  });

  it('the stuck price counts in no minimum, mean or maximum', () => {
    assert.equal(snapshot.national.petrol.min, 7_100);
    assert.equal(snapshot.networks.find(({ network }) => network.slug === 'mol')?.prices.petrol, 7_500);
    assert.equal(snapshot.cities[0]?.prices.petrol, 7_100);
    assert.equal(snapshot.counts.recordsWithPrice, 6);
  });

  it('stations of other networks, fuels and sources, and silent or vanished ones, make no price stuck', () => {
    const world = stuckNetwork();
    const elsewhere = (change: (fact: StoredPrice) => Partial<StoredPrice>): PublishedFacts => ({
      ...world,
      prices: world.prices.map((fact) => (fact.station === STUCK ? fact : { ...fact, ...change(fact) })),
    });
    const stuck = (facts: PublishedFacts) => verdictOf(build(facts), STUCK) !== '7000 trusted (register)';

    assert.equal(stuck(world), true);
    assert.equal(stuck(elsewhere(() => ({ fuel: 'diesel' }))), false);
    assert.equal(stuck(elsewhere(() => ({ source: 'prices:mol' }))), false);
    assert.equal(stuck(elsewhere(() => ({ readAt: NOON - DAY - 1 }))), false);
    assert.equal(stuck(elsewhere(() => ({ missingSince: NOON - HOUR }))), false);
    const others = world.stations.map((one) => (one.id === STUCK ? one : aKnownStation(one.id, 'OMV')));
    assert.equal(stuck({ ...world, stations: others }), false);
  });
});

describe('the figures', () => {
  it('leave out AdBlue and every doubtful, incoherent or invalid price', () => {
    const snapshot = build(
      factsOfOneStation({
        petrol: { price: 7_450, observed: onDay('2026-11-01') },
        petrol_premium: { price: 12_001 },
        diesel: { price: 8_000 },
        diesel_premium: { price: 7_999 },
        adblue: { price: 5_000 },
      }),
    );

    assert.deepEqual(
      snapshot.records.map(({ verdict }) => verdict.kind),
      ['doubtful', 'unknown', 'trusted', 'incoherent', 'trusted'],
    );
    const prices = { petrol: null, petrol_premium: null, diesel: 8_000, diesel_premium: null, lpg: null };
    assert.deepEqual(snapshot.cities[0]?.prices, prices);
    assert.deepEqual(snapshot.networks[0]?.prices, prices);
    assert.deepEqual(snapshot.counties.get('CJ')?.prices, prices);
    for (const fuel of ROAD_FUELS) {
      assert.deepEqual(snapshot.national[fuel], { min: prices[fuel], mean: prices[fuel], max: prices[fuel] });
    }
  });

  it('leave out a city without a trusted price, also from its county', () => {
    const snapshot = build(factsOfOneStation({ petrol: { missingSince: NOON - HOUR }, adblue: { price: 5_000 } }));
    assert.deepEqual(snapshot.cities, []);
    assert.equal(snapshot.counties.get('CJ')?.cities, 0);
    assert.equal(snapshot.networks.length, 1);
  });

  it('compare premium and standard after the source of each is chosen', () => {
    const facts = factsOfOneStation({ petrol: { price: 7_500 } });
    const premium = (source: string, price: number) => aStationFact('a', 'petrol_premium', price, { source });
    const prices = [...facts.prices, premium('register', 7_400), premium('rompetrol', 8_100)];
    assert.equal(verdictOf(build({ ...facts, prices }), 'a', 'petrol_premium'), 'incoherent');
  });

  it('count prices without a day and name the oldest day', () => {
    const { counts } = build(
      factsOfOneStation({
        petrol: { observed: null },
        diesel: { observed: onDay('2026-11-02') },
        lpg: { price: null, observed: onDay('2026-01-01') },
      }),
    );
    assert.deepEqual([counts.pricesWithoutDay, counts.oldestObservation], [1, '2026-11-02']);
    assert.deepEqual([counts.records, counts.recordsWithPrice], [3, 2]);
  });

  it('equal integer arithmetic over the trusted prices', () => {
    const aPrice = fc.record({
      station: fc.integer({ min: 0, max: 9 }),
      fuel: fc.constantFrom(...FUELS),
      price: fc.oneof(fc.integer({ min: 5_400, max: 6_100 }), fc.integer({ min: 900, max: 14_000 })),
      missing: fc.boolean(),
    });
    const cities = [SIRUTA.cluj, SIRUTA.turda, SIRUTA.iasi];
    const stations = Array.from({ length: 10 }, (_, index) =>
      aKnownStation(`f0000000000${index}`, ['MOL', 'Petrom'][index % 2], { siruta: cities[index % 3] as number }),
    );
    const selector = (fact: { station: number; fuel: Fuel }) => `${fact.station} ${fact.fuel}`;
    fc.assert(
      fc.property(fc.uniqueArray(aPrice, { selector, maxLength: 40 }), (list) => {
        const prices = list.map(({ station, fuel, price, missing }) =>
          aStationFact(`f0000000000${station}`, fuel, price, { missingSince: missing ? NOON - HOUR : null }),
        );
        const snapshot = build(someFacts({ stations, prices }));
        for (const fuel of ROAD_FUELS) {
          const relied = snapshot.records.flatMap(({ station, fuel: own, verdict }) =>
            own === fuel && verdict.kind === 'trusted' ? [{ station, price: verdict.price }] : [],
          );
          const all = relied.map(({ price }) => price);
          assert.deepEqual(snapshot.national[fuel], { min: least(all), mean: exactMean(all), max: most(all) });
          for (const { network, prices: means } of snapshot.networks) {
            const own = relied.filter(({ station }) => station.network.slug === network.slug);
            assert.equal(means[fuel], exactMean(own.map(({ price }) => price)));
          }
          const minima = snapshot.cities.map((city) => {
            const own = relied.filter(({ station }) => station.city === city.name).map(({ price }) => price);
            assert.equal(city.prices[fuel], least(own));
            return { county: city.county, price: city.prices[fuel] };
          });
          for (const { code, prices: means } of snapshot.counties.values()) {
            const own = minima.flatMap(({ county, price }) => (county === code && price !== null ? [price] : []));
            assert.equal(means[fuel], exactMean(own));
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  function least(prices: readonly number[]): number | null {
    return prices.length === 0 ? null : Math.min(...prices);
  }

  function most(prices: readonly number[]): number | null {
    return prices.length === 0 ? null : Math.max(...prices);
  }

  function exactMean(prices: readonly number[]): number | null {
    if (prices.length === 0) return null;
    const sum = prices.reduce((total, price) => total + BigInt(price), 0n);
    const count = BigInt(prices.length);
    return Number((sum + 5n * count) / (10n * count)) * 10;
  }
});

describe('the map', () => {
  it('loses an orphan’s record after 90 days, and the station with its last record', () => {
    const facts = factsOfOneStation({
      petrol: { missingSince: NOON - 90 * DAY - 1 },
      diesel: { missingSince: NOON - 90 * DAY },
    });
    const snapshot = build(facts);
    assert.deepEqual(
      snapshot.records.map(({ fuel, verdict }) => [fuel, verdict.kind]),
      [['diesel', 'unknown']],
    );
    assert.equal(build(facts, { now: NOON + 1 }).counts.stations, 0);
  });

  it('immediately loses a row that a source other than the register no longer has', () => {
    const gone = { source: 'prices:mol', missingSince: NOON - 1 };
    assert.deepEqual(build(factsOfOneStation({ petrol: gone })).records, []);
    assert.deepEqual(build(factsOfOneStation({ petrol: { ...gone, source: 'locator:mol', price: null } })).records, []);
  });

  it('shows a locator’s records only of stations that no other source has', () => {
    const pin = (station: string, fuel: Fuel) => aStationFact(station, fuel, null, { source: 'locator:mol' });
    const facts = someFacts({
      stations: [aKnownStation('a'), aKnownStation('b')],
      prices: [aStationFact('a', 'petrol', 7_450), pin('a', 'petrol'), pin('a', 'diesel'), pin('b', 'lpg')],
    });
    const shown = (snapshot: Snapshot) => snapshot.records.map(({ station, fuel }) => `${station.id} ${fuel}`);
    assert.deepEqual(shown(build(facts)), ['a petrol', 'b lpg']);
    assert.deepEqual(shown(build(facts, { inService: ['locator:mol'] })), ['a petrol', 'a diesel', 'b lpg']);
    assert.equal(verdictOf(build(facts), 'b', 'lpg'), 'unknown');
    assert.deepEqual(build(facts).locatorFuels.get('a'), new Set(['petrol', 'diesel']));
    assert.deepEqual(build(facts, { inService: ['register'] }).locatorFuels, new Map());
  });

  it('has no station without a fuel from any source', () => {
    assert.deepEqual(build(someFacts({ stations: [aKnownStation('a')] })).records, []);
  });

  it('places a station of an unknown unit by its coordinates', () => {
    const facts = someFacts({
      stations: [aKnownStation('a', 'MOL', { siruta: 1, lat: 46.567, lng: 23.783 })],
      prices: [aStationFact('a', 'petrol', 7_450)],
    });
    const { cities, records } = build(facts);
    assert.equal(cities[0]?.slug, 'turda');
    assert.equal(records[0]?.station.city, 'Turda');
  });

  it('leaves a station without city or county out of the city list, but counts it for the country', () => {
    const nowhere = { siruta: null, lat: null, lng: null };
    const { cities, national, records } = build(
      someFacts({ stations: [aKnownStation('a', 'MOL', nowhere)], prices: [aStationFact('a', 'petrol', 7_450)] }),
    );
    assert.deepEqual(cities, []);
    assert.equal(national.petrol.min, 7_450);
    assert.deepEqual([records[0]?.station.city, records[0]?.station.countyName], ['', '']);
  });

  it('keeps two cities of one name apart', () => {
    const facts = someFacts({
      stations: [aKnownStation('a', 'MOL', { siruta: 9_280 }), aKnownStation('b', 'MOL', { siruta: 147_465 })],
      prices: [aStationFact('a', 'petrol', 7_450), aStationFact('b', 'petrol', 7_500)],
    });
    assert.deepEqual(
      build(facts).cities.map(({ name, slug, county }) => [name, slug, county]),
      [
        ['Fantanele', 'fantanele', 'AR'],
        ['Fantanele', 'fantanele-suceava', 'SV'],
      ],
    );
  });
});

describe('sources in service', () => {
  const names = (snapshot: Snapshot) => snapshot.sources.map(({ name }) => name);

  it('are the only ones served and checked; manual reports are always served and never checked', () => {
    const snapshot = build(deadSource(), { inService: ['register'] });
    assert.equal(verdictOf(snapshot, LISTED), 'expired');
    assert.equal(verdictOf(snapshot, REPORTED), '7500 trusted (manual)');
    assert.deepEqual(names(snapshot), ['register']);
  });

  it('are checked for health even if they never ran, unlike locators', () => {
    const snapshot = build(quietDay(), { inService: ['rompetrol', 'register', 'manual', 'locator:mol'] });
    assert.deepEqual(snapshot.sources, [aSource('rompetrol', null), aSource('register')]);
  });

  it('are all that the store has if none is named, with none to check', () => {
    const snapshot = build(quietDay());
    assert.equal(snapshot.records.length, 9);
    assert.deepEqual(names(snapshot), []);
  });
});

describe('before anything was published', () => {
  it('the snapshot is complete and empty', () => {
    const { version, records, cities, networks, counties, national, nextChangeAt } = build(NO_PUBLISHED_FACTS, {
      inService: ['register'],
    });
    assert.deepEqual([version, records, cities, networks], [0, [], [], []]);
    assert.equal(counties.size, 42);
    assert.deepEqual(national.petrol, { min: null, mean: null, max: null });
    assert.equal(nextChangeAt, nextBucharestMidnight(NOON));
  });
});

describe('the next change', () => {
  it('is midnight in Bucharest on a quiet day', () => {
    const { nextChangeAt } = build(quietDay());
    assert.equal(nextChangeAt, Date.parse('2026-11-20T22:00:00Z'));
  });

  it('is the moment when the first report or source becomes silent, if that is earlier', () => {
    assert.equal(build(factsOfOneStation({ petrol: { readAt: NOON - 23 * HOUR } })).nextChangeAt, NOON + HOUR + 1);
  });

  it('depends on facts in service only', () => {
    const facts = factsOfOneStation({ petrol: { readAt: NOON - 23 * HOUR } });
    assert.equal(build(facts, { inService: [] }).nextChangeAt, nextBucharestMidnight(NOON));
  });

  it('is never later than the first difference', () => {
    const world = stuckNetwork();
    const ago = fc.array(fc.integer({ min: 0, max: 26 * HOUR }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(ago, fc.double({ min: 0, max: 1, noNaN: true }), (silence, part) => {
        const prices = world.prices.map((fact, index) => ({ ...fact, readAt: NOON - (silence[index] as number) }));
        const facts = { ...world, prices };
        const now = build(facts);
        const later = NOON + Math.floor((now.nextChangeAt - 1 - NOON) * part);
        assert.deepEqual(content(build(facts, { now: later })), content(now));
        assert.deepEqual(content(build(facts, { now: now.nextChangeAt - 1 })), content(now));
      }),
      { numRuns: 100 },
    );
  });
});
