/**
 * The weekly cap of clients without a key. The database decides; its refusals are remembered until they end. While it
 * cannot be asked this process decides alone, and tells it afterwards: the cap never falls open.
 */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { batchLimits, decidedWithin, LimitsUnavailable, STATEMENT_DEADLINE_MS } from './limit-batch.ts';
import {
  type CapVerdict,
  recordWeeklyAcceptances,
  refundWeeklyCap,
  takeWeeklyCaps,
  type WeeklyCapKey,
  weeklyCapKeyText,
} from './weekly-caps.ts';

/** A request of a client: its canonical address or network, and the endpoint's path template. */
export type CappedRequest = { readonly client: string; readonly endpoint: string };

/** `since` = when the answer was accepted that the cap counts, `now` = the present, both by one clock, epoch ms. */
export type CapDecision = {
  readonly accepted: boolean;
  readonly since: number;
  readonly now: number;
  /** For so long the refusal stands without asking again. */
  readonly validForMs?: number;
};

const CAP_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** Each costs about 400 bytes; of one that was forgotten the database is asked again. */
const MAX_KNOWN_DECISIONS = 30_000;
/** Of those that nobody else knows of more: with no room left all are refused. */
const MAX_LOCAL_ACCEPTANCES = 200_000;
/** An acceptance may be given back as long as its answer is being made: until then its refusals are remembered briefly. */
const REFUNDABLE_MS = 10_000;
/** Deciding alone is less exact: a slow database is waited for as long as a visitor may wait, two seconds in all. */
const DATABASE_TIMEOUT_MS = 1_700;
const REFUNDABLE_REFUSAL_MS = 1_000;
/** A database that takes longer to come, as one that is just being made, is not waited for by visitors. */
const MAX_STARTUP_WAIT_MS = 5_000;
/** How often is tried to tell the database what was decided alone, and how much of it at once. */
const SYNC_INTERVAL_MS = 1_000;
const SYNC_BATCH_SIZE = 1_000;

/**
 * What the database said of a visitor, its acceptance or a refusal. It is not asked again before `until`, by
 * `performance.now()`; `ahead` is the database's clock before that one.
 */
type KnownDecision = { readonly until: number; readonly since: number; readonly clockOffset: number };
/** Accepted without the database at `since` by this machine's clock, `at` by `performance.now()`. */
type LocalAcceptance = { readonly request: CappedRequest; readonly since: number; readonly at: number };

type WeeklyDatabase = Pick<DatabaseConnection, 'state' | 'whenReady' | 'query'>;

export type WeeklyLimitsOptions = {
  /** Makes the keyed hash under which a client is kept; `null` = its key is not known yet. */
  readonly hash: (client: string) => Buffer | null;
  /** Of this machine, epoch ms, for when there is no database. */
  readonly clock: () => number;
  /** Visitors that are remembered at most. */
  readonly maxEntries?: number;
};

