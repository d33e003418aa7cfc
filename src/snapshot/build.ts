/** Builds the snapshot from which every price response is made. Pure: the current time is an argument. */
import { compareCodeUnits } from '../algorithms/compare-code-units.ts';
import { bucharestDay, dayNumber, nextBucharestMidnight } from '../domain/days.ts';
import { FUELS, type Fuel, type MilliPrice, type PriceRanges } from '../domain/fuel.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { PublishedFacts, SourceTimes, StoredPrice } from '../domain/prices/facts.ts';
import {
  type BrandMovement,
  isOnMap,
  type JudgingContext,
  judgeFuel,
  nextChangeOf,
  type PriceVerdict,
  sourceTimeoutAt,
  withdrawIncoherent,
} from '../domain/prices/price-verdict.ts';
import { brandMovement } from '../domain/prices/stuckness.ts';
import { isPriceFeed, sourceKind } from '../domain/reports/source-kind.ts';
import type { Station } from '../domain/stations/station.ts';
import { averageCounties, averageNetworks, cheapestByCity, type JudgedStation, nationalPrices } from './aggregate.ts';
import type { PriceHistory } from './history.ts';
import { createPlacer } from './placing.ts';
import type { Snapshot, SnapshotCounts, StationRecord } from './snapshot.ts';

export type BuildInput = {
  readonly facts: PublishedFacts;
  /** The time to judge at, epoch ms. */
  readonly now: number;
  readonly ranges: PriceRanges;
  readonly gazetteer: Gazetteer;
  readonly history: PriceHistory;
  /** Sources in service; `null` = all that the store has. Manual reports always are. */
  readonly inService: readonly string[] | null;
};

/** Stations judged in one slice. */
const STATIONS_PER_SLICE = 500;

/** Builds the whole snapshot at once. */
export function buildSnapshot(input: BuildInput): Snapshot {
  const steps = buildSnapshotInSlices(input);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Builds the snapshot in slices: the caller lets other work run at each `yield`. */
export function* buildSnapshotInSlices(input: BuildInput): Generator<void, Snapshot, void> {
  const { facts, now, ranges, gazetteer, history } = input;
  const today = dayNumber(bucharestDay(now));
  const context: JudgingContext = { now, today, ranges };
  const prices = servedFacts(input);
  const movements = brandMovements(prices, facts.stations, now);
  yield;
  const byStation = Map.groupBy(prices, ({ station }) => station);
  const placeStation = createPlacer(gazetteer);
  const judged: JudgedStation[] = [];
  for (const station of facts.stations) {
    const stationFacts = byStation.get(station.id);
    if (stationFacts === undefined) continue;
    judged.push({ ...placeStation(station), verdicts: judgeStation(station, stationFacts, movements, context) });
    if (judged.length % STATIONS_PER_SLICE === 0) yield;
  }
  judged.sort(byCountyCityAndId);
  yield;
  const records = judged.flatMap(({ served, verdicts }): StationRecord[] =>
    [...verdicts].map(([fuel, verdict]) => ({ station: served, fuel, verdict })),
  );
  yield;
  const cities = cheapestByCity(judged);
  const served = new Map(judged.map(({ served: { id }, verdicts }) => [id, verdicts]));
  return {
    version: facts.version,
    now,
    today,
    updatedAt: facts.updatedAt,
    cities,
    networks: averageNetworks(judged),
    national: nationalPrices(judged),
    counties: averageCounties(cities, gazetteer.counties),
    records,
    sources: sourcesForHealth(facts.sources, input.inService),
    counts: countRecords(judged, records),
    history: (id) => history.of(id, today, (fuel) => priceOf(served.get(id)?.get(fuel))),
    nextChangeAt: prices.reduce((next, fact) => Math.min(next, nextChangeOf(fact, now)), nextBucharestMidnight(now)),
  };
}

/** The facts that count: on the map, from a source in service, and not a redundant locator record. */
export function servedFacts({
  facts,
  now,
  inService,
}: Pick<BuildInput, 'facts' | 'now' | 'inService'>): readonly StoredPrice[] {
  return withoutRedundantLocatorRecords(
    facts.prices.filter((fact) => isOnMap(fact, now) && (inService === null || isInService(fact.source, inService))),
  );
}

/** The served price of a verdict, doubtful or not; `null` when withdrawn or unknown. */
export function priceOf(verdict: PriceVerdict | undefined): MilliPrice | null {
  return verdict?.kind === 'trusted' || verdict?.kind === 'doubtful' ? verdict.price : null;
}

function isInService(source: string, inService: readonly string[]): boolean {
  return source === 'manual' || inService.includes(source);
}

/** Drops a locator's records of stations that another source covers: they would only repeat its records. */
function withoutRedundantLocatorRecords(prices: readonly StoredPrice[]): readonly StoredPrice[] {
  const isLocatorRecord = ({ source }: StoredPrice) => sourceKind(source) === 'locator';
  if (!prices.some(isLocatorRecord)) return prices;
  const knownElsewhere = new Set(prices.filter((fact) => !isLocatorRecord(fact)).map(({ station }) => station));
  return prices.filter((fact) => !isLocatorRecord(fact) || !knownElsewhere.has(fact.station));
}

/** Price sources in service with their times; one that never ran has `null` times. Rule 33. */
function sourcesForHealth(known: readonly SourceTimes[], inService: readonly string[] | null): SourceTimes[] {
  const names = (inService ?? []).filter(isPriceFeed);
  return names.map(
    (name) => known.find((source) => source.name === name) ?? { name, deliveredAt: null, downloadedAt: null },
  );
}

type MovementLookup = (fact: StoredPrice, network: string) => BrandMovement;

/** The price movements of each brand, per source and fuel. */
export function brandMovements(
  prices: readonly StoredPrice[],
  stations: readonly Station[],
  now: number,
): MovementLookup {
  const networks = new Map(stations.map(({ id, network }) => [id, network]));
  const groupOf = (fact: StoredPrice, network: string | undefined) => `${fact.source} ${network} ${fact.fuel}`;
  const reporting = prices.filter(
    (fact) => fact.price !== null && fact.missingSince === null && now <= sourceTimeoutAt(fact),
  );
  const groups = Map.groupBy(reporting, (fact) => groupOf(fact, networks.get(fact.station)));
  const movements = new Map([...groups].map(([group, facts]) => [group, brandMovement(facts)]));
  const noMovement = brandMovement([]);
  return (fact, network) => movements.get(groupOf(fact, network)) ?? noMovement;
}

function judgeStation(
  station: Station,
  facts: readonly StoredPrice[],
  movements: MovementLookup,
  context: JudgingContext,
): Map<Fuel, PriceVerdict> {
  const verdicts = new Map<Fuel, PriceVerdict>();
  const movement: BrandMovement = {
    isStuck: (fact) => movements(fact as StoredPrice, station.network).isStuck(fact),
  };
  for (const fuel of FUELS) {
    const ofFuel = facts.filter((fact) => fact.fuel === fuel);
    if (ofFuel.length > 0) verdicts.set(fuel, judgeFuel(ofFuel, movement, context));
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
