/** The state at a moment of a replay: the tables of a collection, held in memory. */

import { isDeepStrictEqual } from 'node:util';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { factKey, type KnownPrice, NOT_FOUND_TO_EMPTY } from '../../domain/prices/apply-collection.ts';
import { NO_PUBLISHED_FACTS, type PublishedFacts, type StoredPrice } from '../../domain/prices/facts.ts';
import { type JudgedSweep, type JudgingOptions, judgeSweep } from '../../domain/prices/judge-sweep.ts';
import { comparedRuns, type PastRun } from '../../domain/prices/plausibility.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { FinishedSweep } from '../../domain/reports/sweep.ts';
import { describeStations, type SourceStation } from '../../domain/stations/source-station.ts';
import type { SweepContext } from '../../sources/source.ts';
import type { ReplayStart, SourceStart } from '../../store/prices/replay-start.ts';

/**
 * How many runs in a row each unit was not found before one. The archives of the runs before it may be gone, or not be
 * replayed: a unit that was not found and did not fail in a run that delivered had been missing often enough.
 */
function countsThen(
  { units }: FinishedSweep['sweep'],
  counted: ReadonlyMap<string, number>,
  failedThen: readonly string[] | null,
): ReadonlyMap<string, number> {
  if (failedThen === null) return counted;
  const failed = new Set(failedThen);
  const missing = [...units].filter(([unit, outcome]) => outcome === 'not-found' && !failed.has(unit));
  return new Map([...counted, ...missing.map(([unit]) => [unit, NOT_FOUND_TO_EMPTY - 1] as const)]);
}

export class ReplayState {
  readonly #sourceStations: Map<string, SourceStation>;
  readonly #sources: Map<string, SourceState>;
  readonly #manual: ReplayStart['manual'];

  constructor(start: ReplayStart) {
    this.#sourceStations = new Map(
      start.sourceStations.map((sourceStation) => [stationKeyOf(sourceStation), sourceStation]),
    );
    this.#sources = new Map([...start.sources].map(([name, source]) => [name, new SourceState(source)]));
    this.#manual = start.manual;
  }

  /** The input of the next sweep of a source. */
  unitsOf(source: string): Pick<SweepContext, 'unitsWithRows' | 'extraUnits'> {
    const state = this.#source(source);
    return {
      unitsWithRows: new Set(state.known.filter(({ missingSince }) => missingSince === null).map(({ unit }) => unit)),
      extraUnits: [...state.units].sort((a, b) => a - b),
    };
  }

  /**
   * Applies a finished sweep if it is plausible; returns the run record that it would have left. `failedThen`: the
   * units that failed when it was collected and delivered; `null` = unknown.
   */
  apply(finished: FinishedSweep, options: JudgingOptions, failedThen: readonly string[] | null): RunRecord {
    const day = dayNumber(bucharestDay(options.at));
    const state = this.#source(finished.source);
    const { known, pastRuns } = state;
    const notFoundCounts = countsThen(finished.sweep, state.notFoundCounts, failedThen);
    const facts = finished.sweep.networkPrices?.length ? this.#facts(day) : [];
    const before = { known, notFoundCounts, pastRuns, sourceStations: [...this.#sourceStations.values()], facts };
    const { run, delivery, notFoundCounts: newCounts } = judgeSweep(finished, before, options);
    for (const [unit, times] of newCounts) state.notFoundCounts.set(unit, times);
    if (run.outcome !== 'failed') state.pastRuns = comparedRuns([run as PastRun, ...pastRuns]);
    if (delivery === null) return run;
    state.apply(delivery, options.at);
    for (const sourceStation of delivery.linked.sourceStations) this.#saveSourceStation(sourceStation);
    return run;
  }

  /** The station that a source's own key is linked to. */
  stationOf(source: string, key: string): string | undefined {
    return this.#sourceStations.get(`${source} ${key}`)?.station;
  }

  /** The facts to build a snapshot from. */
  facts(day: DayNumber): PublishedFacts {
    return {
      ...NO_PUBLISHED_FACTS,
      stations: describeStations([...this.#sourceStations.values()]),
      prices: this.#facts(day),
    };
  }

  #facts(day: DayNumber): StoredPrice[] {
    const imported = this.#manual.get(day) ?? [];
    return [...[...this.#sources.values()].flatMap((source) => source.facts()), ...imported];
  }

  #source(name: string): SourceState {
    const state = this.#sources.get(name) ?? new SourceState(EMPTY_START);
    this.#sources.set(name, state);
    return state;
  }

  /** An unchanged description keeps its date, as in the store. */
  #saveSourceStation(sourceStation: SourceStation): void {
    const known = this.#sourceStations.get(stationKeyOf(sourceStation));
    if (known !== undefined && isDeepStrictEqual({ ...sourceStation, seenAt: known.seenAt }, known)) return;
    this.#sourceStations.set(stationKeyOf(sourceStation), sourceStation);
  }
}

const EMPTY_START: SourceStart = { knownPrices: [], readAt: () => null, pastRuns: [], units: [] };

const stationKeyOf = ({ source, key }: SourceStation) => `${source} ${key}`;

/** The state of one source. */
class SourceState {
  known: readonly KnownPrice[];
  pastRuns: readonly PastRun[];
  readonly notFoundCounts = new Map<string, number>();
  readonly units: Set<number>;
  /** When each unit was last read, and each fact last changed in anything. */
  readonly #unitReadAt = new Map<string, number>();
  readonly #factChangedAt = new Map<string, number>();

  constructor({ knownPrices, readAt, pastRuns, units }: SourceStart) {
    this.known = knownPrices;
    this.pastRuns = pastRuns;
    this.units = new Set(units);
    for (const unit of new Set(knownPrices.map((fact) => fact.unit))) {
      const at = readAt(unit);
      if (at !== null) this.#unitReadAt.set(unit, at);
    }
  }

  apply({ answered, changes, linked }: NonNullable<JudgedSweep['delivery']>, at: number): void {
    this.known = changes.factsAfter;
    for (const fact of changes.changedFacts) this.#factChangedAt.set(factKey(fact.station, fact.fuel), at);
    for (const unit of answered) this.#unitReadAt.set(unit, at);
    for (const { siruta } of linked.sourceStations) if (siruta !== null) this.units.add(siruta);
  }

  facts(): StoredPrice[] {
    return this.known.map((fact) => ({ ...fact, readAt: this.#readAt(fact) }));
  }

  #readAt({ station, fuel, unit, observed }: KnownPrice): number {
    const read = this.#unitReadAt.get(unit) ?? this.#factChangedAt.get(factKey(station, fuel));
    return read ?? observed?.at ?? Number.NEGATIVE_INFINITY;
  }
}
