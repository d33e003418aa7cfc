/**
 * Empties the outbox of alerts. Each push service has a lane of its own, so that a slow one delays nobody else; of each
 * only a page is held in memory. One process at a time sends, under a lease.
 */
import type { Kysely } from 'kysely';
import type { PushMessage, PushOutcome } from '../../clients/web-push.ts';
import { isNight, nextMorning } from '../../domain/alerts/alert.ts';
import {
  type Delivery,
  dueDeliveries,
  dueOrigins,
  finishDelivery,
  putOff,
  restOrigin,
} from '../../store/alerts/outbox.ts';
import { type Lease, releaseLease, renewLease, takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';

export type Delivering = {
  readonly db: Kysely<Schema>;
  readonly holder: string;
  readonly leaseMs: number;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Says an alert: what is sent, and by what topic a later one takes its place. */
  readonly say: (delivery: Delivery) => Pick<PushMessage, 'payload' | 'topic'>;
  readonly send: (message: PushMessage) => Promise<PushOutcome>;
  readonly log: { info(message: string): void; warn(message: string): void };
};

export const PUSH_LEASE = 'push';
/** An alert is worth telling for so long. */
const WORTH_MS = 12 * 3_600_000;
/** Messages under way to one push service at once. */
const AT_ONCE = 8;
/** Read from the outbox at a time. */
const PAGE = 200;
/** Push services sent to at once. */
const LANES = 64;
/** How often is looked whether another push service has something due. */
const LOOK_MS = 500;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;
/** So many failures in a row, and the push service as a whole is left alone for a while. */
const ENOUGH_FAILURES = AT_ONCE;

/** Sends all that is due now; gives the number of messages delivered. `null` = another process is sending. */
export async function deliverDue(work: Delivering, signal: AbortSignal): Promise<number | null> {
  if ((await dueOrigins(work.db, work.clock(), 1)).length === 0) return 0;
  const lease = await takeLease(work.db, PUSH_LEASE, work.holder, work.leaseMs);
  if (lease === null) return null;
  const held = keepLease(work, lease, signal);
  try {
    return await sendAll(work, held.signal);
  } finally {
    held.stop();
    await releaseLease(work.db, lease).catch(() => undefined);
  }
}

async function sendAll(work: Delivering, signal: AbortSignal): Promise<number> {
  const lanes = new Map<string, Promise<void>>();
  let delivered = 0;
  let failure: unknown;
  const open = (origin: string) => {
    const running = sendLane(work, origin, signal, () => {
      delivered += 1;
    })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => lanes.delete(origin));
    lanes.set(origin, running);
  };
  while (!signal.aborted && failure === undefined) {
    // Asked for more than there are lanes: those that run already have something due, too.
    for (const origin of await dueOrigins(work.db, work.clock(), 2 * LANES)) {
      if (!lanes.has(origin) && lanes.size < LANES) open(origin);
    }
    if (lanes.size === 0) break;
    await Promise.race([...lanes.values(), pause(LOOK_MS)]);
  }
  await Promise.all(lanes.values());
  if (failure !== undefined) throw failure;
  return delivered;
}

/** Sends to one push service until nothing is due, or it must be left alone. */
async function sendLane(work: Delivering, origin: string, signal: AbortSignal, onDelivered: () => void): Promise<void> {
  let resting = false;
  let failures = 0;
  const rest = async (ms: number) => {
    resting = true;
    await restOrigin(work.db, origin, work.clock() + ms);
  };
  const sendNext = async (page: Delivery[]) => {
    for (let next = page.shift(); next !== undefined && !resting && !signal.aborted; next = page.shift()) {
      const now = work.clock();
      // Whatever was too late for the evening, a further try too, wakes nobody.
      if (isNight(now) && !next.facts.simulated) return rest(nextMorning(now) - now);
      const outcome = await deliver(work, next);
      if (outcome.kind === 'delivered') onDelivered();
      failures = outcome.kind === 'later' ? failures + 1 : 0;
      if (outcome.kind !== 'later') continue;
      if (outcome.resting) await rest(restOf(next, outcome));
      else if (failures >= ENOUGH_FAILURES) await rest(FIRST_REST_MS);
    }
  };
  while (!resting && !signal.aborted) {
    const page = await dueDeliveries(work.db, origin, work.clock(), PAGE);
    if (page.length === 0) return;
    await allOf(Array.from({ length: AT_ONCE }, () => sendNext(page)));
  }
}

/** Waits for all, also when one fails: nothing goes on behind the back of whoever waits. */
async function allOf(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find((task) => task.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function deliver(work: Delivering, delivery: Delivery): Promise<PushOutcome> {
  const { db, clock, log } = work;
  const left = delivery.at + WORTH_MS - clock();
  if (left < 1_000) {
    await finishDelivery(db, delivery, 'expired', clock());
    return { kind: 'refused', why: 'it came too late' };
  }
  const { endpoint, p256dh, auth } = delivery;
  const ttlSeconds = Math.floor(Math.min(left, WORTH_MS) / 1000);
  const outcome = await work.send({ ...work.say(delivery), endpoint, p256dh, auth, ttlSeconds });
  if (outcome.kind === 'later') await putOff(db, delivery, clock() + restOf(delivery, outcome));
  else await finishDelivery(db, delivery, outcome.kind, clock());
  if ('why' in outcome) {
    log.warn(`alert ${delivery.alert} to subscription ${delivery.subscription}: ${outcome.kind}: ${outcome.why}`);
  }
  return outcome;
}

/** Doubled for each try, or as long as the push service asks for. */
function restOf({ tries }: Delivery, { restMs }: Extract<PushOutcome, { kind: 'later' }>): number {
  const growing = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** tries);
  return Math.min(WORTH_MS, Math.max(growing, restMs ?? 0));
}

/** Renews the lease; `signal` says when it is lost or can no longer be known to be held, or when the caller says stop. */
function keepLease({ db, leaseMs }: Delivering, lease: Lease, stopped: AbortSignal) {
  const lost = new AbortController();
  let until = performance.now() + leaseMs;
  const renewal = setInterval(async () => {
    const asked = performance.now();
    const held = await renewLease(db, lease, leaseMs).catch(() => null);
    if (held === true) until = asked + leaseMs;
    else if (held === false) lost.abort();
  }, leaseMs / 3);
  // A process that was stopped and woken must not send on: its timers fire late.
  const watch = setInterval(() => {
    if (performance.now() >= until) lost.abort();
  }, leaseMs / 10);
  return {
    signal: AbortSignal.any([stopped, lost.signal]),
    stop: () => {
      clearInterval(renewal);
      clearInterval(watch);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
