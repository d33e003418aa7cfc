/** One source's finished sweep → facts in the store, inside the transaction of a publication. */
import type { Kysely } from 'kysely';
import { type Fuel, isInRange, type MilliPrice } from '../../domain/fuel.ts';
import {
  applyReadings,
  type CollectionChanges,
  factKey,
  type KnownPrice,
  type StationReading,
  settleUnits,
} from '../../domain/prices/apply-collection.ts';
import type { StoredPrice } from '../../domain/prices/facts.ts';
import {
  checkPlausibility,
  hasEnoughAnswers,
  type PastRun,
  type RunSummary,
  summariseRun,
} from '../../domain/prices/plausibility.ts';
import { type SourceKind, sourceKind } from '../../domain/reports/source-kind.ts';
import { type Alias, describeStations } from '../../domain/stations/alias.ts';
import { type IdentifiedStations, identifyStations } from '../../domain/stations/identify.ts';
import type { Sweep } from '../../sources/source.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { loadKnownPricesAsOf } from '../../store/prices/as-of.ts';
import { appendObservations, loadKnownPrices, saveKnownPrices } from '../../store/prices/observations.ts';
import { loadFacts } from '../../store/prices/publication.ts';
import {
  insertRun,
  loadRefusals,
  pastRuns,
  type RunRecord,
  recordSourceTimes,
  recordUnitReads,
} from '../../store/prices/runs.ts';
import { createStations, loadAliases, saveAliases } from '../../store/prices/stations.ts';
import type { PricingRules } from './days.ts';
import { brandWideReadings, ofListNetwork, withoutUnplaceable } from './list-prices.ts';
import { storeOlderRun } from './older-run.ts';

export type FinishedSweep = {
  readonly source: string;
  readonly sweep: Sweep;
  readonly startedAt: number;
  readonly finishedAt: number;
};

export type RunOptions = {
  /** The run's clock, epoch ms. */
  readonly at: number;
  readonly scheduled: boolean;
  readonly force: boolean;
  readonly rules: PricingRules;
  /** False when a later run of the source has already delivered: facts are added, nothing present moves back. */
  readonly newest: boolean;
};

export type AppliedSweep = { readonly run: RunRecord; readonly factsAfter: readonly KnownPrice[] };

/** What was known before a sweep: its source's facts, refusals in a row and runs, and the names of all sources. */
export type SweepBaseline = {
  readonly known: readonly KnownPrice[];
  readonly refusals: ReadonlyMap<string, number>;
  readonly aliases: readonly Alias[];
  /** Newest first. */
  readonly past: readonly PastRun[];
  /** Facts of all sources; looked at only for prices of whole networks. */
  readonly facts: readonly StoredPrice[];
};

/** What a sweep comes to: its record and, where it may be believed, all that it changes. */
export type JudgedSweep = {
  readonly run: RunRecord;
  readonly accepted: {
    readonly settled: ReturnType<typeof settleUnits>;
    readonly identified: IdentifiedStations;
    readonly changes: CollectionChanges;
  } | null;
};

/** Judges the sweep as a whole and, where it may be believed, stores what it says. */
export async function applySweep(
  tx: Kysely<Schema>,
  finished: FinishedSweep,
  terms: RunOptions,
): Promise<AppliedSweep> {
  const { source } = finished;
  const before: SweepBaseline = {
    known: terms.newest ? await loadKnownPrices(tx, source) : await loadKnownPricesAsOf(tx, source, terms.at),
    refusals: terms.newest ? await loadRefusals(tx, source) : new Map(),
    aliases: await loadAliases(tx),
    past: await pastRuns(tx, source, terms.at),
    facts: finished.sweep.brandPrices?.length ? (await loadFacts(tx)).prices : [],
  };
  const { run, accepted } = judgeSweep(finished, before, terms);
  if (accepted === null) {
    await insertRun(tx, run);
    if (run.outcome === 'set_aside') await recordSourceTimes(tx, source, null, terms.at);
    return { run, factsAfter: [] };
  }
  const { settled, identified, changes } = accepted;
  await storeSweep(tx, run, before.known, identified, changes, terms);
  await recordUnitReads(tx, source, settled.answered, terms.newest ? settled.refusals : null, terms.at);
  await recordSourceTimes(tx, source, terms.at, terms.at);
  return { run, factsAfter: changes.factsAfter };
}

