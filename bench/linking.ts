/** Several sources become one country: a snapshot over six of them, and matching their stations. */

import { DEFAULT_RANGES } from '../src/domain/fuel.ts';
import type { PublishedFacts, StoredPrice } from '../src/domain/prices/facts.ts';
import type { StationDescription } from '../src/domain/reports/observation.ts';
import { linkStations } from '../src/domain/stations/link-stations.ts';
import { describeStations, type SourceStation } from '../src/domain/stations/source-station.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { randomFraction, randomInteger } from '../src/simulation/country/seeded-random.ts';
import { buildSnapshot } from '../src/snapshot/build.ts';
import { PriceHistory } from '../src/snapshot/price-history.ts';
import { finishReport, heading, median, note, reportMetric } from '../test/support/benchmark-report.ts';
import { factsOf, type SyntheticCountry, syntheticCountry } from '../test/support/builders/synthetic-country.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const STATIONS = 2_000;
const ROWS = 10_000;
const MANY = 50_000;
const ROUNDS = 15;
const SEED = 5;
/** Each station sells a little more than four fuels. */
const RECORDS_A_STATION = 4.25;

/** The sources besides the register, and the networks of their stations. */
const OTHERS = [
  { source: 'prices:socar', brands: ['socar'] },
  { source: 'rompetrol', brands: ['rompetrol'] },
  { source: 'locator:omv', brands: ['omv'] },
  { source: 'locator:mol', brands: ['mol'] },
  { source: 'manual', brands: ['gazprom', 'lukoil'] },
];

const gazetteer = loadGazetteer();

heading('Many sources: a snapshot over six sources, and matching');
const facts = sixSources(country(STATIONS));
note(
  `${facts.stations.length} stations, ${facts.prices.length} rows of ${new Set(facts.prices.map(({ source }) => source)).size} sources`,
);
const history = new PriceHistory();
const build = () => buildSnapshot({ facts, now: NOW, ranges: DEFAULT_RANGES, gazetteer, history, inService: null });
const begun = performance.now();
build();
reportMetric('the first snapshot of a process', performance.now() - begun, 'ms', { most: 500 });
reportMetric('every later one', milliseconds(build), 'ms', { most: 500 });

const few = matchingMs(country(STATIONS).sourceStations);
reportMetric(`${STATIONS} rows to ${STATIONS} stations`, few, 'ms', { most: 200 });
const many = sideBySide(country(STATIONS).sourceStations, MANY / STATIONS);
const more = matchingMs(many);
reportMetric(`${many.length} rows to as many, the country ${MANY / STATIONS} times side by side`, more, 'ms');
// Linear would be 1: the rest is memory, with tables larger than the CPU cache and more garbage to collect.
reportMetric('for each row, of what it is with few', more / few / (MANY / STATIONS), '×', { most: 4 });
reportMetric(
  `${MANY} in one country: 25 times as many at each crossroads`,
  matchingMs(country(MANY).sourceStations),
  'ms',
);
finishReport();

function milliseconds(work: () => unknown, rounds = ROUNDS): number {
  return median(
    Array.from({ length: rounds }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}

/** About `stations` stations, where people live. */
function country(stations: number): SyntheticCountry {
  return syntheticCountry(Math.ceil(stations * RECORDS_A_STATION), NOW);
}

/** The country from the register, with five more sources for some of its stations. */
function sixSources(world: SyntheticCountry): PublishedFacts {
  const base = factsOf(world);
  const others: StoredPrice[] = [];
  const sourceStations: SourceStation[] = [...world.sourceStations];
  for (const { source, brands } of OTHERS) {
    const own = world.sourceStations.filter(({ network }) => brands.includes(network));
    sourceStations.push(
      ...own.map((sourceStation) => ({ ...sourceStation, source, key: `${source} ${sourceStation.key}` })),
    );
    const stations = new Set(own.map(({ station }) => station));
    const priced = !source.startsWith('locator:');
    for (const fact of base.prices) {
      if (!stations.has(fact.station)) continue;
      const price =
        priced && fact.price !== null ? fact.price + 10 * randomInteger(-5, 5, SEED, source, fact.station) : null;
      others.push({ ...fact, source, price, unit: 'all' });
    }
  }
  const prices = [...base.prices.slice(0, ROWS - others.length), ...others];
  return { ...base, stations: describeStations(sourceStations), prices };
}

/** The country several times, each copy 12 degrees further east. */
function sideBySide(sourceStations: readonly SourceStation[], times: number): SourceStation[] {
  return Array.from({ length: times }, (_, copy) =>
    sourceStations.map((sourceStation) => ({
      ...sourceStation,
      key: `${sourceStation.key}-${copy}`,
      station: `${sourceStation.station}-${copy}`,
      lng: Number(sourceStation.lng) + 12 * copy,
    })),
  ).flat();
}

/** Time to match the stations of one source with as many of another, some metres off. */
function matchingMs(known: readonly SourceStation[]): number {
  const stations = describeStations(known);
  const sweptStations = known.map((sourceStation, number): StationDescription => {
    const { source: _, key, station: __, manual: ___, seenAt: ____, ...rest } = sourceStation;
    const off = () => (randomFraction(SEED, 'off', number) - 0.5) / 500;
    return {
      ...rest,
      sourceId: `P${key}`,
      lat: Number(sourceStation.lat) + off(),
      lng: Number(sourceStation.lng) + off(),
    };
  });
  return milliseconds(
    () =>
      linkStations({
        source: 'rompetrol',
        hasUniqueKeys: false,
        sweptStations,
        knownSourceStations: [],
        stations,
        wasRead: () => false,
        now: NOW,
      }),
    known.length > 2 * STATIONS ? 5 : ROUNDS,
  );
}
