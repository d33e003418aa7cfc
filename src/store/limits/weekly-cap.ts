/**
 * The weekly cap of clients without a key. The database decides; this process remembers its refusals until they end.
 * While the database is unavailable the process decides alone and stores its acceptances afterwards: the cap never
 * fails open.
 */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { WEEKLY_CAP_MS } from '../../domain/access/request-limits.ts';
import { type BatchCounts, createBatchCounts } from '../../telemetry/batch-counts.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { type AcceptanceClaims, refusedForAnHour } from './acceptance-claims.ts';
import { type KeyedHasher, withCurrentKey } from './address-hash.ts';
import { batchLimits, decidedWithin, LimitsUnavailable, STATEMENT_TIMEOUT_MS } from './limit-batch.ts';
import {
  type CappedRequest,
  type CapVerdict,
  recordWeeklyAcceptances,
  refundWeeklyCaps,
  takeWeeklyCaps,
  type WeeklyAcceptance,
} from './weekly-cap-queries.ts';

/** `acceptedAt` and `now` are by one clock, the database's or this machine's, epoch ms. */
export type CapDecision = CapVerdict & {
  /** How long this process repeats the refusal without asking the database. */
  readonly validForMs?: number;
};

const HOUR_MS = 3_600_000;
/** About 350 bytes each. For a client that was evicted the process asks the database again. */
const MAX_KNOWN_DECISIONS = 30_000;
/** More than those, because the database does not know them yet: with this map full, every new client is refused. */
const MAX_LOCAL_ACCEPTANCES = 200_000;
/** A refund can follow while the answer is being made: refusals by a younger acceptance are remembered only briefly. */
const REFUNDABLE_MS = 10_000;
const REFUNDABLE_REFUSAL_MS = 1_000;
/** A local decision is less exact, so a request waits for a slow database almost as long as a client may wait (2 s). */
const DATABASE_TIMEOUT_MS = 1_700;
/** How long after the start requests wait for the first connection. A new embedded database takes longer to create. */
const MAX_STARTUP_WAIT_MS = 5_000;
/** How often, and how many at once, the process tries to store its local acceptances. */
const SYNC_INTERVAL_MS = 1_000;
const SYNC_BATCH_SIZE = 1_000;

/**
 * When a request was accepted: by the clock of whoever accepted it, the database's or this machine's, epoch ms, and by
 * `performance.now()`, rounded down, so that no request comes before it: whole milliseconds, which take no memory of
 * their own for 24 days.
 */
type Acceptance = { readonly acceptedAt: number; readonly monotonicAt: number };
/**
 * The acceptance by the database's last decision on a request. Until `trustedUntil`, by `performance.now()`, the
 * process does not ask again.
 */
type KnownDecision = Acceptance & { readonly trustedUntil: number };
/** Accepted without the database. */
type LocalAcceptance = Acceptance & { readonly request: CappedRequest };

type WeeklyDatabase = Pick<DatabaseConnection, 'state' | 'whenReady' | 'query'>;

export type WeeklyCapOptions = {
  /** Makes the keyed hashes under which a client is stored. */
  readonly hasher: KeyedHasher;
  /** This machine's clock, epoch ms, for decisions without the database. */
  readonly clock: () => number;
  /** Shared with other processes of the same address, which clients reach by turns; by default there are none. */
  readonly claims?: AcceptanceClaims | undefined;
  /** Maximum number of remembered requests. */
  readonly maxEntries?: number;
  readonly batches?: BatchCounts;
};

