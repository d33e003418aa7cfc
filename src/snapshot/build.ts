/** Builds the snapshot from which every price response is made. Pure: the current time is an argument. */
import { compareCodeUnits } from '../algorithms/compare-code-units.ts';
import { runToEnd } from '../algorithms/run-to-end.ts';
import { bucharestDay, type DayNumber, dayNumber, nextBucharestMidnight } from '../domain/days.ts';
import { FUELS, type Fuel, type MilliPrice, type PriceRanges } from '../domain/fuel.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { PublishedFacts, SourceTimes, StoredPrice } from '../domain/prices/facts.ts';
import {
  isOnMap,
  type JudgingContext,
  judgeFuel,
  nextChangeOf,
  type PriceVerdict,
  priceExpiresAt,
  type StuckPriceDetector,
  trustedPrice,
  withdrawIncoherent,
} from '../domain/prices/price-verdict.ts';
import { stuckPriceDetector } from '../domain/prices/stuck-price.ts';
import { isPriceSource, sourceKind } from '../domain/reports/source-kind.ts';
import type { Station } from '../domain/stations/station.ts';
import { averageCounties, averageNetworks, cheapestByCity, type JudgedStation, nationalPrices } from './aggregate.ts';
import { aggregateDay, type TrustedStation } from './aggregate-day.ts';
import type { PriceHistory } from './price-history.ts';
import type { Snapshot, SnapshotCounts, StationRecord } from './snapshot.ts';
import { createStationPlacer } from './station-placer.ts';
import { StatisticsHistory } from './statistics-history.ts';

export type BuildInput = {
  readonly facts: PublishedFacts;
  /** The time to judge at, epoch ms. */
  readonly now: number;
  readonly ranges: PriceRanges;
  readonly gazetteer: Gazetteer;
  readonly history: PriceHistory;
  /** Statistics of past days; without them the snapshot has only those of its own day. */
  readonly statistics?: StatisticsHistory;
  /** Sources in service; `null` = all that the store has. Manual reports always are. */
  readonly inService: readonly string[] | null;
};

/** Stations judged in one slice, and facts grouped. */
const STATIONS_PER_SLICE = 250;
const FACTS_PER_SLICE = 3_000;

/** Builds the whole snapshot at once. */
export function buildSnapshot(input: BuildInput): Snapshot {
  return runToEnd(buildSnapshotInSlices(input));
}

/** Builds the snapshot in slices: the caller lets other work run at each `yield`. */
export function* buildSnapshotInSlices(input: BuildInput): Generator<void, Snapshot, void> {
  const { facts, now, ranges, gazetteer, history } = input;
  const today = dayNumber(bucharestDay(now));
  const context: JudgingContext = { now, today, ranges };
  const known = knownFacts(input);
  const prices = withoutRedundantLocatorRecords(known);
  yield;
  const detectors = yield* stuckPriceDetectorsInSlices(prices, facts.stations, now);
  yield;
  const byStation = Map.groupBy(prices, ({ station }) => station);
  const placeStation = createStationPlacer(gazetteer);
  const judged: JudgedStation[] = [];
  for (const station of facts.stations) {
    const stationFacts = byStation.get(station.id);
    if (stationFacts === undefined) continue;
    const { served, city } = placeStation(station);
    judged.push({ served, city, verdicts: judgeStation(station, stationFacts, detectors, context) });
    if (judged.length % STATIONS_PER_SLICE === 0) yield;
  }
  judged.sort(byCountyCityAndId);
  yield;
  const records: StationRecord[] = [];
  for (const { served: station, verdicts } of judged)
    for (const [fuel, verdict] of verdicts) records.push({ station, fuel, verdict });
  yield;
  const cities = cheapestByCity(judged);
  yield;
  const served = new Map(judged.map(({ served: { id }, verdicts }) => [id, verdicts]));
  const networks = averageNetworks(judged);
  const national = nationalPrices(judged);
  yield;
  const counts = countRecords(judged, records);
  const nextChange = prices.reduce((next, fact) => Math.min(next, nextChangeOf(fact, now)), nextBucharestMidnight(now));
  yield;
  return {
    version: facts.version,
    now,
    today,
    updatedAt: facts.updatedAt,
    cities,
    networks,
    national,
    counties: averageCounties(cities, gazetteer.counties),
    records,
    sources: timesOf((input.inService ?? []).filter(isPriceSource), facts.sources),
    locators: timesOf(
      (input.inService ?? []).filter((name) => sourceKind(name) === 'locator'),
      facts.sources,
    ),
    locatorFuels: fuelsByStation(known.filter(isLocatorRecord)),
    counts,
    history: (id) => history.of(id, today, (fuel) => priceOf(served.get(id)?.get(fuel))),
    statistics: statisticsLookup(judged, today, input.statistics),
    nextChangeAt: nextChange,
  };
}

