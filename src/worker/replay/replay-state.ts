/** The state at a moment of a replay: the tables of a collection, held in memory. */

import { isDeepStrictEqual } from 'node:util';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { factKey, type KnownPrice } from '../../domain/prices/apply-collection.ts';
import { NO_PUBLISHED_FACTS, type PublishedFacts, type StoredPrice } from '../../domain/prices/facts.ts';
import { type JudgedSweep, type JudgingTerms, judgeSweep } from '../../domain/prices/judge-sweep.ts';
import type { PastRun } from '../../domain/prices/plausibility.ts';
import type { RunRecord } from '../../domain/reports/run-record.ts';
import type { FinishedSweep } from '../../domain/reports/sweep.ts';
import { type Alias, describeStations } from '../../domain/stations/alias.ts';
import type { SweepContext } from '../../sources/source.ts';
import type { ReplayStart, SourceStart } from '../../store/prices/replay-start.ts';

/** Past runs that the plausibility check compares with. */
const PAST_RUNS = 30;

export class ReplayState {
  readonly #aliases: Map<string, Alias>;
  readonly #sources: Map<string, SourceState>;
  readonly #manual: ReplayStart['manual'];

  constructor(start: ReplayStart) {
    this.#aliases = new Map(start.aliases.map((alias) => [aliasKey(alias), alias]));
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

  /** Applies a finished sweep if it is plausible; returns the run record that it would have left. */
  apply(finished: FinishedSweep, terms: JudgingTerms): RunRecord {
    const day = dayNumber(bucharestDay(terms.at));
    const state = this.#source(finished.source);
    const { known, refusals, past } = state;
    const facts = finished.sweep.brandPrices?.length ? this.#facts(day) : [];
    const before = { known, refusals, past, aliases: [...this.#aliases.values()], facts };
    const { run, accepted } = judgeSweep(finished, before, terms);
    if (run.outcome !== 'failed') state.past = [run as PastRun, ...past].slice(0, PAST_RUNS);
    if (accepted === null) return run;
    state.accept(accepted, terms.at);
    for (const alias of accepted.identified.aliases) this.#saveAlias(alias);
    return run;
  }

  /** The facts to build a snapshot from. */
  facts(day: DayNumber): PublishedFacts {
    return { ...NO_PUBLISHED_FACTS, stations: describeStations([...this.#aliases.values()]), prices: this.#facts(day) };
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
  #saveAlias(alias: Alias): void {
    const known = this.#aliases.get(aliasKey(alias));
    if (known !== undefined && isDeepStrictEqual({ ...alias, seenAt: known.seenAt }, known)) return;
    this.#aliases.set(aliasKey(alias), alias);
  }
}

const EMPTY_START: SourceStart = { knownPrices: [], readAt: () => null, pastRuns: [], units: [] };

const aliasKey = ({ source, key }: Alias) => `${source} ${key}`;

/** The state of one source. */
class SourceState {
  known: readonly KnownPrice[];
  past: readonly PastRun[];
  readonly refusals = new Map<string, number>();
  readonly units: Set<number>;
  /** When each unit was last read, and each fact last changed in anything. */
  readonly #unitReadAt = new Map<string, number>();
  readonly #factChangedAt = new Map<string, number>();

  constructor({ knownPrices, readAt, pastRuns, units }: SourceStart) {
    this.known = knownPrices;
    this.past = pastRuns;
    this.units = new Set(units);
    for (const unit of new Set(knownPrices.map((fact) => fact.unit))) {
      const at = readAt(unit);
      if (at !== null) this.#unitReadAt.set(unit, at);
    }
  }

  accept({ settled, changes, identified }: NonNullable<JudgedSweep['accepted']>, at: number): void {
    this.known = changes.factsAfter;
    for (const fact of changes.changedFacts) this.#factChangedAt.set(factKey(fact.station, fact.fuel), at);
    for (const unit of settled.answered) {
      this.#unitReadAt.set(unit, at);
      this.refusals.delete(unit);
    }
    for (const [unit, times] of settled.refusals) this.refusals.set(unit, times);
    for (const { siruta } of identified.aliases) if (siruta !== null) this.units.add(siruta);
  }

  facts(): StoredPrice[] {
    return this.known.map((fact) => ({ ...fact, readAt: this.#readAt(fact) }));
  }

  #readAt({ station, fuel, unit, observed }: KnownPrice): number {
    const read = this.#unitReadAt.get(unit) ?? this.#factChangedAt.get(factKey(station, fuel));
    return read ?? observed?.at ?? Number.NEGATIVE_INFINITY;
  }
}
