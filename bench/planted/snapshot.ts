/** Faults in the read model: places, figures, the history. */
import type { Fault } from './fault.ts';

const AGGREGATE = 'src/snapshot/aggregate.ts';
const BUILD = 'src/snapshot/build.ts';
const HISTORY = 'src/snapshot/history.ts';
const BUILD_TESTS = ['src/snapshot/build.test.ts'];
const HISTORY_TESTS = ['src/snapshot/history.test.ts'];

export const SNAPSHOT_FAULTS: readonly Fault[] = [
  {
    name: 'mean-over-nulls',
    harm: 'a city without LPG pulls the mean of its county towards zero',
    file: AGGREGATE,
    from: '.filter((price) => price !== null)',
    to: '.map((price) => price ?? 0)',
    tests: BUILD_TESTS,
  },
  {
    name: 'doubtful-prices-count',
    harm: 'a stuck price is the cheapest of the city',
    file: AGGREGATE,
    from: "if (verdict?.kind === 'relied') prices.push",
    to: "if (verdict?.kind === 'relied' || verdict?.kind === 'doubtful') prices.push",
    tests: BUILD_TESTS,
  },
  {
    name: 'city-without-price-listed',
    harm: 'cities without any price are listed, and counted for their county',
    file: AGGREGATE,
    from: 'if (ROAD_FUELS.some((fuel) => prices[fuel] !== null)) cities.push',
    to: 'if (ROAD_FUELS.length > 0) cities.push',
    tests: BUILD_TESTS,
  },
  {
    name: 'cities-by-name',
    harm: 'without a key Abrud is shown and București is not',
    file: AGGREGATE,
    from: 'b.city.population - a.city.population || ',
    to: '',
    tests: BUILD_TESTS,
  },
  {
    name: 'city-by-nearest',
    harm: 'a station on the edge of a town counts for the village next to it',
    file: 'src/snapshot/placing.ts',
    from: 'declared ?? (point ? recall(near, keyOf(point), () => gazetteer.nearestLocality(point)) : undefined)',
    to: '(point ? recall(near, keyOf(point), () => gazetteer.nearestLocality(point)) : undefined) ?? declared',
    tests: ['src/snapshot/placing.test.ts'],
  },
  {
    name: 'records-unsorted',
    harm: 'the order of /statii, and with it the public sample, is arbitrary',
    file: BUILD,
    from: 'judged.sort(byPlace);',
    to: '',
    tests: BUILD_TESTS,
  },
  {
    name: 'out-of-service-served',
    harm: 'a source that was taken out of service is served all the same',
    file: BUILD,
    from: '(inService === null || isInService(fact.source, inService))',
    to: '(inService === null || fact.source.length > 0)',
    tests: BUILD_TESTS,
  },
  {
    name: 'midnight-missed',
    harm: '`data` and the history stay at yesterday until the next publication',
    file: BUILD,
    from: 'nextBucharestMidnight(now)),',
    to: 'Number.POSITIVE_INFINITY),',
    also: [
      {
        file: BUILD,
        from: 'bucharestDay, dayNumber, nextBucharestMidnight }',
        to: 'bucharestDay, dayNumber }',
      },
    ],
    tests: BUILD_TESTS,
  },
  {
    name: 'never-ran-is-not-judged',
    harm: 'health is well though a source in service never delivered',
    file: BUILD,
    from: '(name) => known.find((source) => source.name === name) ?? { name, deliveredAt: null, downloadedAt: null },\n  );',
    to: '(name) => known.find((source) => source.name === name) ?? [],\n  ).flat();',
    tests: BUILD_TESTS,
  },
  {
    name: 'history-without-today',
    harm: 'the last value of every history is null',
    file: HISTORY,
    from: 'if (day === today) return now(fuel);',
    to: '',
    tests: HISTORY_TESTS,
  },
  {
    name: 'history-of-last-quarter',
    harm: 'a day without a price shows the price of 90 days before',
    file: HISTORY,
    from: 'next <= day; next += 1) empty(series, next);',
    to: 'next < day; next += 1) empty(series, next);',
    tests: HISTORY_TESTS,
  },
  {
    name: 'history-91-days',
    harm: 'the oldest day of the window shows the price of today',
    file: HISTORY,
    from: 'return day <= lastDay && day > lastDay - HISTORY_DAYS;',
    to: 'return day <= lastDay && day >= lastDay - HISTORY_DAYS;',
    tests: HISTORY_TESTS,
  },
  {
    name: 'history-overwrites-other-fuels',
    harm: 'an imported day of LPG wipes the petrol of that day',
    file: HISTORY,
    from: 'if (!((mask >> index) & 1)) return;',
    to: '',
    tests: HISTORY_TESTS,
  },
];
