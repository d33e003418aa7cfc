/**
 * Looks again at what Stripe's events are about. An event carries no state: its object is fetched, and what is stored
 * follows the fetch. Events that come twice, late or in another order cost a fetch, and change nothing.
 */
import type { StripeClient } from '../../clients/stripe.ts';
import { type Clock, SYSTEM_CLOCK } from '../../concurrency/throttle.ts';
import { noteDispute, noteRefund, subscriptionIdsOf } from '../../store/billing/subscription-notes.ts';
import { syncCheckout, syncSubscription } from '../../store/billing/sync-subscription.ts';
import { type DueEvent, deferEvent, finishEvents, takeDueEvent } from '../../store/billing/webhook-inbox.ts';
import type { Database } from '../../store/connection/database.ts';

export type BillingJob = {
  readonly database: Database;
  readonly stripe: StripeClient;
  /** The reason of a failed call, in words for the operator. */
  readonly whyFailed: (error: unknown) => string;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Counts an event by what came of it. */
  readonly counts?: { webhook(outcome: EventOutcome): void };
  /** How it waits between two looks; that of the system unless given. */
  readonly wait?: Clock['wait'];
};

/** `unknown`: of a type or an order that is not ours. */
export type EventOutcome = 'done' | 'unknown' | 'failed';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Pauses before each further attempt; the last one repeats. */
const RETRY_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS];
/** So often an event about a customer whom we do not know is tried again: for more than an hour. */
const MAX_UNKNOWN_TRIES = 15;
/** Objects are looked at one after another; at most ten a second, whatever comes in. */
const PAUSE_MS = 100;

/** Looks at every due event; returns how many were settled. Ends early when the signal is aborted. */
export async function lookAgain(job: BillingJob, signal: AbortSignal): Promise<number> {
  const { wait = SYSTEM_CLOCK.wait } = job;
  let settled = 0;
  while (!signal.aborted) {
    const event = await takeDueEvent(job.database.kysely);
    if (event === null) break;
    if (await settle(job, event)) settled += 1;
    await wait(PAUSE_MS, signal).catch(() => undefined);
  }
  return settled;
}

/** Whether the event is settled; one that is not is due again later. */
async function settle(job: BillingJob, event: DueEvent): Promise<boolean> {
  const { database, whyFailed, log, counts } = job;
  try {
    const about = await lookAt(job, event);
    if (about === null && mayBeKnownLater(event)) {
      await deferEvent(database.kysely, event.id, pauseAfter(event));
      return false;
    }
    await finishEvents(database.kysely, event, about);
    counts?.webhook(about === null ? 'unknown' : 'done');
    if (about === null) log.warn(`event ${event.id} of Stripe (${event.type}) is about nothing that was ordered here`);
    return true;
  } catch (error) {
    const pause = pauseAfter(event);
    await deferEvent(database.kysely, event.id, pause);
    counts?.webhook('failed');
    log.warn(
      `event ${event.id} of Stripe (${event.type}) is tried again in ${pause / SECOND_MS} s: ${whyFailed(error)}`,
    );
    return false;
  }
}

const pauseAfter = ({ tries }: DueEvent): number => RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] as number;

/**
 * Disputes and refunds name a customer, whom we know once the subscription is stored. Their event may come before that
 * of the checkout, which is found within an hour even if it never comes.
 */
function mayBeKnownLater({ type, tries }: DueEvent): boolean {
  return type.startsWith('charge.') && tries < MAX_UNKNOWN_TRIES;
}

/** The subscription or customer, or the checkout of an order, that the event concerns; `null` = none of ours. */
async function lookAt(job: BillingJob, { type, object }: DueEvent): Promise<string | null> {
  const { database, stripe } = job;
  const [subject = ''] = type.split('.');
  if (type.startsWith('checkout.session.')) {
    const { kind } = await syncCheckout(database, stripe, object);
    return kind === 'unknown order' ? null : object;
  }
  if (type.startsWith('customer.subscription.')) return lookAtSubscription(job, object);
  if (subject === 'invoice') {
    const subscription = await stripe.subscriptionOfInvoice(object);
    return subscription === null ? null : lookAtSubscription(job, subscription);
  }
  if (type.startsWith('charge.dispute.')) return lookAtDispute(job, object);
  if (type === 'charge.refunded') return lookAtRefund(job, object);
  if (subject === 'customer') return lookAtCustomer(job, object);
  return null;
}

async function lookAtSubscription({ database, stripe, log }: BillingJob, id: string): Promise<string | null> {
  const outcome = await syncSubscription(database, stripe, id);
  if (outcome.kind === 'unknown order') return null;
  if (outcome.unrecognized !== undefined)
    log.warn(`subscription ${id} has a ${outcome.unrecognized} that this version does not know: the one before stays`);
  return id;
}

/** What became of a customer shows in the subscriptions; many have none yet, or none any more. */
async function lookAtCustomer(job: BillingJob, customer: string): Promise<string> {
  for (const id of await subscriptionIdsOf(job.database.kysely, customer)) await lookAtSubscription(job, id);
  return customer;
}

/** A dispute closes the keys of its customer at once; one that is won opens them again. */
async function lookAtDispute({ database, stripe, log }: BillingJob, id: string): Promise<string | null> {
  const dispute = await stripe.fetchDispute(id);
  if (dispute?.customer == null) return null;
  const ids = await subscriptionIdsOf(database.kysely, dispute.customer);
  for (const each of ids) await noteDispute(database, each, id, dispute.isWon);
  if (ids.length === 0) return null;
  log.warn(
    `dispute ${id} at Stripe: ${dispute.isWon ? 'won, the key is open unless another dispute stands' : `the key of ${ids.join(', ')} is closed`}`,
  );
  return dispute.customer;
}

/** A refund closes nothing: whoever gave it decides about the subscription. */
async function lookAtRefund({ database, stripe, log }: BillingJob, id: string): Promise<string | null> {
  const charge = await stripe.fetchCharge(id);
  if (charge?.customer == null) return null;
  const ids = await subscriptionIdsOf(database.kysely, charge.customer);
  if (charge.isRefunded) for (const each of ids) await noteRefund(database.kysely, each);
  if (ids.length === 0) return null;
  log.warn(`charge ${id} at Stripe was refunded; ${ids.join(', ')} goes on until somebody cancels it`);
  return charge.customer;
}