export class WeeklyLimits {
  readonly #database: WeeklyDatabase;
  /** Until then a database that is about to come is waited for, by `performance.now()`. */
  readonly #waitsUntil = performance.now() + MAX_STARTUP_WAIT_MS;
  readonly #options: WeeklyLimitsOptions;
  readonly #ask: (visitor: CappedRequest) => Promise<CapVerdict>;
  readonly #knownDecisions: BoundedMap<KnownDecision>;
  readonly #localAcceptances: BoundedMap<LocalAcceptance>;
  /** Those of whom the database is being asked. */
  readonly #asking = new Set<string>();
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: WeeklyDatabase, options: WeeklyLimitsOptions) {
    this.#database = database;
    this.#options = options;
    this.#knownDecisions = new BoundedMap(options.maxEntries ?? MAX_KNOWN_DECISIONS);
    this.#localAcceptances = new BoundedMap(options.maxEntries ?? MAX_LOCAL_ACCEPTANCES);
    this.#ask = batchLimits<CappedRequest, CapVerdict>({
      ask: (visitors) => this.#decideInDatabase(visitors),
      timeoutMs: DATABASE_TIMEOUT_MS,
    });
  }

  /** Accepts the request, or tells which earlier one stands in its way. */
  take(request: CappedRequest): CapDecision | Promise<CapDecision> {
    const name = cappedRequestKey(request);
    const known = this.#knownDecisions.get(name);
    const at = performance.now();
    if (known !== undefined && at < known.until) return refusalFromKnown(known, at);
    // Beside the request that asks again no other one can be accepted.
    if (known !== undefined && this.#asking.has(name) && isCapped(known, at)) return refusalFromKnown(known, at);
    const local = this.#localAcceptances.get(name);
    if (local !== undefined && at < local.at + CAP_MS) return refusalFromLocal(local, at);
    const isComing = this.#database.state === 'connecting' && at < this.#waitsUntil;
    const decision = isComing ? this.#askWhenReady(request) : this.#ask(request);
    this.#asking.add(name);
    return decision
      .finally(() => this.#asking.delete(name))
      .then(
        (verdict) => this.#rememberVerdict(name, verdict),
        (error) => this.#decideLocally(request, error),
      );
  }

  /**
   * A database that is about to come decides, or each start of a process would give every visitor another answer. It is
   * waited for as long as one that is there.
   */
  async #askWhenReady(request: CappedRequest): Promise<CapVerdict> {
    const now = performance.now();
    const due = now + DATABASE_TIMEOUT_MS;
    const isReady = await this.#database.whenReady(Math.min(due, this.#waitsUntil) - now);
    if (!isReady) throw new LimitsUnavailable('there is no database yet');
    return decidedWithin(due - performance.now(), this.#ask(request));
  }

  /** Takes an acceptance back: its answer was not 200. */
  async refund(request: CappedRequest, since: number): Promise<void> {
    const name = cappedRequestKey(request);
    this.#knownDecisions.delete(name);
    // What is just being told is the database's by then.
    await this.#syncing;
    this.#knownDecisions.delete(name);
    if (this.#localAcceptances.get(name)?.since === since) return this.#localAcceptances.delete(name);
    const client = this.#options.hash(request.client);
    if (client === null) return;
    const visit = { client, endpoint: request.endpoint };
    await refundWeeklyCap(this.#database, visit, since, STATEMENT_DEADLINE_MS).catch(() => undefined);
  }

  async #decideInDatabase(visitors: readonly CappedRequest[]): Promise<CapVerdict[]> {
    const asked = new Map<string, WeeklyCapKey>();
    const names = visitors.map((visitor) => {
      const visit = this.#hashedRequestOf(visitor);
      asked.set(weeklyCapKeyText(visit), visit);
      return weeklyCapKeyText(visit);
    });
    const verdicts = await takeWeeklyCaps(this.#database, [...asked.values()], DATABASE_TIMEOUT_MS + 100);
    const byName = new Map([...asked.keys()].map((name, index) => [name, verdicts[index] as CapVerdict]));
    return names.map((name) => {
      const verdict = byName.get(name) as CapVerdict;
      // Of several requests of one client only the first is accepted.
      if (verdict.accepted) byName.set(name, { ...verdict, accepted: false });
      return verdict;
    });
  }

  #hashedRequestOf({ client, endpoint }: CappedRequest): WeeklyCapKey {
    const hash = this.#options.hash(client);
    if (hash === null) throw new DatabaseUnavailable('the key of the hashes is not known yet');
    return { client: hash, endpoint };
  }

  /** An acceptance is remembered, too: the database may be away when the client comes again. */
  #rememberVerdict(name: string, { accepted, since, now }: CapVerdict): CapDecision {
    const at = performance.now();
    const left = since + CAP_MS - now;
    // For an hour at most: an operator may have removed the row, or set the database's clock.
    const remembered = Math.min(left, now - since < REFUNDABLE_MS ? REFUNDABLE_REFUSAL_MS : HOUR_MS);
    this.#knownDecisions.set(name, { until: accepted ? at : at + remembered, since, clockOffset: now - at });
    return { accepted, since, now };
  }

  #decideLocally(request: CappedRequest, error: unknown): CapDecision {
    if (!(error instanceof LimitsUnavailable)) throw error;
    const name = cappedRequestKey(request);
    const at = performance.now();
    const known = this.#knownDecisions.get(name);
    if (known !== undefined && isCapped(known, at)) return refusalFromKnown(known, at);
    const local = this.#localAcceptances.get(name);
    if (local !== undefined && at < local.at + CAP_MS) return refusalFromLocal(local, at);
    const now = this.#options.clock();
    // With no room left to remember that it was accepted it is not: the cap never falls open.
    if (local === undefined && this.#localAcceptances.isFull)
      return { accepted: false, since: now - CAP_MS + HOUR_MS, now };
    this.#localAcceptances.set(name, { request, since: now, at });
    this.#scheduleSync();
    return { accepted: true, since: now, now };
  }

  #scheduleSync(): void {
    if (this.#syncing !== undefined || this.#timer !== undefined || this.#localAcceptances.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#syncing = this.#syncLocalAcceptances().finally(() => {
        this.#syncing = undefined;
        this.#scheduleSync();
      });
    }, SYNC_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Tells the database what was accepted without it; what cannot be told now is told later. */
  async #syncLocalAcceptances(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#localAcceptances.entries().take(SYNC_BATCH_SIZE).toArray();
        if (batch.length === 0) return;
        const accepted = batch.map(([, { request, since }]) => ({ ...this.#hashedRequestOf(request), since }));
        await recordWeeklyAcceptances(this.#database, accepted, STATEMENT_DEADLINE_MS);
        for (const [name, acceptance] of batch) this.#markSynced(name, acceptance);
      }
    } catch {
      // It is still away.
    }
  }

  /** The database may be away when the client comes again. */
  #markSynced(name: string, { since }: LocalAcceptance): void {
    const at = performance.now();
    this.#localAcceptances.delete(name);
    this.#knownDecisions.set(name, { until: at, since, clockOffset: this.#options.clock() - at });
  }
}

function isCapped({ since, clockOffset }: KnownDecision, at: number): boolean {
  return at + clockOffset < since + CAP_MS;
}

function refusalFromKnown({ until, since, clockOffset }: KnownDecision, at: number): CapDecision {
  return { accepted: false, since, now: at + clockOffset, validForMs: Math.max(0, until - at) };
}

function refusalFromLocal({ since, at: accepted }: LocalAcceptance, at: number): CapDecision {
  return { accepted: false, since, now: since + at - accepted };
}

/** One name for a client at an endpoint. */
const cappedRequestKey = ({ client, endpoint }: CappedRequest) => `${client} ${endpoint}`;
