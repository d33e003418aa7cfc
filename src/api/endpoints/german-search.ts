/**
 * The German channel: caches answers for 10 minutes, calls the source once for concurrent equal searches, and never
 * calls it more often than the budget allows, over all processes. Rule 35.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GermanSource } from '../../clients/tankerkoenig.ts';
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';
import {
  cellOf,
  type GermanAnswer,
  type GermanCell,
  type GermanOutcome,
  type GermanSearch,
} from '../../domain/german-station.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import type { GermanBudgetDecision, GermanCaller } from '../../store/germany/german-budget.ts';
import { GERMAN_FRESH_MS, type GermanLease, type GermanStore } from '../../store/germany/german-store.ts';
import type { Caller } from '../request/caller.ts';
import type { Log } from '../response/log.ts';

export type GermanSearchService = {
  /**
   * The stations around a point. Rejects only on a bug; settles within 5 s of the request's start
   * (`performance.now()`), whatever it waited for before.
   */
  find(search: GermanSearch, caller: Caller, startedAt: number): GermanOutcome | Promise<GermanOutcome>;
};

export type GermanSearchDependencies = {
  /** `null` = the operator has set no key. */
  readonly source: Pick<GermanSource, 'ask'> | null;
  readonly store: GermanStore;
  /** Who takes part of the budget with a request. */
  readonly identify: (caller: Caller) => GermanCaller;
  readonly log: Log;
};

const UNAVAILABLE: GermanOutcome = { kind: 'unavailable' };
const FAILED: GermanOutcome = { kind: 'failed' };

/** The contract's 5 s, less the time to reach the client; the minute limit waits within it, too. */
const SEARCH_DEADLINE_MS = 4_700;
/** How much of that time the call to the source may take, and storing its answer. */
const SOURCE_REQUEST_TIMEOUT_MS = 4_000;
const SAVE_TIMEOUT_MS = 300;
/**
 * All statements before the call to the source share this budget. Statements after it get the rest, at least
 * `SAVE_TIMEOUT_MS`. A request that polls while another process calls the source has the whole budget again for each
 * poll.
 */
const DATABASE_BUDGET_BEFORE_SOURCE_MS = 800;
/** With less time left than this the source is not called: the call would be wasted. */
const MIN_SOURCE_REQUEST_MS = 1_000;
/** Longer than the call and storing its answer take; a process that holds the lease for longer counts as dead. */
const LEASE_MS = 5_000;
/** How often a process that waits for another one polls the database. */
const POLL_MS = 100;
/** Fresh answers cached in this process; the database has the others. */
const MAX_CACHED_ANSWERS = 50;

type CachedGermanAnswer = { readonly answer: GermanAnswer; readonly until: number };

/** Creates the service. */
export function createGermanSearchService({
  source,
  store,
  identify,
  log,
}: GermanSearchDependencies): GermanSearchService {
  const cache = new BoundedMap<CachedGermanAnswer>(MAX_CACHED_ANSWERS);
  const inFlight = new SingleFlight<GermanOutcome>();
  return {
    find(search, caller, startedAt) {
      if (source === null) return { kind: 'not configured' };
      const cell = cellOf(search);
      const name = `${cell.lat} ${cell.lng} ${cell.radiusKm}`;
      const known = cache.get(name);
      if (known !== undefined && performance.now() < known.until) return { kind: 'found', answer: known.answer };
      if (!store.isReady) return UNAVAILABLE;
      const identity = identify(caller);
      const cacheAnswer = (answer: GermanAnswer, until: number) => {
        for (const [old, { until: end }] of cache.entries()) if (end <= performance.now()) cache.delete(old);
        cache.set(name, { answer, until });
      };
      const end = startedAt + SEARCH_DEADLINE_MS;
      const lookUp = () =>
        settledBefore(
          end,
          new SharedGermanSearch({ source, store, log, search, cell, caller: identity, cacheAnswer, end }).run(),
        );
      return settledBefore(end, findShared(inFlight, name, lookUp));
    },
  };
}

/**
 * One look-up for all who want the same. Only an outcome due to one client's share is not shared: the others look up
 * for themselves, again one for all.
 */
async function findShared(
  inFlight: SingleFlight<GermanOutcome>,
  name: string,
  lookUp: () => Promise<GermanOutcome>,
): Promise<GermanOutcome> {
  for (let shared = inFlight.get(name); shared !== undefined; shared = inFlight.get(name)) {
    const outcome = await shared;
    if (!('isOwnShare' in outcome && outcome.isOwnShare)) return outcome;
  }
  return inFlight.start(name, lookUp);
}

/** Settles in time even if the database or the source hangs. */
async function settledBefore(end: number, outcome: Promise<GermanOutcome>): Promise<GermanOutcome> {
  try {
    return await withTimeout(end - performance.now(), outcome);
  } catch (error) {
    if (error instanceof TimeoutError) return UNAVAILABLE;
    throw error;
  }
}

