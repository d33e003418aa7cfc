import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NOON, TODAY } from '../../test/support/builders/snapshot-builders.ts';
import { factsOf, syntheticCountry } from '../../test/support/builders/synthetic-country.ts';
import { deadSource } from '../../test/support/worlds/dead-source.ts';
import { quietDay } from '../../test/support/worlds/quiet-day.ts';
import { STUCK, stuckNetwork } from '../../test/support/worlds/stuck-network.ts';
import { DEFAULT_RANGES, type MilliPrice, ROAD_FUELS, type RoadFuel } from '../domain/fuel.ts';
import type { DayStatistics, StatisticsScope } from '../domain/prices/day-statistics.ts';
import type { PublishedFacts } from '../domain/prices/facts.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { buildSnapshot } from './build.ts';
import { PriceHistory } from './price-history.ts';
import type { Snapshot } from './snapshot.ts';
import { StatisticsHistory } from './statistics-history.ts';

const gazetteer = loadGazetteer();

function build(facts: PublishedFacts, statistics?: StatisticsHistory): Snapshot {
  const input = { facts, now: NOON, ranges: DEFAULT_RANGES, gazetteer, history: new PriceHistory(), inService: null };
  return buildSnapshot(statistics === undefined ? input : { ...input, statistics });
}

/** Today’s statistics. */
function today(snapshot: Snapshot, scope: StatisticsScope, fuel: RoadFuel): DayStatistics | undefined {
  return snapshot.statistics(scope, fuel).find(({ day }) => day === snapshot.today);
}

type Figure = readonly [name: string, ofSnapshot: MilliPrice | null, ofStatistics: MilliPrice | null];

/** Every figure of one fuel that the API answers. */
function figures(snapshot: Snapshot, fuel: RoadFuel): Figure[] {
  const of = (scope: StatisticsScope) => today(snapshot, scope, fuel);
  const { national, cities, counties, networks } = snapshot;
  return [
    [`minimum ${fuel}`, national[fuel].min, of('national')?.min ?? null],
    [`mean ${fuel}`, national[fuel].mean, of('national')?.mean ?? null],
    [`maximum ${fuel}`, national[fuel].max, of('national')?.max ?? null],
    ...cities.map(({ slug, prices }): Figure => [slug, prices[fuel], of(`city:${slug}`)?.min ?? null]),
    ...[...counties.values()].map(
      ({ code, prices }): Figure => [code, prices[fuel], of(`county:${code}`)?.mean ?? null],
    ),
    ...networks.map(
      ({ network, prices }): Figure => [network.slug, prices[fuel], of(`network:${network.slug}`)?.mean ?? null],
    ),
  ];
}

describe('the statistics of the snapshot’s own day', () => {
  const worlds = {
    'a quiet day': quietDay(),
    'a day with a silent source': deadSource(),
    'a day with a stuck network': stuckNetwork(),
    'a country of 6,000 records': factsOf(syntheticCountry(6_000, NOON)),
  };
  for (const [name, facts] of Object.entries(worlds)) {
    test(`are the figures of the API on ${name}`, () => {
      const snapshot = build(facts);
      const all = ROAD_FUELS.flatMap((fuel) => figures(snapshot, fuel));
      assert.ok(all.some(([, expected]) => expected !== null));
      for (const [figure, expected, found] of all) assert.equal(found, expected, figure);
    });
  }

  test('count stations with a trusted price only', () => {
    const snapshot = build(stuckNetwork());
    const verdicts = snapshot.records.filter(({ fuel }) => fuel === 'petrol');
    const trusted = verdicts.filter(({ verdict }) => verdict.kind === 'trusted');
    assert.ok(verdicts.some(({ station, verdict }) => station.id === STUCK && verdict.kind === 'doubtful'));
    assert.equal(today(snapshot, 'national', 'petrol')?.stations, trusted.length);
  });

  test('follow those of past days', () => {
    const past = new StatisticsHistory();
    const one = [7_000];
    const values = { stations: [1], min: one, p10: one, median: one, mean: one, p90: one, max: one };
    for (const day of [TODAY - 1, TODAY, TODAY + 1])
      past.putDay(day, { kind: 'national', fuel: 'petrol', names: [''], ...values });
    const series = build(quietDay(), past).statistics('national', 'petrol');
    assert.deepEqual(
      series.map(({ day, min }) => [day, min]),
      [
        [TODAY - 1, 7_000],
        [TODAY, 7_399],
      ],
    );
  });

  test('are none where no price is trusted', () => {
    const snapshot = build(quietDay());
    assert.deepEqual(snapshot.statistics('national', 'petrol_premium'), []);
    assert.deepEqual(snapshot.statistics('city:iasi', 'petrol'), []);
    assert.deepEqual(snapshot.statistics('network:romoil', 'petrol'), []);
  });
});
