/** Judges a finished sweep: pure, so that a replay gives the same result. Rules 25, 26, 28 and 32. */
import { type Fuel, isInRange, type MilliPrice } from '../fuel.ts';
import type { RunRecord } from '../reports/run-record.ts';
import { MAX_IDS_EVER, type SourceKind, sourceKind } from '../reports/source-kind.ts';
import type { FinishedSweep, Sweep } from '../reports/sweep.ts';
import { type LinkedStations, linkStations } from '../stations/link-stations.ts';
import { describeStations, type SourceStation } from '../stations/source-station.ts';
import type { Station } from '../stations/station.ts';
import {
  applyReadings,
  type CollectionChanges,
  factKey,
  type KnownPrice,
  type StationReading,
  settleUnits,
} from './apply-collection.ts';
import type { CollectionSettings } from './collection-settings.ts';
import type { StoredPrice } from './facts.ts';
import { networkWideReadings, ofListNetwork, withoutUnplaceable } from './list-prices.ts';
import {
  checkPlausibility,
  hasEnoughUnits,
  type PastRun,
  type RunSummary,
  type StationGrowth,
  summariseRun,
} from './plausibility.ts';
import { withoutRemoteStations } from './remote-stations.ts';

/** The run's clock, how it was started, and the rules to judge by. */
export type JudgingOptions = {
  /** The run's clock, epoch ms. */
  readonly at: number;
  readonly scheduled: boolean;
  readonly force: boolean;
  readonly settings: CollectionSettings;
};

/**
 * What was known before a sweep: its source's facts, its units not found in a row, its runs, and what all sources
 * describe.
 */
export type SweepBaseline = {
  readonly known: readonly KnownPrice[];
  readonly notFoundCounts: ReadonlyMap<string, number>;
  readonly sourceStations: readonly SourceStation[];
  /** Newest first. */
  readonly pastRuns: readonly PastRun[];
  /** Facts of all sources; used only for prices of whole networks. */
  readonly facts: readonly StoredPrice[];
};

/** The result of a sweep: its record and, if it is plausible, all that it changes. */
export type JudgedSweep = {
  readonly run: RunRecord;
  /** How many runs in a row each unit was not found: the next run needs them even if this one delivers nothing. */
  readonly notFoundCounts: ReadonlyMap<string, number>;
  readonly delivery: {
    readonly answered: ReadonlySet<string>;
    readonly linked: LinkedStations;
    readonly changes: CollectionChanges;
  } | null;
};

/** Judges a finished sweep, given what was known before it. Stores nothing. */
export function judgeSweep(finished: FinishedSweep, before: SweepBaseline, options: JudgingOptions): JudgedSweep {
  const { source } = finished;
  const kind = sourceKind(source);
  const stations = describeStations(before.sourceStations);
  const inRomania = withoutRemoteStations(finished.sweep, options.settings.gazetteer);
  const known = ofSource(before.sourceStations, source);
  const sweep = kind === 'list' ? withoutUnplaceable(inRomania, known, stations, options.settings) : inRomania;
  const { answered, failed, notFoundCounts } = settleUnits(sweep.units, before.notFoundCounts);
  const linked = linkSwept(source, sweep, before, stations, answered, options);
  const stationReadings = withStations(sweep, linked);
  const ownReadings = kind === 'list' ? ofListNetwork(stationReadings, stations, sweep) : stationReadings;
  const readings = [
    ...ownReadings,
    ...networkWideReadings(source, sweep, ownReadings, stations, before.facts, options.settings),
  ];
  const summary = summaryOf(kind, sweep, ownReadings, options.settings);
  const run = runRecord(finished, sweep.requests, summary, linked, failed, options);
  const growth = growthOf(kind, known, linked);
  const problem = plausibilityProblem(summary, growth, sweep, answered.size, readings, before, options);
  if (problem !== null) {
    const undelivered = { ...run, ...problem, matched: 0, created: 0 };
    return { run: withRejections(undelivered, sweep), notFoundCounts, delivery: null };
  }
  const changes = applyReadings(source, before.known, readings, answered, options.at, sweep.rejections);
  const delivered = { ...run, changed: changes.priceChanges };
  return { run: withRejections(delivered, sweep), notFoundCounts, delivery: { answered, linked, changes } };
}

function linkSwept(
  source: string,
  sweep: Sweep,
  { sourceStations, known }: SweepBaseline,
  stations: readonly Station[],
  answered: ReadonlySet<string>,
  { settings, at }: JudgingOptions,
): LinkedStations {
  return linkStations({
    source,
    hasUniqueKeys: false,
    sweptStations: sweep.stations,
    knownSourceStations: ofSource(sourceStations, source),
    stations,
    ...(sourceKind(source) === 'locator' && { unitGazetteer: settings.gazetteer }),
    wasRead: wasFullyRead(known, answered),
    now: at,
  });
}

