/** Judges a finished sweep: pure, so that a replay judges as the collection did. Rules 25, 26, 28 and 32. */
import { type Fuel, isInRange, type MilliPrice } from '../fuel.ts';
import type { RunRecord } from '../reports/run-record.ts';
import { type SourceKind, sourceKind } from '../reports/source-kind.ts';
import type { FinishedSweep, Sweep } from '../reports/sweep.ts';
import { type Alias, describeStations } from '../stations/alias.ts';
import { type IdentifiedStations, identifyStations } from '../stations/identify.ts';
import type { Station } from '../stations/station.ts';
import {
  applyReadings,
  type CollectionChanges,
  factKey,
  type KnownPrice,
  type StationReading,
  settleUnits,
} from './apply-collection.ts';
import type { StoredPrice } from './facts.ts';
import { brandWideReadings, ofListNetwork, withoutUnplaceable } from './list-prices.ts';
import { checkPlausibility, hasEnoughAnswers, type PastRun, type RunSummary, summariseRun } from './plausibility.ts';
import type { PricingRules } from './rules.ts';

/** The conditions of the judgement: the time of the run, who ordered it, and the rules. */
export type JudgingTerms = {
  /** The run's clock, epoch ms. */
  readonly at: number;
  readonly scheduled: boolean;
  readonly force: boolean;
  readonly rules: PricingRules;
};

/** What was known before a sweep: its source's facts, refusals in a row and runs, and the names of all sources. */
export type SweepBaseline = {
  readonly known: readonly KnownPrice[];
  readonly refusals: ReadonlyMap<string, number>;
  readonly aliases: readonly Alias[];
  /** Newest first. */
  readonly past: readonly PastRun[];
  /** Facts of all sources; used only for prices of whole networks. */
  readonly facts: readonly StoredPrice[];
};

/** The result of a sweep: its record and, if it is plausible, all that it changes. */
export type JudgedSweep = {
  readonly run: RunRecord;
  readonly accepted: {
    readonly settled: ReturnType<typeof settleUnits>;
    readonly identified: IdentifiedStations;
    readonly changes: CollectionChanges;
  } | null;
};

/** Judges a finished sweep, given what was known before it. Stores nothing. */
export function judgeSweep(finished: FinishedSweep, before: SweepBaseline, terms: JudgingTerms): JudgedSweep {
  const { source } = finished;
  const kind = sourceKind(source);
  const stations = describeStations(before.aliases);
  const sweep = kind === 'list' ? placeableOnly(finished, before, stations, terms) : finished.sweep;
  const settled = settleUnits(sweep.units, before.refusals);
  const identified = identify(source, sweep, before, stations, settled.answered, terms);
  const located = withStations(sweep, identified);
  const own = kind === 'list' ? ofListNetwork(located, stations, sweep) : located;
  const readings = [...own, ...brandWideReadings(source, sweep, own, stations, before.facts, terms.rules)];
  const summary = summaryOf(kind, sweep, own, terms.rules);
  const run = runRecord(finished, sweep.requests, summary, identified, settled.failed, terms);
  const problem = plausibilityProblem(summary, sweep, settled.answered.size, readings, before, terms);
  if (problem !== null) {
    return { run: withRejections({ ...run, ...problem, matched: 0, created: 0 }, sweep), accepted: null };
  }
  const changes = applyReadings(source, before.known, readings, settled.answered, terms.at, sweep.rejections);
  const accepted = { settled, identified, changes };
  return { run: withRejections({ ...run, changed: changes.priceChanges }, sweep), accepted };
}

/** The sweep of a price list without the stations that cannot be placed. */
function placeableOnly(
  { source, sweep }: FinishedSweep,
  { aliases }: SweepBaseline,
  stations: readonly Station[],
  { rules }: JudgingTerms,
): Sweep {
  return withoutUnplaceable(sweep, ofSource(aliases, source), stations, rules);
}

function identify(
  source: string,
  sweep: Sweep,
  { aliases, known }: SweepBaseline,
  stations: readonly Station[],
  answered: ReadonlySet<string>,
  { rules, at }: JudgingTerms,
): IdentifiedStations {
  return identifyStations({
    source,
    hasUniqueKeys: false,
    sweptStations: sweep.stations,
    knownAliases: ofSource(aliases, source),
    stations,
    ...(sourceKind(source) === 'locator' && { doubtfulGazetteer: rules.gazetteer }),
    wasRead: wasFullyRead(known, answered),
    now: at,
  });
}

function ofSource(aliases: readonly Alias[], source: string): Alias[] {
  return aliases.filter((alias) => alias.source === source);
}

/** The record of a run that delivers; the rejections are counted at the end. */
function runRecord(
  { source, startedAt, finishedAt }: FinishedSweep,
  requests: number,
  summary: RunSummary,
  identified: IdentifiedStations,
  failedUnits: ReadonlySet<string>,
  { at, scheduled, force }: JudgingTerms,
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
    matched: identified.matched,
    created: identified.createdStations.length,
    ambiguous: identified.ambiguous,
    changed: 0,
    failedUnits: [...failedUnits],
    reason: null,
  };
}

type Priced = { readonly fuel: Fuel; readonly price: MilliPrice | null };

function hasValidPrice({ ranges }: PricingRules) {
  return <T extends Priced>(row: T): row is T & { price: MilliPrice } =>
    row.price !== null && isInRange(row.price, row.fuel, ranges);
}

/** What is stored to compare later runs with: the stations of a locator, the valid prices of the others. */
function summaryOf(kind: SourceKind, sweep: Sweep, own: readonly Priced[], rules: PricingRules): RunSummary {
  if (kind === 'locator') return { rows: sweep.stations.length, means: {} };
  return summariseRun([...own, ...(sweep.brandPrices ?? [])].filter(hasValidPrice(rules)));
}

/** Whether this sweep read all units in which an alias was known. */
function wasFullyRead(known: readonly KnownPrice[], answered: ReadonlySet<string>) {
  const units = Map.groupBy(known, ({ station }) => station);
  return ({ station }: { station: string }) => {
    const facts = units.get(station) ?? [];
    return facts.length > 0 && facts.every(({ unit }) => answered.has(unit));
  };
}

function withStations(sweep: Sweep, identified: IdentifiedStations): StationReading[] {
  return sweep.readings.flatMap((reading) => {
    const station = identified.stationOf.get(`${reading.sourceId} ${reading.network}`);
    if (station !== undefined) return [{ ...reading, station }];
    sweep.rejections.add('ambiguous_station', `${reading.network} ${reading.sourceId}`);
    return [];
  });
}

function plausibilityProblem(
  run: RunSummary,
  sweep: Sweep,
  answered: number,
  readings: readonly StationReading[],
  before: SweepBaseline,
  { at, force, rules }: JudgingTerms,
): Pick<RunRecord, 'outcome' | 'reason'> | null {
  if (!hasEnoughAnswers(answered, sweep.units.size)) {
    return { outcome: 'failed', reason: `only ${answered} of ${sweep.units.size} units answered` };
  }
  if (force) return null;
  const priceMoves = priceMovesOf(readings, before.known, rules);
  const reason = checkPlausibility({ now: at, run, priceMoves, past: before.past });
  return reason === null ? null : { outcome: 'set_aside', reason };
}

/** Each price known before and read now. A price out of range does not count, so a corrected one has not moved. */
function priceMovesOf(readings: readonly StationReading[], known: readonly KnownPrice[], rules: PricingRules) {
  const isValid = hasValidPrice(rules);
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
