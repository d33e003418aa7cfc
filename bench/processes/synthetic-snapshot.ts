/** The snapshot of a synthetic country, with a past for its charts. */
import { DEFAULT_RANGES, type RoadFuel } from '../../src/domain/fuel.ts';
import type { DayStatistics, StatisticsScope } from '../../src/domain/prices/day-statistics.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { factsOf, historyOf, syntheticCountry } from '../../test/support/builders/synthetic-country.ts';

const DAYS = 90;

/** A snapshot of the given number of records; every place has statistics of the last 90 days. */
export function syntheticSnapshot(records: number): Snapshot {
  const world = syntheticCountry(records, Date.now());
  const built = buildSnapshot({
    facts: factsOf(world),
    now: world.now,
    ranges: DEFAULT_RANGES,
    gazetteer: loadGazetteer(),
    history: historyOf(world),
    inService: ['register'],
  });
  const statistics = (_: StatisticsScope, fuel: RoadFuel) => pastOf(built, fuel);
  return { ...built, statistics };
}

/** The figures of the country, moved up and down in steps of a ban. */
function pastOf({ national, today }: Snapshot, fuel: RoadFuel): DayStatistics[] {
  const { min, mean, max } = national[fuel];
  if (min === null || mean === null || max === null) return [];
  return Array.from({ length: DAYS }, (_, index) => {
    const by = 10 * Math.round(8 * Math.sin(index / 6));
    const middle = mean + by;
    return {
      ...{ day: today - DAYS + 1 + index, stations: 20, median: middle, mean: middle },
      ...{ min: min + by, p10: middle - 100, p90: middle + 100, max: max + by },
    };
  });
}
