/**
 * Posts what changed to webhooks. One process at a time sends, under a lease; one that is killed leaves each delivery
 * to be tried again under the same id. Decision 34 says how receivers that are slow or away are kept from delaying
 * others.
 */

import { SYSTEM_CLOCK, Throttle } from '../../concurrency/throttle.ts';
import { releaseLease, takeLease } from '../../store/connection/leases.ts';
import { closedKeys } from '../../store/webhooks/closed-keys.ts';
import { type DueDelivery, dueDeliveries, type Lane } from '../../store/webhooks/due-deliveries.ts';
import { findDeliveries } from '../../store/webhooks/find-deliveries.ts';
import { keepLease } from '../leases/keep-lease.ts';
import { DeliveryPlaces } from './delivery-places.ts';
import { SLOW_AFTER_MS, type TryOptions, tryDelivery } from './try-delivery.ts';

export type WebhookJob = TryOptions & { readonly holder: string; readonly leaseMs: number };

export type WebhookRunner = {
  /** Sends what is due. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

const WEBHOOK_LEASE = 'webhooks';
/** How often it looks for more while deliveries are under way, and there was none the last time. */
const POLL_MS = 250;
/** Statements of deliveries at a time: the connections are shared with other work, which would wait in vain. */
const STATEMENTS = 4;
const LANES: readonly Lane[] = ['prompt', 'slow'];

/** Sends all that is due now; returns how many deliveries arrived. `null` = another process is sending. */
export async function deliverToWebhooks(job: WebhookJob, signal: AbortSignal): Promise<number | null> {
  const lease = await takeLease(job.db, WEBHOOK_LEASE, job.holder, job.leaseMs);
  if (lease === null) return null;
  const lost = new AbortController();
  // A process that was suspended must not continue to send when it resumes: its timers fire late.
  const stopRenewal = keepLease(job.db, lease, {
    leaseMs: job.leaseMs,
    onLost: () => {
      if (!lost.signal.aborted) job.log.info('another process posts to webhooks now');
      lost.abort();
    },
    expires: true,
  });
  try {
    return await new Sending(job, AbortSignal.any([signal, lost.signal])).run();
  } finally {
    stopRenewal();
    await releaseLease(job.db, lease).catch(() => undefined);
  }
}

/** The deliveries of one run: those under way, and what is known of others. */
class Sending {
  readonly #job: WebhookJob;
  readonly #signal: AbortSignal;
  readonly #places = new DeliveryPlaces();
  readonly #statements = new Throttle({ parallel: STATEMENTS, pauseMs: 0, clock: SYSTEM_CLOCK });
  readonly #tries = new Set<Promise<void>>();
  #closed: readonly number[] = [];
  /** When it looked for more last, by the monotonic clock; whether that is worth doing again at once. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #hasMore = true;
  /** Due deliveries that may get a place. */
  readonly #queues: Record<Lane, DueDelivery[]> = { prompt: [], slow: [] };
  readonly #isWorthAsking: Record<Lane, boolean> = { prompt: true, slow: true };
  /** Whether it looked while nothing was under way, and found nothing: a delivery that ends may leave more to do. */
  #hasEnded = false;
  #wake = Promise.withResolvers<void>();
  #arrived = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(job: WebhookJob, signal: AbortSignal) {
    this.#job = job;
    this.#signal = signal;
  }

  async run(): Promise<number> {
    try {
      while (!this.#signal.aborted && this.#failure === null) {
        this.#wake = Promise.withResolvers();
        this.#hasEnded = this.#places.isEmpty;
        await this.#look();
        for (const lane of LANES) await this.#fill(lane);
        if (this.#hasMore) continue;
        if (!this.#places.isEmpty) await this.#pause();
        else if (this.#hasEnded) break;
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    // What is under way ends before another process, or the next run, may begin it again.
    await Promise.all(this.#tries);
    if (this.#failure !== null) throw this.#failure.error;
    return this.#arrived;
  }

  /** Stores deliveries of what was told meanwhile. */
  async #look(): Promise<void> {
    const { db, clock } = this.#job;
    const isTime = performance.now() - this.#lookedAt >= POLL_MS || this.#places.isEmpty;
    if (!isTime && !this.#hasMore) return;
    if (isTime) {
      this.#closed = await closedKeys(db, clock());
      this.#lookedAt = performance.now();
      for (const lane of LANES) this.#isWorthAsking[lane] = true;
    }
    this.#hasMore = (await findDeliveries(db, clock(), this.#closed)) > 0;
    if (this.#hasMore) for (const lane of LANES) this.#isWorthAsking[lane] = true;
  }

  /** Begins deliveries while there are places for them. */
  async #fill(lane: Lane): Promise<void> {
    const { db, clock } = this.#job;
    for (;;) {
      this.#queues[lane] = this.#queues[lane].filter((due) => !this.#begin(due, lane));
      if (!this.#isWorthAsking[lane] || !this.#places.hasFree(lane) || this.#signal.aborted) return;
      const known = { closed: this.#closed, underWay: this.#places.underWay, ...this.#places.full(lane) };
      this.#queues[lane] = await dueDeliveries(db, { now: clock(), lane, ...known });
      this.#isWorthAsking[lane] = this.#queues[lane].length > 0;
    }
  }

  /** Whether there was a place for it. */
  #begin(due: DueDelivery, lane: Lane): boolean {
    const place = this.#places.take(due, lane);
    if (place === null) return false;
    this.#hasEnded = false;
    const late = setTimeout(() => {
      this.#places.moveToSlow(place);
      this.#wake.resolve();
    }, this.#job.slowAfterMs ?? SLOW_AFTER_MS);
    const trying: Promise<void> = tryDelivery(this.#job, due.delivery, {
      closed: this.#closed,
      statements: this.#statements,
    })
      .then((hasArrived) => {
        if (hasArrived) this.#arrived += 1;
      })
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        clearTimeout(late);
        this.#places.release(place);
        this.#tries.delete(trying);
        this.#wake.resolve();
      });
    this.#tries.add(trying);
    return true;
  }

  /** Until a delivery ended, or gave its place to others, or it is time to look for more. */
  async #pause(): Promise<void> {
    const timer = setTimeout(this.#wake.resolve, POLL_MS);
    await this.#wake.promise;
    clearTimeout(timer);
  }
}