/** What a finished sweep comes to, given what was known before it. Stores nothing. */
export function judgeSweep(
  finished: FinishedSweep,
  before: SweepBaseline,
  terms: Omit<RunOptions, 'newest'>,
): JudgedSweep {
  const { source } = finished;
  const { known, aliases } = before;
  const { rules } = terms;
  const kind = sourceKind(source);
  const stations = describeStations(aliases);
  const names = aliases.filter((alias) => alias.source === source);
  const sweep = kind === 'list' ? withoutUnplaceable(finished.sweep, names, stations, rules) : finished.sweep;
  const settled = settleUnits(sweep.units, before.refusals);
  const identified = identifyStations({
    source,
    hasUniqueKeys: false,
    sweptStations: sweep.stations,
    knownAliases: names,
    stations,
    ...(kind === 'locator' && { doubtfulGazetteer: rules.gazetteer }),
    wasRead: wasFullyRead(known, settled.answered),
    now: terms.at,
  });
  const located = withStations(sweep, identified);
  const own = kind === 'list' ? ofListNetwork(located, stations, sweep) : located;
  const readings = [...own, ...brandWideReadings(source, sweep, own, stations, before.facts, rules)];
  const valid = readings.filter(hasValidPrice(rules));
  const run: RunRecord = {
    source,
    at: terms.at,
    startedAt: finished.startedAt,
    finishedAt: finished.finishedAt,
    outcome: 'delivered',
    scheduled: terms.scheduled,
    forced: terms.force,
    requests: sweep.requests,
    rejected: {},
    samples: {},
    ...digestOf(kind, sweep, own, rules),
    matched: identified.matched,
    created: identified.createdStations.length,
    ambiguous: identified.ambiguous,
    changed: 0,
    failedUnits: [...settled.failed],
    reason: null,
  };
  const objection = plausibilityProblem(run, sweep, settled.answered.size, valid, before, terms);
  if (objection !== null) {
    return { run: withRejections({ ...run, ...objection, matched: 0, created: 0 }, sweep), accepted: null };
  }
  const changes = applyReadings(source, known, readings, settled.answered, terms.at, sweep.rejections);
  const accepted = { settled, identified, changes };
  return { run: withRejections({ ...run, changed: changes.priceChanges }, sweep), accepted };
}

type Priced = { readonly fuel: Fuel; readonly price: MilliPrice | null };

function hasValidPrice({ ranges }: PricingRules) {
  return <T extends Priced>(row: T): row is T & { price: MilliPrice } =>
    row.price !== null && isInRange(row.price, row.fuel, ranges);
}

/** What is kept to judge later runs by: a locator has stations to count, the others valid prices. */
function digestOf(kind: SourceKind, sweep: Sweep, own: readonly Priced[], rules: PricingRules): RunSummary {
  if (kind === 'locator') return { rows: sweep.stations.length, means: {} };
  return summariseRun([...own, ...(sweep.brandPrices ?? [])].filter(hasValidPrice(rules)));
}

/** Whether everything an alias was known for lies in units that were read in this sweep. */
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
  run: RunRecord,
  sweep: Sweep,
  answered: number,
  valid: readonly StationReading[],
  { known, past }: SweepBaseline,
  terms: Omit<RunOptions, 'newest'>,
): Pick<RunRecord, 'outcome' | 'reason'> | null {
  if (!hasEnoughAnswers(answered, sweep.units.size)) {
    return { outcome: 'failed', reason: `only ${answered} of ${sweep.units.size} units answered` };
  }
  if (terms.force) return null;
  // What was out of range was no price to anybody: one that is set right again has not moved.
  const prices = known.filter(hasValidPrice(terms.rules));
  const before = new Map(prices.map((fact) => [factKey(fact.station, fact.fuel), fact.price]));
  const priceMoves = valid.flatMap(({ station, fuel, price }) => {
    const earlier = before.get(factKey(station, fuel)) ?? null;
    return earlier === null || price === null ? [] : [{ before: earlier, after: price }];
  });
  const reason = checkPlausibility({ now: terms.at, run, priceMoves, past });
  return reason === null ? null : { outcome: 'set_aside', reason };
}

function withRejections(run: RunRecord, { rejections }: Sweep): RunRecord {
  return { ...run, rejected: rejections.counts(), samples: rejections.samples() };
}

async function storeSweep(
  tx: Kysely<Schema>,
  run: RunRecord,
  known: readonly KnownPrice[],
  identified: IdentifiedStations,
  changes: CollectionChanges,
  terms: RunOptions,
): Promise<void> {
  await createStations(tx, identified.createdStations, terms.at);
  await saveAliases(tx, identified.aliases, !terms.newest);
  const id = await insertRun(tx, run);
  if (!terms.newest) return storeOlderRun(tx, run.source, known, changes, { id, at: terms.at });
  await appendObservations(tx, changes.observations, terms.at, id);
  await saveKnownPrices(tx, changes.changedFacts, terms.at);
}
