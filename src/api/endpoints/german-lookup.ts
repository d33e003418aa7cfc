/**
 * The German channel: answers kept for 10 minutes, one call of the source for all who ask for the same at the same time,
 * and never more calls than the budget has, over all processes. Rule 35.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GermanSource } from '../../clients/tankerkoenig.ts';
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import { TimeoutError, withTimeout } from '../../concurrency/with-timeout.ts';
import { cellOf, type GermanAnswer, type GermanCell, type GermanSearch } from '../../domain/german-station.ts';
import { GERMAN_FRESH_MS, type GermanLease, type GermanStore } from '../../store/germany/german-cache.ts';
import type { Log } from '../response/log.ts';

export type GermanOutcome =
  | { readonly kind: 'found'; readonly answer: GermanAnswer }
  /** The source gave no answer. */
  | { readonly kind: 'failed' }
  /** Our own budget of calls is used up until `waitMs` from now. */
  | { readonly kind: 'over budget'; readonly waitMs: number }
  /** The operator has set no key. */
  | { readonly kind: 'not configured' }
  /** The database cannot be asked, or whoever was asking the source is gone. */
  | { readonly kind: 'unavailable' };

export type GermanChannel = {
  /** The stations around a point. Never rejects but for a bug; decided within 5 s. */
  find(search: GermanSearch): GermanOutcome | Promise<GermanOutcome>;
};

export type GermanChannelDependencies = {
  /** `null` = the operator has set no key. */
  readonly source: Pick<GermanSource, 'ask'> | null;
  readonly store: GermanStore;
  readonly log: Log;
};

const UNAVAILABLE: GermanOutcome = { kind: 'unavailable' };
const FAILED: GermanOutcome = { kind: 'failed' };

/** The contract's 5 s, less the way to the client. */
const DEADLINE_MS = 4_700;
/** Of it, what the source may take, and what is left for keeping its answer. */
const SOURCE_MS = 4_000;
const SAVE_MS = 300;
/**
 * The statements before the source is asked have so long together, those after it what is left, or `SAVE_MS`: with
 * the limit by the minute before them nobody waits for two seconds because of the database.
 */
const DATABASE_BUDGET_MS = 800;
/** With less time than this the source is not asked: the call would be wasted. */
const MIN_SOURCE_MS = 1_000;
/** Longer than the source and the keeping take; after it whoever asked is taken for dead. */
const LEASE_MS = 5_000;
/** How often one who waits for another process looks. */
const POLL_MS = 100;
/** Fresh answers that this process holds: more than a budget of 250 calls an hour can fill. */
const MAX_CACHED_ANSWERS = 50;

/** The database could not be asked. */
class DatabaseFailed extends Error {}

type CachedGermanAnswer = { readonly answer: GermanAnswer; readonly until: number };

/** Makes the channel over its parts. */
export function createGermanChannel({ source, store, log }: GermanChannelDependencies): GermanChannel {
  const cache = new BoundedMap<CachedGermanAnswer>(MAX_CACHED_ANSWERS);
  const inFlight = new SingleFlight<GermanOutcome>();
  return {
    find(search) {
      if (source === null) return { kind: 'not configured' };
      const cell = cellOf(search);
      const name = `${cell.lat} ${cell.lng} ${cell.radiusKm}`;
      const known = cache.get(name);
      if (known !== undefined && performance.now() < known.until) return { kind: 'found', answer: known.answer };
      const shared = inFlight.get(name);
      if (shared !== undefined) return shared;
      if (!store.isReady) return UNAVAILABLE;
      const cacheAnswer = (answer: GermanAnswer, until: number) => {
        for (const [old, { until: end }] of cache.entries()) if (end <= performance.now()) cache.delete(old);
        cache.set(name, { answer, until });
      };
      const lookup = new GermanLookup({ source, store, log, search, cell, cacheAnswer });
      return inFlight.start(name, () => withinDeadline(lookup));
    },
  };
}

