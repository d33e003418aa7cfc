/**
 * Empties the outbox of alerts. Each push service has its own queue, so that a slow one does not delay the others; only
 * one page per service is held in memory. One process at a time sends, under a lease.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { PushMessage, PushOutcome } from '../../clients/web-push.ts';
import { isNight, nextMorning } from '../../domain/alerts/alert.ts';
import {
  backOffOrigin,
  type Delivery,
  dueDeliveries,
  dueOrigins,
  recordDelivered,
  recordNotDelivered,
  rescheduleDelivery,
} from '../../store/alerts/outbox.ts';
import { releaseLease, takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { keepLease } from '../leases/keep-lease.ts';

export type DeliveryOptions = {
  readonly db: Kysely<Schema>;
  readonly holder: string;
  readonly leaseMs: number;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Formats an alert: the message, and the topic by which a later one replaces it. */
  readonly renderMessage: (delivery: Delivery) => Pick<PushMessage, 'payload' | 'topic'>;
  readonly send: (message: PushMessage) => Promise<PushOutcome>;
  readonly log: { info(message: string): void; warn(message: string): void };
};

export const PUSH_LEASE = 'push';
/** An older alert is no longer sent. */
const ALERT_TTL_MS = 12 * 3_600_000;
/** Concurrent messages to one push service. */
const CONCURRENT_SENDS = 8;
/** Messages read from the outbox at a time. */
const PAGE_SIZE = 200;
/**
 * Deliveries recorded in one statement. A kill repeats at most these and those under way, or eight such batches when
 * the database is slow; on a device each replaces the earlier one of its topic.
 */
const RECORDED_AT_ONCE = 8;
/** Push services served concurrently. */
const MAX_SENDERS = 64;
/** Polling interval for other push services with due messages. */
const POLL_MS = 500;
const INITIAL_BACKOFF_MS = 60_000;
const MAX_BACKOFF_MS = 3_600_000;
/** After this many consecutive failures the whole push service is paused, for as long as it asks of all of them. */
const MAX_CONSECUTIVE_FAILURES = CONCURRENT_SENDS;
/**
 * The longest pause of a push service for one subscription that it limits: the limit may be that subscription's own.
 */
const MAX_PAUSE_FOR_ONE_MS = 300_000;

/** Sends all that is due now; returns the number of delivered messages. `null` = another process is sending. */
export async function deliverDue(options: DeliveryOptions, signal: AbortSignal): Promise<number | null> {
  if ((await dueOrigins(options.db, options.clock(), 1)).length === 0) return 0;
  const lease = await takeLease(options.db, PUSH_LEASE, options.holder, options.leaseMs);
  if (lease === null) return null;
  const lost = new AbortController();
  // A process that was suspended must not continue to send when it resumes: its timers fire late.
  const keeping = { leaseMs: options.leaseMs, onLost: () => lost.abort(), expires: true };
  const stopRenewal = keepLease(options.db, lease, keeping);
  try {
    const renderMessage = renderOncePerAlert(options.renderMessage);
    return await sendAll({ ...options, renderMessage }, AbortSignal.any([signal, lost.signal]));
  } finally {
    stopRenewal();
    await releaseLease(options.db, lease).catch(() => undefined);
  }
}

async function sendAll(options: DeliveryOptions, signal: AbortSignal): Promise<number> {
  const senders = new Map<string, Promise<void>>();
  let delivered = 0;
  let failure: unknown;
  const startSender = (origin: string) => {
    const running = sendToOrigin(options, origin, signal, (count) => {
      delivered += count;
    })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => senders.delete(origin));
    senders.set(origin, running);
  };
  while (!signal.aborted && failure === undefined) {
    // Reads more origins than can be sent to at once: those that are being sent to still count as due.
    for (const origin of await dueOrigins(options.db, options.clock(), 2 * MAX_SENDERS)) {
      if (!senders.has(origin) && senders.size < MAX_SENDERS) startSender(origin);
    }
    if (senders.size === 0) break;
    await Promise.race([...senders.values(), sleep(POLL_MS)]);
  }
  await Promise.all(senders.values());
  if (failure !== undefined) throw failure;
  return delivered;
}

