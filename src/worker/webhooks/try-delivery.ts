/** One try of a delivery: reads it, posts it, and records what came of it. */
import type { Kysely } from 'kysely';
import type { WebhookMessage, WebhookOutcome } from '../../clients/webhook-sender.ts';
import type { Throttle } from '../../concurrency/throttle.ts';
import { nextTryAt } from '../../domain/webhooks/retry-schedule.ts';
import type { Schema } from '../../store/connection/schema.ts';
import {
  type Delivery,
  loadDelivery,
  recordArrival,
  recordFailure,
  stopWebhook,
} from '../../store/webhooks/webhook-outbox.ts';

export type TryOptions = {
  readonly db: Kysely<Schema>;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** The body, in the words of the contract. */
  readonly write: (delivery: Delivery) => string;
  readonly send: (message: WebhookMessage) => Promise<WebhookOutcome>;
  /** Told how each try ended. */
  readonly onTry?: (outcome: WebhookOutcome['kind']) => void;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** An address that takes longer to answer is slow, ms. */
  readonly slowAfterMs?: number;
};

export const SLOW_AFTER_MS = 1_000;

/** Tries a delivery, of any key but the `closed` ones, with the `statements` in turn; returns whether it arrived. */
export async function tryDelivery(
  job: TryOptions,
  delivery: number,
  { closed, statements }: { readonly closed: readonly number[]; readonly statements: Pick<Throttle, 'run'> },
): Promise<boolean> {
  const loaded = await statements.run(() => loadDelivery(job.db, delivery, job.clock(), closed));
  if (loaded === null) return false;
  const { url, id, secrets } = loaded;
  const begun = performance.now();
  const outcome = await job.send({ url, id, secrets, body: job.write(loaded) });
  const isSlow = performance.now() - begun >= (job.slowAfterMs ?? SLOW_AFTER_MS);
  job.onTry?.(outcome.kind);
  if (outcome.kind !== 'delivered') {
    await statements.run(() => recordUnsent(job, loaded, outcome));
    return false;
  }
  const { httpStatus } = outcome;
  await statements.run(() => recordArrival(job.db, loaded, { httpStatus, isSlow, now: job.clock() }));
  return true;
}

async function recordUnsent(
  { db, clock, random, log }: TryOptions,
  loaded: Delivery,
  outcome: Exclude<WebhookOutcome, { kind: 'delivered' }>,
): Promise<void> {
  const { httpStatus } = outcome;
  const now = clock();
  if (outcome.kind === 'gone') {
    if (await stopWebhook(db, loaded, { failure: 'status', httpStatus, now }, 'gone'))
      log.info(`webhook ${loaded.webhook}: its address answered 410, so nothing more is sent to it`);
    return;
  }
  const { failure, retryAfterMs } = outcome;
  const since = loaded.createdAt;
  const next = nextTryAt({ tries: loaded.tries + 1, since, now, random: random(), askedMs: retryAfterMs });
  if (next !== null) return recordFailure(db, loaded, { failure, httpStatus, now }, next);
  if (await stopWebhook(db, loaded, { failure, httpStatus, now }, 'failing'))
    log.warn(`webhook ${loaded.webhook}: no delivery has arrived for 75 hours (${failure}), so it is stopped`);
}
