/**
 * Limits of the site per client and minute. A page never waits for the database: this process decides at once from what
 * it remembers, and reports the clients that read much in the background; the database then tells it when the client
 * has used up the limit in all processes together. Decision 20.
 */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { checkWindow, recordInWindow } from '../../domain/access/sliding-window.ts';
import type { Queryable } from '../connection/database-connection.ts';
import type { KeyedHasher } from './address-hash.ts';
import { STATEMENT_TIMEOUT_MS } from './limit-batch.ts';
import type { MinuteLimitedRequest, WaitMs } from './minute-limits.ts';
import { grantMinuteSlots } from './minute-window-queries.ts';

const MINUTE_MS = 60_000;
/** Most visitors never read this many pages in a minute: reading costs the database nothing. */
const REPORTED_FROM = 20;
const REPORT_INTERVAL_MS = 1_000;
const MAX_REPORTED_AT_ONCE = 500;
const MAX_CLIENTS = 50_000;

/** The pages of a client that this process has let through; kept for the minute in which they count. */
type PageReads = {
  /** Those of the last minute, sorted, by `performance.now()`. */
  readonly times: number[];
  /** How many of them, the last ones, the database does not know. */
  unreported: number;
  /** When the client may read again, as the database has said. */
  refusedUntil: number;
};

export type PageLimitsOptions = {
  /** Makes the keyed hashes under which a client is stored. */
  readonly hasher: KeyedHasher;
  /** Processes of the same address: while the database is away each lets its part of a limit through; 1 by default. */
  readonly processes?: number | undefined;
  readonly reportIntervalMs?: number;
  /** Maximum number of remembered clients; beyond it those who have not read for longest are forgotten. */
  readonly maxEntries?: number;
};

export class PageLimits {
  readonly #database: Queryable;
  readonly #hasher: KeyedHasher;
  readonly #processes: number;
  #isDatabaseAway = false;
  readonly #reportIntervalMs: number;
  readonly #reads: BoundedMap<PageReads>;
  /** Clients to report, by name of the limit and client. */
  readonly #due = new Map<string, MinuteLimitedRequest>();
  #timer: NodeJS.Timeout | null = null;
  #report: Promise<void> = Promise.resolve();

  constructor(
    database: Queryable,
    { hasher, processes = 1, reportIntervalMs = REPORT_INTERVAL_MS, maxEntries = MAX_CLIENTS }: PageLimitsOptions,
  ) {
    this.#database = database;
    this.#hasher = hasher;
    this.#processes = processes;
    this.#reportIntervalMs = reportIntervalMs;
    this.#reads = new BoundedMap(maxEntries);
  }

  /** Takes a slot at once; returns 0, or the ms until one is free. */
  tryTake(request: MinuteLimitedRequest): WaitMs {
    const key = `${request.name} ${request.client}`;
    const now = performance.now();
    const reads = this.#reads.get(key) ?? { times: [], unreported: 0, refusedUntil: 0 };
    if (reads.refusedUntil > now) return reads.refusedUntil - now;
    const maxRequests = this.#isDatabaseAway ? Math.ceil(request.maxRequests / this.#processes) : request.maxRequests;
    const { isAllowed, waitMs } = checkWindow({ maxRequests, ms: MINUTE_MS }, reads.times, now);
    if (!isAllowed) return waitMs;
    recordInWindow({ ms: MINUTE_MS }, reads.times, now);
    this.#reads.deleteOldestWhile((each) => (each.times.at(-1) ?? 0) < now - MINUTE_MS && each.refusedUntil < now);
    reads.unreported = Math.min(reads.unreported + 1, reads.times.length);
    this.#reads.set(key, reads);
    if (reads.times.length >= REPORTED_FROM) this.#reportLater(key, request);
    return 0;
  }

  /** Ends the reports; what is not reported yet is lost. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#due.clear();
    await this.#report;
  }

  #reportLater(key: string, request: MinuteLimitedRequest): void {
    this.#due.set(key, request);
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#report = this.#reportDue().finally(() => {
        this.#timer = null;
        const [next] = this.#due;
        if (next !== undefined) this.#reportLater(...next);
      });
    }, this.#reportIntervalMs).unref();
  }

  async #reportDue(): Promise<void> {
    const due = [...this.#due].slice(0, MAX_REPORTED_AT_ONCE).flatMap(([key, request]) => {
      this.#due.delete(key);
      const reads = this.#reads.get(key);
      return reads === undefined ? [] : [{ reads, slots: reads.unreported, request }];
    });
    const demands = due.map(({ request, slots }) => ({ ...request, slots }));
    // Without the database this process decides alone; the next page of a client reports it again.
    const grants = await grantMinuteSlots(this.#database, demands, this.#hasher, STATEMENT_TIMEOUT_MS).catch(() => []);
    this.#isDatabaseAway = grants.length < demands.length;
    const now = performance.now();
    for (const [index, { waitMs }] of grants.entries()) {
      const { reads, slots } = due[index] as (typeof due)[number];
      reads.unreported = Math.max(0, reads.unreported - slots);
      reads.refusedUntil = waitMs === 0 ? 0 : now + waitMs;
    }
  }
}
