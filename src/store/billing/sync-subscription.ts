/**
 * Brings what is stored of a subscription or a checkout up to date with Stripe. Whoever has a reason to look again
 * calls this: a worker for an event, the page after a checkout, the daily comparison. Looking twice changes nothing.
 */
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { databaseTime } from '../connection/database-time.ts';
import { type FetchOutcome, storeFetch, storeMissing, type UndatedFetch } from './billing-subscriptions.ts';
import { expireOrder, openCheckoutsOf } from './orders.ts';

type Transactions = Pick<DatabaseConnection, 'transaction'>;

/** What is asked of Stripe; `null` = it has no such object. */
export type StripeReads = {
  fetchSubscription(id: string): Promise<UndatedFetch | null>;
  findCheckout(id: string): Promise<CheckoutState | null>;
};

type CheckoutState = {
  readonly status: 'open' | 'complete' | 'expired';
  readonly orderId: string | null;
  readonly subscription: string | null;
};

/** What came of looking at a checkout; `open`: the customer has not finished yet. */
export type CheckoutOutcome = FetchOutcome | { readonly kind: 'open' | 'expired' };

/**
 * Fetches a subscription and stores it with what follows. The moment of the fetch is the database's before it began, so
 * that fetches of several machines have one order.
 */
export async function syncSubscription(
  database: Transactions,
  { fetchSubscription }: Pick<StripeReads, 'fetchSubscription'>,
  id: string,
): Promise<FetchOutcome> {
  const fetchedAt = await databaseTime(database);
  const answer = await fetchSubscription(id);
  if (answer === null) return storeMissing(database, id);
  return storeFetch(database, { ...answer, fetched: { ...answer.fetched, fetchedAt } });
}

/** Looks at a checkout, and at the subscription that came of it. */
export async function syncCheckout(database: Transactions, stripe: StripeReads, id: string): Promise<CheckoutOutcome> {
  const checkout = await stripe.findCheckout(id);
  if (checkout === null) return { kind: 'unknown order' };
  const { status, orderId, subscription } = checkout;
  if (subscription !== null) return syncSubscription(database, stripe, subscription);
  if (status === 'open') return { kind: 'open' };
  if (orderId !== null) await database.transaction((tx) => expireOrder(tx, orderId));
  return { kind: 'expired' };
}

/**
 * Ends the open checkouts of an e-mail address, and stores what came of any that was finished just before. Returns
 * their ids.
 */
export async function endOpenCheckouts(
  database: Transactions,
  stripe: StripeReads & { expireCheckout(id: string): Promise<void> },
  email: string,
): Promise<string[]> {
  const checkouts = await database.transaction((tx) => openCheckoutsOf(tx, email));
  for (const checkout of checkouts) {
    await stripe.expireCheckout(checkout);
    await syncCheckout(database, stripe, checkout);
  }
  return checkouts;
}
