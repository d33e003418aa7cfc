/**
 * Posts what changed to webhooks. One process at a time sends, under a lease; one that is killed leaves each delivery
 * to be tried again under the same id. A receiver that is slow or away delays no other: at most two deliveries of one
 * key are under way at a time, and those that failed before leave half of the places to the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { WebhookMessage, WebhookOutcome } from '../../clients/webhook-sender.ts';
import { pauseAfter } from '../../domain/webhooks/retry-schedule.ts';
import { MAX_CHANGES_SENT } from '../../domain/webhooks/webhook.ts';
import type { ToldChange } from '../../store/changes/read-feed.ts';
import { releaseLease, takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import {
  changesOf,
  type DueWebhook,
  dueWebhooks,
  enqueueDeliveries,
  recordArrival,
  recordFailure,
  stopWebhook,
} from '../../store/webhooks/webhook-outbox.ts';
import { keepLease } from '../leases/keep-lease.ts';

/** What a delivery tells. */
type ToldDelivery = DueWebhook & { readonly changes: readonly ToldChange[]; readonly total: number };

export type WebhookJob = {
  readonly db: Kysely<Schema>;
  readonly holder: string;
  readonly leaseMs: number;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** The body, in the words of the contract. */
  readonly write: (delivery: ToldDelivery) => string;
  readonly send: (message: WebhookMessage) => Promise<WebhookOutcome>;
  /** Told how each try ended. */
  readonly onTry?: (outcome: WebhookOutcome['kind']) => void;
  readonly log: { info(message: string): void; warn(message: string): void };
};

export type WebhookRunner = {
  /** Sends what is due. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

const WEBHOOK_LEASE = 'webhooks';
/** Deliveries under way at a time. */
const PLACES = 64;
const PLACES_FOR_FAILED = PLACES / 2;
const PLACES_OF_KEY = 2;
/** How often it looks for more while deliveries are under way. */
const POLL_MS = 500;
/** Webhooks are looked at in parts; a feed that runs faster than they are sent does not keep this from ending. */
const MAX_PARTS = 50;

/** Sends all that is due now; returns how many deliveries arrived. `null` = another process is sending. */
export async function deliverToWebhooks(job: WebhookJob, signal: AbortSignal): Promise<number | null> {
  const lease = await takeLease(job.db, WEBHOOK_LEASE, job.holder, job.leaseMs);
  if (lease === null) return null;
  const lost = new AbortController();
  // A process that was suspended must not continue to send when it resumes: its timers fire late.
  const stopRenewal = keepLease(job.db, lease, {
    leaseMs: job.leaseMs,
    onLost: () => lost.abort(),
    expires: true,
  });
  try {
    return await sendAll(job, AbortSignal.any([signal, lost.signal]));
  } finally {
    stopRenewal();
    await releaseLease(job.db, lease).catch(() => undefined);
  }
}

async function sendAll(job: WebhookJob, signal: AbortSignal): Promise<number> {
  const underWay = new Map<number, { readonly due: DueWebhook; readonly done: Promise<void> }>();
  let arrived = 0;
  let failure: unknown;
  const begin = (due: DueWebhook) => {
    const done = deliver(job, due)
      .then((hasArrived) => {
        if (hasArrived) arrived += 1;
      })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => underWay.delete(due.delivery));
    underWay.set(due.delivery, { due, done });
  };
  while (!signal.aborted && failure === undefined) {
    await enqueueAll(job);
    const options = { limit: 4 * PLACES, underWay: [...underWay.keys()] };
    const due = await dueWebhooks(job.db, job.clock(), options);
    for (const next of due) if (hasPlace(next, [...underWay.values()])) begin(next);
    if (underWay.size === 0) break;
    await Promise.race([...[...underWay.values()].map(({ done }) => done), sleep(POLL_MS)]);
  }
  await Promise.all([...underWay.values()].map(({ done }) => done));
  if (failure !== undefined) throw failure;
  return arrived;
}

async function enqueueAll({ db, clock }: WebhookJob): Promise<void> {
  for (let part = 0; part < MAX_PARTS && (await enqueueDeliveries(db, clock())) > 0; part += 1);
}

function hasPlace({ key, tries }: DueWebhook, underWay: readonly { readonly due: DueWebhook }[]): boolean {
  if (underWay.length >= PLACES) return false;
  if (underWay.filter(({ due }) => due.key === key).length >= PLACES_OF_KEY) return false;
  return tries === 0 || underWay.filter(({ due }) => due.tries > 0).length < PLACES_FOR_FAILED;
}

/** Tries a delivery once, and records what came of it; returns whether it arrived. */
async function deliver(job: WebhookJob, due: DueWebhook): Promise<boolean> {
  const { db, clock, log } = job;
  const told = due.event === 'changes' ? await changesOf(db, due, MAX_CHANGES_SENT + 1) : { changes: [], total: 0 };
  // The filter was changed since.
  if (due.event === 'changes' && told.total === 0) {
    await recordArrival(db, due, null, clock());
    return false;
  }
  const { url, id, secrets } = due;
  const outcome = await job.send({ url, id, secrets, body: job.write({ ...due, ...told }) });
  job.onTry?.(outcome.kind);
  const now = clock();
  if (outcome.kind === 'delivered') {
    await recordArrival(db, due, outcome.httpStatus, now);
    return true;
  }
  const { httpStatus } = outcome;
  if (outcome.kind === 'gone') {
    await stopWebhook(db, due, { failure: 'status', httpStatus, now }, 'gone');
    log.info(`webhook ${due.webhook}: its address answered 410, so nothing more is sent to it`);
    return false;
  }
  const { failure } = outcome;
  const pause = pauseAfter(due.tries + 1, job.random(), outcome.retryAfterMs);
  if (pause === null) {
    await stopWebhook(db, due, { failure, httpStatus, now }, 'failing');
    log.warn(`webhook ${due.webhook}: no delivery has arrived for 75 hours (${failure}), so it is stopped`);
  } else await recordFailure(db, due, { failure, httpStatus, now }, now + pause);
  return false;
}
