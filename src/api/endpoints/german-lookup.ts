/**
 * The German channel: answers kept for 10 minutes, one call of the source for all who ask for the same at the same time,
 * and never more calls than the budget has, over all processes. Decision 35.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GermanSource } from '../../clients/tankerkoenig.ts';
import { Memory } from '../../concurrency/bounded-map.ts';
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

export type GermanChannelParts = {
  /** `null` = the operator has set no key. */
  readonly source: Pick<GermanSource, 'ask'> | null;
  /** `null` = there is no database yet. */
  readonly store: () => GermanStore | null;
  readonly log: Log;
};

const UNAVAILABLE: GermanOutcome = { kind: 'unavailable' };
const FAILED: GermanOutcome = { kind: 'failed' };

/** The contract's 5 s, less the way to the client. */
const PATIENCE_MS = 4_700;
/** Of it, what the source may take, and what is left for keeping its answer. */
const SOURCE_MS = 4_000;
const KEEPING_MS = 300;
/**
 * The statements before the source is asked have so long together, those after it what is left, or `KEEPING_MS`: with
 * the limit by the minute before them nobody waits for two seconds because of the database.
 */
const DATABASE_MS = 800;
/** With less time than this the source is not asked: the call would be wasted. */
const LEAST_SOURCE_MS = 1_000;
/** Longer than the source and the keeping take; after it whoever asked is taken for dead. */
const LEASE_MS = 5_000;
/** How often one who waits for another process looks. */
const LOOK_EVERY_MS = 100;
/** Fresh answers that this process holds: more than a budget of 250 calls an hour can fill. */
const HELD = 50;

/** The database could not be asked. */
class NoDatabase extends Error {}

type Held = { readonly answer: GermanAnswer; readonly until: number };

/** Makes the channel over its parts. */
export function createGermanChannel({ source, store, log }: GermanChannelParts): GermanChannel {
  const held = new Memory<Held>(HELD);
  const underWay = new Map<string, Promise<GermanOutcome>>();
  return {
    find(search) {
      if (source === null) return { kind: 'not configured' };
      const cell = cellOf(search);
      const name = `${cell.lat} ${cell.lng} ${cell.radiusKm}`;
      const known = held.get(name);
      if (known !== undefined && performance.now() < known.until) return { kind: 'found', answer: known.answer };
      const shared = underWay.get(name);
      if (shared !== undefined) return shared;
      const opened = store();
      if (opened === null) return UNAVAILABLE;
      const hold = (answer: GermanAnswer, until: number) => {
        for (const [old, { until: end }] of held.entries()) if (end <= performance.now()) held.delete(old);
        held.set(name, { answer, until });
      };
      const outcome = withinPatience(new Look({ source, store: opened, log, search, cell, hold })).finally(() =>
        underWay.delete(name),
      );
      underWay.set(name, outcome);
      return outcome;
    },
  };
}

/** Whatever hangs, an outcome is there in time. */
async function withinPatience(look: Look): Promise<GermanOutcome> {
  const late = Promise.withResolvers<GermanOutcome>();
  const timer = setTimeout(() => late.resolve(UNAVAILABLE), PATIENCE_MS);
  try {
    return await Promise.race([look.outcome(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type LookParts = {
  readonly source: Pick<GermanSource, 'ask'>;
  readonly store: GermanStore;
  readonly log: Log;
  readonly search: GermanSearch;
  readonly cell: GermanCell;
  /** Keeps an answer in this process until that moment of `performance.now()`. */
  readonly hold: (answer: GermanAnswer, until: number) => void;
};

/** One search through the database, for all in this process who want the same. */
class Look {
  readonly #parts: LookParts;
  readonly #end = performance.now() + PATIENCE_MS;
  /** What statements may still take. */
  #databaseMs = DATABASE_MS;

  constructor(parts: LookParts) {
    this.#parts = parts;
  }

  async outcome(): Promise<GermanOutcome> {
    try {
      return await this.#find();
    } catch (error) {
      if (!(error instanceof NoDatabase)) throw error;
      this.#parts.log.warn({ reason: error.message }, 'the German channel cannot use the database');
      return UNAVAILABLE;
    }
  }

  async #find(): Promise<GermanOutcome> {
    const { store, cell, hold } = this.#parts;
    let waitedFor: number | null = null;
    while (this.#leftMs() > 0) {
      const asked = performance.now();
      const seen = await this.#database((ms) => store.look(cell, ms));
      if (seen.kind === 'fresh') {
        hold(seen.answer, asked + GERMAN_FRESH_MS - seen.ageMs);
        return { kind: 'found', answer: seen.answer };
      }
      if (seen.kind === 'asking') {
        waitedFor = seen.asks;
        // It is there, and it is the source that is waited for.
        this.#databaseMs = DATABASE_MS;
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      if (seen.failed && seen.asks === waitedFor) return FAILED;
      if (!seen.budget.free) return { kind: 'over budget', waitMs: seen.budget.waitMs };
      if (this.#leftMs() < LEAST_SOURCE_MS + KEEPING_MS) return UNAVAILABLE;
      const lease = await this.#database((ms) => store.claim(cell, LEASE_MS, ms));
      if (lease !== null) return this.#ask(lease);
    }
    return UNAVAILABLE;
  }

  /** Holding the lease: the one who asks. */
  async #ask(lease: GermanLease): Promise<GermanOutcome> {
    const { source, store, search, log, hold } = this.#parts;
    const place = await this.#database((ms) => store.spend(ms));
    if (!place.free) {
      await this.#giveBack(lease, false);
      return { kind: 'over budget', waitMs: place.waitMs };
    }
    this.#databaseMs = Math.max(this.#databaseMs, KEEPING_MS);
    const reading = await source.ask(search, Math.min(SOURCE_MS, this.#leftMs() - KEEPING_MS));
    if ('failed' in reading) {
      log.warn({ reason: reading.failed }, 'the German source gave no answer');
      await this.#giveBack(lease, true);
      return FAILED;
    }
    if (Object.keys(reading.dropped).length > 0) {
      log.warn({ dropped: reading.dropped }, 'stations of the German source could not be understood');
    }
    const asked = performance.now();
    const answeredAt = await this.#database((ms) => store.keep(lease, search, reading.stations, ms));
    if (answeredAt === null) return FAILED;
    const answer: GermanAnswer = { search, stations: reading.stations, answeredAt };
    hold(answer, asked + GERMAN_FRESH_MS);
    return { kind: 'found', answer };
  }

  /** Where it cannot be told, the lease ends by itself. */
  async #giveBack(lease: GermanLease, failed: boolean): Promise<void> {
    await this.#database((ms) => this.#parts.store.end(lease, failed, ms)).catch(() => undefined);
  }

  /** One statement, in what is left of the time for them. */
  async #database<T>(work: (withinMs: number) => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work(Math.max(1, Math.floor(this.#databaseMs)));
    } catch (error) {
      throw new NoDatabase((error as Error).message);
    } finally {
      this.#databaseMs -= performance.now() - begun;
    }
  }

  #leftMs(): number {
    return this.#end - performance.now();
  }
}
