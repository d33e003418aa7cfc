/**
 * Finds what events did not tell: those that were never delivered, subscriptions whose time is up, checkouts that
 * nobody reported, and once a day all subscriptions.
 */

import { isCharged } from '../../domain/billing/subscription.ts';
import { storeFetch, subscriptionsToCheck, type UndatedFetch } from '../../store/billing/billing-subscriptions.ts';
import { openCheckouts } from '../../store/billing/orders.ts';
import { syncCheckout, syncSubscription } from '../../store/billing/sync-subscription.ts';
import { storeEvent } from '../../store/billing/webhook-inbox.ts';
import { withdrawnButRunning } from '../../store/billing/withdrawals.ts';
import { databaseTime } from '../../store/connection/database-time.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import type { BillingJob } from './look-again.ts';

const MINUTE_MS = 60_000;
/** A customer needs less for a checkout. */
const CHECKOUT_MS = 10 * MINUTE_MS;
const LOOKED_AT_ONCE = 100;
/** After so many failures in a round the others wait for the next: Stripe is away, not one of its objects broken. */
const MAX_FAILURES = 3;

/** Looks at subscriptions whose trial, period, grace or end has passed without news; returns how many. */
export async function checkOverdue(job: BillingJob): Promise<number> {
  const { database, stripe } = job;
  const ids = await subscriptionsToCheck(database.kysely, await databaseTime(database), LOOKED_AT_ONCE);
  await lookAtEach(job, 'subscription', ids, (id) => syncSubscription(database, stripe, id));
  return ids.length;
}

/** One that cannot be looked at keeps no other from it. */
async function lookAtEach(
  { whyFailed, log }: BillingJob,
  kind: 'subscription' | 'checkout',
  ids: readonly string[],
  look: (id: string) => Promise<unknown>,
): Promise<void> {
  let failures = 0;
  for (const id of ids)
    try {
      await look(id);
    } catch (error) {
      log.warn(`${kind} ${id} could not be looked at: ${whyFailed(error)}`);
      failures += 1;
      if (failures === MAX_FAILURES) break;
    }
}

/**
 * Ends at Stripe what customers have withdrawn from; returns how many. What goes on there is tried again after a
 * minute: its key is closed already.
 *
 * @param paused until when each is left alone, ms of `performance.now()`.
 */
export async function cancelWithdrawn(
  { database, stripe, whyFailed, log }: BillingJob,
  paused = new Map<string, number>(),
): Promise<number> {
  const ids = await withdrawnButRunning(database.kysely, LOOKED_AT_ONCE);
  let ended = 0;
  for (const id of ids) {
    if ((paused.get(id) ?? 0) > performance.now()) continue;
    try {
      // Also one that Stripe does not find, whose state stays as it is.
      paused.set(id, performance.now() + MINUTE_MS);
      await stripe.cancelNow(id);
      await syncSubscription(database, stripe, id);
      ended += 1;
    } catch (error) {
      log.warn(`subscription ${id} was withdrawn from, and is not cancelled at Stripe yet: ${whyFailed(error)}`);
    }
  }
  return ended;
}

/** Looks at checkouts that have been open for long; returns how many. */
export async function checkOpenOrders(job: BillingJob): Promise<number> {
  const { database, stripe } = job;
  const sessions = await openCheckouts(database.kysely, CHECKOUT_MS, LOOKED_AT_ONCE);
  await lookAtEach(job, 'checkout', sessions, (session) => syncCheckout(database, stripe, session));
  return sessions.length;
}

/** Stores the events that Stripe could not deliver in the 30 days that it keeps them; returns how many are new. */
export async function fetchUndelivered({ database, stripe }: BillingJob, signal: AbortSignal): Promise<number> {
  let found = 0;
  let after: string | null = null;
  do {
    const { items, next }: Awaited<ReturnType<typeof stripe.listUndelivered>> = await stripe.listUndelivered(after);
    for (const { object, ...event } of items)
      if (object !== null && (await storeEvent(database.kysely, { ...event, object }))) found += 1;
    after = next;
  } while (after !== null && !signal.aborted);
  return found;
}

/** Compares every subscription at Stripe with what is stored; returns how many there are. */
export async function compareAll(job: BillingJob, signal: AbortSignal): Promise<number> {
  const { database, stripe } = job;
  let count = 0;
  let after: string | null = null;
  do {
    const fetchedAt = await databaseTime(database);
    const { items, next }: Awaited<ReturnType<typeof stripe.listSubscriptions>> = await stripe.listSubscriptions(after);
    for (const each of items) await compare(job, each, fetchedAt);
    count += items.length;
    after = next;
  } while (after !== null && !signal.aborted);
  return count;
}

/** One that cannot be stored keeps no other from being compared. */
async function compare({ database, whyFailed, log }: BillingJob, at: UndatedFetch, fetchedAt: number) {
  try {
    const { kind } = await storeFetch(database, { ...at, fetched: { ...at.fetched, fetchedAt } });
    if (kind === 'unknown order' && isCharged(at.fetched))
      log.warn(`subscription ${at.id} at Stripe was not ordered here: it has no key`);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn(`subscription ${at.id} at Stripe could not be compared: ${whyFailed(error)}`);
  }
}