/** The facts that count: on the map, from a source in service, and not a redundant locator record. */
export function servedFacts(input: Pick<BuildInput, 'facts' | 'now' | 'inService'>): readonly StoredPrice[] {
  return withoutRedundantLocatorRecords(knownFacts(input));
}

/** The facts on the map from a source in service. */
function knownFacts({ facts, now, inService }: Pick<BuildInput, 'facts' | 'now' | 'inService'>): StoredPrice[] {
  return facts.prices.filter(
    (fact) => isOnMap(fact, now) && (inService === null || isInService(fact.source, inService)),
  );
}

function fuelsByStation(facts: readonly StoredPrice[]): Map<string, Set<Fuel>> {
  const fuels = new Map<string, Set<Fuel>>();
  for (const { station, fuel } of facts) {
    const known = fuels.get(station);
    if (known === undefined) fuels.set(station, new Set([fuel]));
    else known.add(fuel);
  }
  return fuels;
}

/** The served price of a verdict, doubtful or not; `null` when withdrawn or unknown. */
export function priceOf(verdict: PriceVerdict | undefined): MilliPrice | null {
  return verdict?.kind === 'trusted' || verdict?.kind === 'doubtful' ? verdict.price : null;
}

function isInService(source: string, inService: readonly string[]): boolean {
  return source === 'manual' || inService.includes(source);
}

const isLocatorRecord = ({ source }: StoredPrice): boolean => sourceKind(source) === 'locator';

/** Drops a locator's records of stations that another source covers: they would only repeat its records. */
function withoutRedundantLocatorRecords(prices: readonly StoredPrice[]): readonly StoredPrice[] {
  if (!prices.some(isLocatorRecord)) return prices;
  const knownElsewhere = new Set(prices.filter((fact) => !isLocatorRecord(fact)).map(({ station }) => station));
  return prices.filter((fact) => !isLocatorRecord(fact) || !knownElsewhere.has(fact.station));
}

/** Sources with their times; one that never ran has `null` times. Rule 33. */
function timesOf(names: readonly string[], known: readonly SourceTimes[]): SourceTimes[] {
  return names.map(
    (name) => known.find((source) => source.name === name) ?? { name, deliveredAt: null, downloadedAt: null },
  );
}

/** Computes the statistics of the snapshot's own day when they are first asked for: most processes never ask. */
function statisticsLookup(
  judged: readonly JudgedStation[],
  today: DayNumber,
  past: StatisticsHistory | undefined,
): Snapshot['statistics'] {
  let current: StatisticsHistory | undefined;
  return (scope, fuel) => {
    if (current === undefined) {
      current = new StatisticsHistory();
      for (const lists of aggregateDay(judged.map(withTrustedPrices))) current.putDay(today, lists);
    }
    return [...(past?.series(scope, fuel, today) ?? []), ...current.series(scope, fuel, today + 1)];
  };
}

