/** The deletion of an account by its holder: what runs at Stripe ends first, so that nobody pays for what is gone. */
import type { DeletionView } from '../../domain/billing/deletion-view.ts';
import { FINAL_STATUSES } from '../../domain/billing/subscription.ts';
import { emailKey } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { subscriptionsOf } from '../../store/billing/billing-subscriptions.ts';
import { deleteAccount } from '../../store/billing/erase-accounts.ts';
import { openCheckoutsOf } from '../../store/billing/orders.ts';
import { endOpenCheckouts } from '../../store/billing/sync-subscription.ts';
import { type AccountRequest, accountForm, accountPage } from './account-session.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRoute, MAX_SHOWN } from './billing-route.ts';
import { formTokenOf } from './form-token.ts';
import { withStripeDeadline } from './stripe-deadline.ts';

const DONE = 'deleted';

/** The routes. */
export function deletionRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const path = BILLING_PATHS.accountDeletion;
  const page = accountPage(dependencies, path, async (request) => ({ view: await formOf(dependencies, request) }));
  return [
    {
      ...page,
      // Whoever has deleted the account is logged in no longer.
      answer: async (request) =>
        request.query.get('done') === DONE
          ? { view: { page: 'deletion', language: request.language, step: 'done' } }
          : page.answer(request),
    },
    accountForm(dependencies, path, (request) => deleteOwnAccount(dependencies, request), 'not deleted'),
  ];
}

async function formOf(
  { database }: BillingDependencies,
  { language, holder, session }: AccountRequest,
  typed: string | null = null,
): Promise<DeletionView> {
  const subscriptions = await database.transaction((tx) => subscriptionsOf(tx, holder.accountId), BILLING_TIMEOUT);
  return {
    ...{ page: 'deletion', language, step: 'form', email: holder.email, formToken: formTokenOf(session), typed },
    isSubscribed: subscriptions.some(({ facts }) => !FINAL_STATUSES.includes(facts.status)),
  };
}

/**
 * Where Stripe fails or is slow, or an order comes meanwhile, the account stays as it is; what has ended there, or
 * still ends, is ended again.
 */
async function deleteOwnAccount(dependencies: BillingDependencies, request: AccountRequest): Promise<BillingReply> {
  const { language, fields, holder } = request;
  const typed = (fields.email ?? '').trim();
  if (emailKey(typed) !== emailKey(holder.email))
    return { view: await formOf(dependencies, request, typed.slice(0, MAX_SHOWN)) };
  const ended = await withStripeDeadline(endAtStripe(dependencies, holder));
  if (ended === null) return { view: { page: 'refused', language, why: 'unavailable' } };
  if (!(await deleteAccount(dependencies.database, { ...holder, ended }, BILLING_TIMEOUT)))
    return { view: { page: 'refused', language, why: 'not deleted' } };
  return {
    redirectTo: `${BILLING_PATHS.accountDeletion[language]}?done=${DONE}`,
    cookies: [{ name: 'session', value: null, maxAgeSeconds: 0 }],
  };
}

/** Returns the ids of what has ended; `null` = a subscription runs at Stripe, and we cannot reach it. */
async function endAtStripe(
  { database, stripe }: BillingDependencies,
  { accountId, email }: AccountRequest['holder'],
): Promise<string[] | null> {
  // One may have been completed just before, and its subscription must end like the others. Out of our reach, checkouts
  // end by themselves, a day after they were made.
  const checkouts =
    stripe === null
      ? await database.transaction((tx) => openCheckoutsOf(tx, email), BILLING_TIMEOUT)
      : await endOpenCheckouts(database, stripe, email);
  const subscriptions = await database.transaction((tx) => subscriptionsOf(tx, accountId), BILLING_TIMEOUT);
  const running = subscriptions.filter(({ facts }) => !FINAL_STATUSES.includes(facts.status)).map(({ id }) => id);
  if (stripe === null) return running.length === 0 ? checkouts : null;
  for (const id of running) await stripe.cancelNow(id);
  for (const customer of new Set(subscriptions.map((each) => each.customer))) await stripe.deleteCustomer(customer);
  return [...checkouts, ...running];
}
