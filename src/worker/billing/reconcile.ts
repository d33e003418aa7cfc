/**
 * Finds what events did not tell: those that were never delivered, subscriptions whose time is up, checkouts that
 * nobody reported, and once a night all subscriptions.
 */

import { storeFetch, subscriptionsToCheck } from '../../store/billing/billing-subscriptions.ts';
import { openCheckouts } from '../../store/billing/orders.ts';
import { syncCheckout, syncSubscription } from '../../store/billing/sync-subscription.ts';
import { storeEvent } from '../../store/billing/webhook-inbox.ts';
import { withdrawnButRunning } from '../../store/billing/withdrawals.ts';
import { databaseTime } from '../../store/connection/database-time.ts';
import type { BillingJob } from './look-again.ts';

const MINUTE_MS = 60_000;
/** A customer needs less for a checkout. */
const CHECKOUT_MS = 10 * MINUTE_MS;
const LOOKED_AT_ONCE = 100;

/** Looks at subscriptions whose trial, period, grace or end has passed without news; returns how many. */
export async function checkOverdue({ database, stripe }: BillingJob): Promise<number> {
  const now = await databaseTime(database);
  const ids = await subscriptionsToCheck(database.kysely, now, LOOKED_AT_ONCE);
  for (const id of ids) await syncSubscription(database, stripe, id);
  return ids.length;
}

/** Ends at Stripe what customers have withdrawn from; returns how many. What fails is tried again the next time. */
export async function cancelWithdrawn({ database, stripe, whyFailed, log }: BillingJob): Promise<number> {
  const ids = await withdrawnButRunning(database.kysely, LOOKED_AT_ONCE);
  let ended = 0;
  for (const id of ids)
    try {
      await stripe.cancelNow(id);
      await syncSubscription(database, stripe, id);
      ended += 1;
    } catch (error) {
      log.warn(`subscription ${id} was withdrawn from, and is not cancelled at Stripe yet: ${whyFailed(error)}`);
    }
  return ended;
}

/** Looks at checkouts that have been open for long; returns how many. */
export async function checkOpenOrders({ database, stripe }: BillingJob): Promise<number> {
  const sessions = await openCheckouts(database.kysely, CHECKOUT_MS, LOOKED_AT_ONCE);
  for (const session of sessions) await syncCheckout(database, stripe, session);
  return sessions.length;
}

/** Stores the events that Stripe could not deliver, back to one that was stored before; returns how many are new. */
export async function fetchUndelivered({ database, stripe }: BillingJob, signal: AbortSignal): Promise<number> {
  let found = 0;
  let after: string | null = null;
  do {
    const { items, next }: Awaited<ReturnType<typeof stripe.listUndelivered>> = await stripe.listUndelivered(after);
    let isKnown = false;
    for (const event of items) {
      if (await storeEvent(database.kysely, event)) found += 1;
      else isKnown = true;
    }
    after = isKnown ? null : next;
  } while (after !== null && !signal.aborted);
  return found;
}

/** Compares every subscription at Stripe with what is stored; returns how many there are. */
export async function compareAll({ database, stripe, log }: BillingJob, signal: AbortSignal): Promise<number> {
  let count = 0;
  let after: string | null = null;
  do {
    const fetchedAt = await databaseTime(database);
    const { items, next }: Awaited<ReturnType<typeof stripe.listSubscriptions>> = await stripe.listSubscriptions(after);
    for (const each of items) {
      const { kind } = await storeFetch(database, { ...each, fetched: { ...each.fetched, fetchedAt } });
      if (kind === 'unknown order' && each.fetched.status !== 'canceled')
        log.warn(`subscription ${each.id} at Stripe was not ordered here: it has no key`);
    }
    count += items.length;
    after = next;
  } while (after !== null && !signal.aborted);
  return count;
}