function withTrustedPrices({ served, verdicts }: JudgedStation): TrustedStation {
  const prices = FUELS.map((fuel) => trustedPrice(verdicts.get(fuel)));
  return { station: served, prices };
}

type StuckPriceLookup = (fact: StoredPrice, network: string) => StuckPriceDetector;

/** The detector of stuck prices for each source, network and fuel. */
export function stuckPriceDetectors(
  prices: readonly StoredPrice[],
  stations: readonly Station[],
  now: number,
): StuckPriceLookup {
  return runToEnd(stuckPriceDetectorsInSlices(prices, stations, now));
}

function* stuckPriceDetectorsInSlices(
  prices: readonly StoredPrice[],
  stations: readonly Station[],
  now: number,
): Generator<void, StuckPriceLookup, void> {
  const networks = new Map(stations.map(({ id, network }) => [id, network]));
  const isReporting = (fact: StoredPrice) =>
    fact.price !== null && fact.missingSince === null && now <= priceExpiresAt(fact);
  // By source, network and fuel: to look a text of the three up costs twice as much.
  const groups = new Map<string, Map<string | undefined, Map<Fuel, StoredPrice[]>>>();
  for (const [index, fact] of prices.entries()) {
    if (index % FACTS_PER_SLICE === FACTS_PER_SLICE - 1) yield;
    if (!isReporting(fact)) continue;
    const ofSource = groups.getOrInsertComputed(fact.source, () => new Map());
    const ofNetwork = ofSource.getOrInsertComputed(networks.get(fact.station), () => new Map());
    ofNetwork.getOrInsertComputed(fact.fuel, () => []).push(fact);
  }
  const detectors = new Map<readonly StoredPrice[], StuckPriceDetector>();
  return (fact, network) => {
    const group = groups.get(fact.source)?.get(network)?.get(fact.fuel) ?? NOTHING;
    return detectors.getOrInsertComputed(group, stuckPriceDetector);
  };
}

const NOTHING: readonly StoredPrice[] = [];

function judgeStation(
  station: Station,
  facts: readonly StoredPrice[],
  detectors: StuckPriceLookup,
  context: JudgingContext,
): Map<Fuel, PriceVerdict> {
  const verdicts = new Map<Fuel, PriceVerdict>();
  const detector: StuckPriceDetector = {
    isStuck: (fact) => detectors(fact as StoredPrice, station.network).isStuck(fact),
  };
  for (const fuel of FUELS) {
    const ofFuel = facts.filter((fact) => fact.fuel === fuel);
    if (ofFuel.length > 0) verdicts.set(fuel, judgeFuel(ofFuel, detector, context));
  }
  withdrawIncoherent(verdicts);
  return verdicts;
}

/** By county name, city and station id, in code point order (rule 22). */
function byCountyCityAndId(a: JudgedStation, b: JudgedStation): number {
  return (
    compareCodeUnits(a.served.countyName, b.served.countyName) ||
    compareCodeUnits(a.served.city, b.served.city) ||
    compareCodeUnits(a.served.id, b.served.id)
  );
}

function countRecords(judged: readonly JudgedStation[], records: readonly StationRecord[]): SnapshotCounts {
  let recordsWithPrice = 0;
  let pricesWithoutDay = 0;
  let oldestObservation: string | null = null;
  for (const { verdict } of records) {
    if (verdict.kind !== 'trusted' && verdict.kind !== 'doubtful') continue;
    recordsWithPrice += 1;
    const day = verdict.fact.observed?.day;
    if (day === undefined) pricesWithoutDay += 1;
    else if (oldestObservation === null || day < oldestObservation) oldestObservation = day;
  }
  return {
    records: records.length,
    recordsWithPrice,
    pricesWithoutDay,
    oldestObservation,
    stations: judged.length,
    stationsWithPrice: judged.filter(({ verdicts }) => [...verdicts.values()].some((v) => priceOf(v) !== null)).length,
  };
}