/** Whatever hangs, an outcome is there in time. */
async function withinDeadline(lookup: GermanLookup): Promise<GermanOutcome> {
  try {
    return await withTimeout(DEADLINE_MS, lookup.run());
  } catch (error) {
    if (error instanceof TimeoutError) return UNAVAILABLE;
    throw error;
  }
}

type GermanLookupDependencies = {
  readonly source: Pick<GermanSource, 'ask'>;
  readonly store: GermanStore;
  readonly log: Log;
  readonly search: GermanSearch;
  readonly cell: GermanCell;
  /** Keeps an answer in this process until that moment of `performance.now()`. */
  readonly cacheAnswer: (answer: GermanAnswer, until: number) => void;
};

/** One search through the database, for all in this process who want the same. */
class GermanLookup {
  readonly #dependencies: GermanLookupDependencies;
  readonly #end = performance.now() + DEADLINE_MS;
  /** What statements may still take. */
  #databaseMs = DATABASE_BUDGET_MS;

  constructor(dependencies: GermanLookupDependencies) {
    this.#dependencies = dependencies;
  }

  async run(): Promise<GermanOutcome> {
    try {
      return await this.#find();
    } catch (error) {
      if (!(error instanceof DatabaseFailed)) throw error;
      this.#dependencies.log.warn({ reason: error.message }, 'the German channel cannot use the database');
      return UNAVAILABLE;
    }
  }

  async #find(): Promise<GermanOutcome> {
    const { store, cell, cacheAnswer } = this.#dependencies;
    let waitedFor: number | null = null;
    while (this.#remainingMs() > 0) {
      const askedAt = performance.now();
      const state = await this.#runStatement((ms) => store.readCell(cell, ms));
      if (state.kind === 'fresh') {
        cacheAnswer(state.answer, askedAt + GERMAN_FRESH_MS - state.ageMs);
        return { kind: 'found', answer: state.answer };
      }
      if (state.kind === 'asking') {
        waitedFor = state.asks;
        // It is there, and it is the source that is waited for.
        this.#databaseMs = DATABASE_BUDGET_MS;
        await sleep(POLL_MS);
        continue;
      }
      if (state.failed && state.asks === waitedFor) return FAILED;
      if (!state.budget.isAllowed) return { kind: 'over budget', waitMs: state.budget.waitMs };
      if (this.#remainingMs() < MIN_SOURCE_MS + SAVE_MS) return UNAVAILABLE;
      const lease = await this.#runStatement((ms) => store.claim(cell, LEASE_MS, ms));
      if (lease !== null) return this.#querySource(lease);
    }
    return UNAVAILABLE;
  }

  /** Holding the lease: the one who asks. */
  async #querySource(lease: GermanLease): Promise<GermanOutcome> {
    const { source, store, search, log, cacheAnswer } = this.#dependencies;
    const budget = await this.#runStatement((ms) => store.spend(ms));
    if (!budget.isAllowed) {
      await this.#releaseLease(lease, false);
      return { kind: 'over budget', waitMs: budget.waitMs };
    }
    this.#databaseMs = Math.max(this.#databaseMs, SAVE_MS);
    const reading = await source.ask(search, Math.min(SOURCE_MS, this.#remainingMs() - SAVE_MS));
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

  /** Where it cannot be told, the lease ends by itself. */
  async #releaseLease(lease: GermanLease, failed: boolean): Promise<void> {
    await this.#runStatement((ms) => this.#dependencies.store.release(lease, failed, ms)).catch(() => undefined);
  }

  /** One statement, in what is left of the time for them. */
  async #runStatement<T>(work: (withinMs: number) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work(Math.max(1, Math.floor(this.#databaseMs)));
    } catch (error) {
      throw new DatabaseFailed((error as Error).message);
    } finally {
      this.#databaseMs -= performance.now() - startedAt;
    }
  }

  #remainingMs(): number {
    return this.#end - performance.now();
  }
}