export class WeeklyCap {
  readonly #database: WeeklyDatabase;
  /** Until then requests wait for the first connection, by `performance.now()`. */
  readonly #startupEnd = performance.now() + MAX_STARTUP_WAIT_MS;
  readonly #options: WeeklyCapOptions;
  readonly #decide: (request: CappedRequest) => Promise<CapVerdict>;
  readonly #refundInDatabase: (acceptance: WeeklyAcceptance) => Promise<null>;
  readonly #knownDecisions: BoundedMap<KnownDecision>;
  readonly #localAcceptances: BoundedMap<LocalAcceptance>;
  /** When the database accepted requests too late, epoch ms, by the acceptance in this process that was answered. */
  readonly #lateAcceptances: BoundedMap<number>;
  /** The requests that wait for the database's decision. */
  readonly #undecided = new Set<string>();
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: WeeklyDatabase, options: WeeklyCapOptions) {
    this.#database = database;
    this.#options = options;
    this.#knownDecisions = new BoundedMap(options.maxEntries ?? MAX_KNOWN_DECISIONS);
    this.#localAcceptances = new BoundedMap(options.maxEntries ?? MAX_LOCAL_ACCEPTANCES);
    this.#lateAcceptances = new BoundedMap(options.maxEntries ?? MAX_KNOWN_DECISIONS);
    const { batches = createBatchCounts() } = options;
    this.#decide = batchLimits<CappedRequest, CapVerdict>({
      runBatch: (requests) => this.#decideInDatabase(requests),
      onLateAnswers: (requests, verdicts) => {
        for (const [index, request] of requests.entries()) this.#reconcileLate(request, verdicts[index] as CapVerdict);
      },
      timeoutMs: DATABASE_TIMEOUT_MS,
      series: batches.weekly_cap,
    });
    this.#refundInDatabase = batchLimits<WeeklyAcceptance, null>({
      runBatch: async (acceptances) => {
        await refundWeeklyCaps(database, acceptances, options.hasher, STATEMENT_TIMEOUT_MS);
        return acceptances.map(() => null);
      },
      timeoutMs: STATEMENT_TIMEOUT_MS,
      series: batches.weekly_cap_refund,
    });
  }

  /** Accepts the request, or refuses it and returns when the earlier one was accepted. */
  tryTake(request: CappedRequest): CapDecision | Promise<CapDecision> {
    const name = cappedRequestText(request);
    const known = this.#knownDecisions.get(name);
    const at = performance.now();
    if (known !== undefined && at < known.trustedUntil) return knownRefusal(known, at);
    // While one request checks again, no other request of the client can be accepted.
    if (known !== undefined && this.#undecided.has(name) && isCapped(known, at)) return knownRefusal(known, at);
    const local = this.#localAcceptances.get(name);
    if (local !== undefined && isCapped(local, at)) return refusal(local, at);
    const isStarting = this.#database.state === 'connecting' && at < this.#startupEnd;
    const decision = isStarting ? this.#decideWhenReady(request) : this.#decide(request);
    this.#undecided.add(name);
    return decision
      .finally(() => this.#undecided.delete(name))
      .then(
        (verdict) => this.#rememberVerdict(name, verdict),
        (error) => this.#decideLocally(request, error),
      );
  }

  /**
   * Waits for the first connection, so that restarting a process does not accept every client once more. The wait and
   * the decision together take no longer than a decision of a ready database.
   */
  async #decideWhenReady(request: CappedRequest): Promise<CapVerdict> {
    const now = performance.now();
    const due = now + DATABASE_TIMEOUT_MS;
    const isReady = await this.#database.whenReady(Math.min(due, this.#startupEnd) - now);
    if (!isReady) throw new LimitsUnavailable('there is no database yet');
    const decision = this.#decide(request);
    return decidedWithin(due - performance.now(), decision).catch((error) => {
      void decision.then(
        (verdict) => this.#reconcileLate(request, verdict),
        () => undefined,
      );
      throw error;
    });
  }

  /** Refunds an acceptance whose answer was not 200. */
  async refund(request: CappedRequest, acceptedAt: number): Promise<void> {
    const name = cappedRequestText(request);
    this.#options.claims?.release(name, acceptedAt);
    this.#knownDecisions.delete(name);
    // A running sync stores this acceptance first, so the refund below finds it in the database.
    await this.#syncing;
    this.#knownDecisions.delete(name);
    const isLocal = this.#localAcceptances.get(name)?.acceptedAt === acceptedAt;
    if (isLocal) this.#localAcceptances.delete(name);
    // The row has the later time of the two.
    const late = this.#lateAcceptances.get(acceptanceText(name, acceptedAt));
    this.#lateAcceptances.delete(acceptanceText(name, acceptedAt));
    const refundRowOf = (at: number) => this.#refundInDatabase({ ...request, acceptedAt: at }).catch(() => undefined);
    await Promise.all([isLocal ? null : refundRowOf(acceptedAt), late === undefined ? null : refundRowOf(late)]);
  }

  /**
   * Settles the database's verdict on a request that this process has decided alone by then. While an acceptance of
   * this process counts, its refund covers the database's one, too; else the answer was not 200: refunds that one.
   */
  #reconcileLate(request: CappedRequest, { accepted, acceptedAt }: CapVerdict): void {
    if (!accepted) return;
    const name = cappedRequestText(request);
    const known = this.#knownDecisions.get(name);
    // Another request of the client may have been refused because of the late acceptance itself.
    const isOther = known !== undefined && known.acceptedAt !== acceptedAt && isCapped(known, performance.now());
    const own = this.#localAcceptances.get(name) ?? (isOther ? known : undefined);
    if (own === undefined) void this.refund(request, acceptedAt);
    else this.#lateAcceptances.set(acceptanceText(name, own.acceptedAt), acceptedAt);
  }

  async #decideInDatabase(requests: readonly CappedRequest[]): Promise<CapVerdict[]> {
    const distinct = new Map(requests.map((request) => [cappedRequestText(request), request]));
    const { hasher } = this.#options;
    const verdicts = await takeWeeklyCaps(this.#database, [...distinct.values()], hasher, DATABASE_TIMEOUT_MS + 100);
    const byName = new Map([...distinct.keys()].map((name, index) => [name, verdicts[index] as CapVerdict]));
    return requests.map((request) => {
      const name = cappedRequestText(request);
      const verdict = byName.get(name) as CapVerdict;
      // Of several requests of one client only the first is accepted.
      if (verdict.accepted) byName.set(name, { ...verdict, accepted: false });
      return verdict;
    });
  }

  /** Remembers an acceptance, too: the database may be unavailable when the client sends its next request. */
  #rememberVerdict(name: string, { accepted, acceptedAt, now }: CapVerdict): CapDecision {
    const at = performance.now();
    const left = acceptedAt + WEEKLY_CAP_MS - now;
    // At most an hour: an operator may delete the row or set the database's clock.
    const trustedMs = Math.min(left, now - acceptedAt < REFUNDABLE_MS ? REFUNDABLE_REFUSAL_MS : HOUR_MS);
    const trustedUntil = Math.floor(accepted ? at : at + trustedMs);
    const monotonicAt = Math.floor(at + acceptedAt - now);
    this.#knownDecisions.set(name, { trustedUntil, acceptedAt, monotonicAt });
    return { accepted, acceptedAt, now };
  }

  #decideLocally(request: CappedRequest, error: unknown): CapDecision | Promise<CapDecision> {
    if (!(error instanceof LimitsUnavailable)) throw error;
    const name = cappedRequestText(request);
    const at = performance.now();
    const known = this.#knownDecisions.get(name);
    if (known !== undefined && isCapped(known, at)) return knownRefusal(known, at);
    const local = this.#localAcceptances.get(name);
    if (local !== undefined && isCapped(local, at)) return refusal(local, at);
    const now = this.#options.clock();
    // With no room to remember an acceptance the process refuses, for an hour: the cap never fails open.
    if (local === undefined && this.#localAcceptances.isFull)
      return { accepted: false, acceptedAt: refusedForAnHour(now), now };
    const { claims } = this.#options;
    // At once: two requests of a client must not both find that none was accepted.
    if (claims === undefined) return this.#acceptLocally(request, now);
    return Promise.resolve(claims.claim(name, now)).then((before) =>
      before === null ? this.#acceptLocally(request, now) : { accepted: false, acceptedAt: before, now },
    );
  }

  #acceptLocally(request: CappedRequest, now: number): CapDecision {
    const monotonicAt = Math.floor(performance.now());
    this.#localAcceptances.set(cappedRequestText(request), { request, acceptedAt: now, monotonicAt });
    this.#scheduleSync();
    return { accepted: true, acceptedAt: now, now };
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

  /** Stores local acceptances in the database; leaves those that it cannot store now to the next sync. */
  async #syncLocalAcceptances(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#localAcceptances.entries().take(SYNC_BATCH_SIZE).toArray();
        if (batch.length === 0) return;
        const rows = batch.map(([, { request, acceptedAt }]) => ({ ...request, acceptedAt }));
        const { hasher } = this.#options;
        await withCurrentKey(hasher, () => recordWeeklyAcceptances(this.#database, rows, hasher, STATEMENT_TIMEOUT_MS));
        for (const [name, acceptance] of batch) this.#markSynced(name, acceptance);
      }
    } catch {
      // The database is still unavailable.
    }
  }

  /** Still remembers the acceptance: the database may be unavailable when the client sends its next request. */
  #markSynced(name: string, { acceptedAt, monotonicAt }: LocalAcceptance): void {
    this.#localAcceptances.delete(name);
    this.#knownDecisions.set(name, { trustedUntil: Math.floor(performance.now()), acceptedAt, monotonicAt });
  }
}

function isCapped({ monotonicAt }: Acceptance, at: number): boolean {
  return at < monotonicAt + WEEKLY_CAP_MS;
}

function refusal({ acceptedAt, monotonicAt }: Acceptance, at: number): CapDecision {
  return { accepted: false, acceptedAt, now: acceptedAt + at - monotonicAt };
}

function knownRefusal(known: KnownDecision, at: number): CapDecision {
  return { ...refusal(known, at), validForMs: Math.max(0, known.trustedUntil - at) };
}

/** The request as a text, for maps. */
const cappedRequestText = ({ client, endpoint }: CappedRequest) => `${client} ${endpoint}`;
const acceptanceText = (name: string, acceptedAt: number) => `${name} ${acceptedAt}`;