type SharedGermanSearchDependencies = {
  readonly source: Pick<GermanSource, 'ask'>;
  readonly store: GermanStore;
  readonly log: Log;
  readonly search: GermanSearch;
  readonly cell: GermanCell;
  readonly caller: GermanCaller;
  /** Caches an answer in this process until that moment of `performance.now()`. */
  readonly cacheAnswer: (answer: GermanAnswer, until: number) => void;
  /** When it must be done, by `performance.now()`. */
  readonly end: number;
};

/** One search, shared by all concurrent equal requests to this process. */
class SharedGermanSearch {
  readonly #dependencies: SharedGermanSearchDependencies;
  /** The time that statements may still take. */
  #databaseBudgetMs = DATABASE_BUDGET_BEFORE_SOURCE_MS;

  constructor(dependencies: SharedGermanSearchDependencies) {
    this.#dependencies = dependencies;
  }

  async run(): Promise<GermanOutcome> {
    try {
      return await this.#find();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      this.#dependencies.log.warn({ reason: error.message }, 'the German channel cannot use the database');
      return UNAVAILABLE;
    }
  }

  async #find(): Promise<GermanOutcome> {
    const { store, cell, caller, cacheAnswer } = this.#dependencies;
    let waitedFor: number | null = null;
    while (this.#remainingMs() > 0) {
      const readAt = performance.now();
      const state = await this.#runStatement((ms) => store.readCell(cell, caller, ms));
      if (state.kind === 'fresh') {
        cacheAnswer(state.answer, readAt + GERMAN_FRESH_MS - state.ageMs);
        return { kind: 'found', answer: state.answer };
      }
      if (state.kind === 'querying') {
        waitedFor = state.attempt;
        // The database answers; the wait is for the source.
        this.#databaseBudgetMs = DATABASE_BUDGET_BEFORE_SOURCE_MS;
        await sleep(POLL_MS);
        continue;
      }
      if (state.failed && state.attempt === waitedFor) return FAILED;
      if (!state.budget.isAllowed) return withoutCall(state.budget, state.stale);
      if (this.#remainingMs() < MIN_SOURCE_REQUEST_MS + SAVE_TIMEOUT_MS) return UNAVAILABLE;
      const lease = await this.#runStatement((ms) => store.takeLease(cell, LEASE_MS, ms));
      if (lease !== null) return this.#querySource(lease, state.stale);
    }
    return UNAVAILABLE;
  }

  /** Calls the source; only the holder of the lease does. */
  async #querySource(lease: GermanLease, stale: GermanAnswer | null): Promise<GermanOutcome> {
    const { source, store, search, caller, log, cacheAnswer } = this.#dependencies;
    const budget = await this.#runStatement((ms) => store.takeCall(caller, ms));
    if (!budget.isAllowed) {
      await this.#releaseLease(lease, false);
      return withoutCall(budget, stale);
    }
    this.#databaseBudgetMs = Math.max(this.#databaseBudgetMs, SAVE_TIMEOUT_MS);
    const reading = await source.ask(
      search,
      Math.min(SOURCE_REQUEST_TIMEOUT_MS, this.#remainingMs() - SAVE_TIMEOUT_MS),
    );
    if ('failed' in reading) {
      log.warn({ reason: reading.failed }, 'the German source gave no answer');
      await this.#releaseLease(lease, true);
      return FAILED;
    }
    if (Object.keys(reading.dropped).length > 0) {
      log.warn({ dropped: reading.dropped }, 'stations of the German source could not be understood');
    }
    const savedFrom = performance.now();
    const answeredAt = await this.#runStatement((ms) => store.saveAnswer(lease, search, reading.stations, ms));
    if (answeredAt === null) return FAILED;
    const answer: GermanAnswer = { search, stations: reading.stations, answeredAt };
    cacheAnswer(answer, savedFrom + GERMAN_FRESH_MS);
    return { kind: 'found', answer };
  }

  /** If the database cannot be reached, the lease expires by itself. */
  async #releaseLease(lease: GermanLease, failed: boolean): Promise<void> {
    await this.#runStatement((ms) => this.#dependencies.store.release(lease, failed, ms)).catch(() => undefined);
  }

  /** Runs one statement within the rest of the database budget; one that fails counts as a database that is away. */
  async #runStatement<T>(work: (withinMs: number) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work(Math.max(1, Math.floor(this.#databaseBudgetMs)));
    } catch (error) {
      throw new DatabaseUnavailable((error as Error).message, { cause: error });
    } finally {
      this.#databaseBudgetMs -= performance.now() - startedAt;
    }
  }

  #remainingMs(): number {
    return this.#dependencies.end - performance.now();
  }
}

/** The outcome where no call is left: an older answer, whose time says how old it is, rather than none. */
function withoutCall({ waitMs, isOwnShare }: GermanBudgetDecision, stale: GermanAnswer | null): GermanOutcome {
  return stale === null ? { kind: 'over budget', waitMs, isOwnShare } : { kind: 'found', answer: stale, isOwnShare };
}