/** Sends to one push service until nothing is due or it is paused. */
async function sendToOrigin(
  options: DeliveryOptions,
  origin: string,
  signal: AbortSignal,
  onDelivered: (count: number) => void,
): Promise<void> {
  const failures = new ConsecutiveFailures();
  let pausedUntil = 0;
  let hasFailed = false;
  let unrecorded: Delivery[] = [];
  const recordUnrecorded = async () => {
    const delivered = unrecorded;
    unrecorded = [];
    try {
      if (delivered.length > 0) await recordDelivered(options.db, delivered, options.clock());
    } catch (error) {
      unrecorded = [...delivered, ...unrecorded];
      throw error;
    }
    onDelivered(delivered.length);
  };
  const pause = (until: number) => {
    pausedUntil = Math.max(pausedUntil, until);
  };
  const sendNext = async (page: Delivery[]) => {
    while (pausedUntil === 0 && !hasFailed && !signal.aborted) {
      const next = page.shift();
      if (next === undefined) return;
      const now = options.clock();
      // Messages that came too late for the evening, retries included, wait for the morning.
      if (isNight(now) && !next.details.simulated) return pause(nextMorning(now));
      const outcome = await deliver(options, next);
      if (outcome.kind === 'delivered') unrecorded.push(next);
      if (unrecorded.length >= RECORDED_AT_ONCE) await recordUnrecorded();
      const pauseMs = failures.pauseAfter(next, outcome);
      if (pauseMs !== null) pause(options.clock() + pauseMs);
    }
  };
  const sendUntilFailure = async (page: Delivery[]) => {
    try {
      await sendNext(page);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  while (pausedUntil === 0 && !signal.aborted) {
    const page = await dueDeliveries(options.db, origin, options.clock(), PAGE_SIZE);
    if (page.length === 0) return;
    try {
      await waitForAll(Array.from({ length: CONCURRENT_SENDS }, () => sendUntilFailure(page)));
    } finally {
      await recordUnrecorded();
    }
  }
  // Once nothing of this service is being recorded: two statements would lock its messages in different orders.
  if (pausedUntil > 0) await backOffOrigin(options.db, origin, pausedUntil);
}

/** The answers of one push service since it last accepted or refused a message. */
class ConsecutiveFailures {
  /** By subscription: how long the push service asks to wait, milliseconds. */
  readonly #waits = new Map<number, number>();

  /**
   * How long the whole push service is paused after this answer, milliseconds; `null` = it is not. A long wait that it
   * asks for one subscription holds back that one alone: somebody who has it limited must not delay the alerts of all
   * others.
   */
  pauseAfter(delivery: Delivery, outcome: PushOutcome): number | null {
    if (outcome.kind !== 'later') {
      this.#waits.clear();
      return null;
    }
    this.#waits.set(delivery.subscription, outcome.retryAfterMs ?? 0);
    if (this.#waits.size >= MAX_CONSECUTIVE_FAILURES) {
      return Math.min(MAX_BACKOFF_MS, Math.max(INITIAL_BACKOFF_MS, Math.min(...this.#waits.values())));
    }
    return outcome.isRateLimited ? Math.min(MAX_PAUSE_FOR_ONE_MS, backoffOf(delivery, outcome)) : null;
  }
}

/** Waits for all, also when one fails: no task is still running when this settles. */
async function waitForAll(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find((task) => task.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** All messages of an alert say the same, and the outbox gives them one after another. */
function renderOncePerAlert(render: DeliveryOptions['renderMessage']): DeliveryOptions['renderMessage'] {
  let last: { readonly alert: number; readonly message: ReturnType<typeof render> } | undefined;
  return (delivery) => {
    if (last?.alert !== delivery.alert) last = { alert: delivery.alert, message: render(delivery) };
    return last.message;
  };
}

/** Sends a message, and records every outcome but a delivery. */
async function deliver(options: DeliveryOptions, delivery: Delivery): Promise<PushOutcome> {
  const { db, clock, log } = options;
  const left = delivery.at + ALERT_TTL_MS - clock();
  if (left < 1_000) {
    await recordNotDelivered(db, delivery, 'expired', clock());
    return { kind: 'refused', why: 'it came too late' };
  }
  const { endpoint, p256dh, auth } = delivery;
  const ttlSeconds = Math.floor(Math.min(left, ALERT_TTL_MS) / 1000);
  const outcome = await options.send({ ...options.renderMessage(delivery), endpoint, p256dh, auth, ttlSeconds });
  if (outcome.kind === 'later') await rescheduleDelivery(db, delivery, clock() + backoffOf(delivery, outcome));
  else if (outcome.kind !== 'delivered') await recordNotDelivered(db, delivery, outcome.kind, clock());
  if ('why' in outcome) {
    log.warn(`alert ${delivery.alert} to subscription ${delivery.subscription}: ${outcome.kind}: ${outcome.why}`);
  }
  return outcome;
}

/** Doubles with each attempt, or as long as the push service asks for. */
function backoffOf({ tries }: Delivery, { retryAfterMs }: Extract<PushOutcome, { kind: 'later' }>): number {
  const growing = Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** tries);
  return Math.min(ALERT_TTL_MS, Math.max(growing, retryAfterMs ?? 0));
}