function ofSource(sourceStations: readonly SourceStation[], source: string): SourceStation[] {
  return sourceStations.filter((sourceStation) => sourceStation.source === source);
}

/** The record of a run that delivers, still without its rejections. */
function runRecord(
  { source, startedAt, finishedAt }: FinishedSweep,
  requests: number,
  summary: RunSummary,
  linked: LinkedStations,
  failedUnits: ReadonlySet<string>,
  { at, scheduled, force }: JudgingOptions,
): RunRecord {
  return {
    source,
    at,
    startedAt,
    finishedAt,
    outcome: 'delivered',
    scheduled,
    forced: force,
    requests,
    rejected: {},
    samples: {},
    ...summary,
    matched: linked.knownCount,
    created: linked.createdStations.length,
    ambiguous: linked.ambiguous,
    changed: 0,
    failedUnits: [...failedUnits],
    reason: null,
  };
}

type Priced = { readonly fuel: Fuel; readonly price: MilliPrice | null };

function hasValidPrice({ ranges }: CollectionSettings) {
  return <T extends Priced>(row: T): row is T & { price: MilliPrice } =>
    row.price !== null && isInRange(row.price, row.fuel, ranges);
}

/** What later runs are compared with: the stations of a locator, the valid prices of any other source. */
function summaryOf(
  kind: SourceKind,
  sweep: Sweep,
  ownReadings: readonly Priced[],
  settings: CollectionSettings,
): RunSummary {
  if (kind === 'locator') return { rows: sweep.stations.length, means: {} };
  return summariseRun([...ownReadings, ...(sweep.networkPrices ?? [])].filter(hasValidPrice(settings)));
}

function growthOf(
  kind: SourceKind,
  known: readonly SourceStation[],
  { sourceStations, createdStations }: LinkedStations,
): StationGrowth {
  const knownKeys = new Set(known.map(({ key }) => key));
  const added = sourceStations.filter(({ key }) => !knownKeys.has(key)).length;
  return { known: known.length, added, created: createdStations.length, limit: MAX_IDS_EVER[kind] };
}

/** Whether this sweep read all units in which a station was known. */
function wasFullyRead(known: readonly KnownPrice[], answered: ReadonlySet<string>) {
  const units = Map.groupBy(known, ({ station }) => station);
  return ({ station }: { station: string }) => {
    const facts = units.get(station) ?? [];
    return facts.length > 0 && facts.every(({ unit }) => answered.has(unit));
  };
}

function withStations(sweep: Sweep, linked: LinkedStations): StationReading[] {
  return sweep.readings.flatMap((reading) => {
    const station = linked.stationOf.get(`${reading.sourceId} ${reading.network}`);
    if (station !== undefined) return [{ ...reading, station }];
    sweep.rejections.addToRow(reading, 'ambiguous_station', `${reading.network} ${reading.sourceId}`);
    return [];
  });
}

function plausibilityProblem(
  run: RunSummary,
  growth: StationGrowth,
  sweep: Sweep,
  answered: number,
  readings: readonly StationReading[],
  before: SweepBaseline,
  { at, force, settings }: JudgingOptions,
): Pick<RunRecord, 'outcome' | 'reason'> | null {
  if (!hasEnoughUnits(answered, sweep.units.size)) {
    return { outcome: 'failed', reason: `only ${answered} of ${sweep.units.size} units answered` };
  }
  if (force) return null;
  const priceMoves = priceMovesOf(readings, before.known, settings);
  const reason = checkPlausibility({ now: at, run, priceMoves, pastRuns: before.pastRuns, growth });
  return reason === null ? null : { outcome: 'set_aside', reason };
}

/** Each price that was known before and was read now. A price out of range does not count: correcting it is no move. */
function priceMovesOf(readings: readonly StationReading[], known: readonly KnownPrice[], settings: CollectionSettings) {
  const isValid = hasValidPrice(settings);
  const earlier = new Map(
    known.filter(isValid).map((fact): [string, MilliPrice] => [factKey(fact.station, fact.fuel), fact.price]),
  );
  return readings.filter(isValid).flatMap(({ station, fuel, price }) => {
    const before = earlier.get(factKey(station, fuel));
    return before === undefined ? [] : [{ before, after: price }];
  });
}

function withRejections(run: RunRecord, { rejections }: Sweep): RunRecord {
  return { ...run, rejected: rejections.counts(), samples: rejections.samples() };
}
