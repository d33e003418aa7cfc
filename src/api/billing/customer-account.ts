/** The page of an account, and what its holder can do there. Whoever is not logged in gets the form that logs in. */
import { type StripeClient, whyStripeFailed } from '../../clients/stripe.ts';
import { ACCOUNT_NOTICES, type AccountNotice, type AccountView } from '../../domain/billing/account-view.ts';
import { SESSION_MS } from '../../domain/billing/login-purpose.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { setUsageMails } from '../../store/accounts/accounts.ts';
import { findSession, type LoggedIn } from '../../store/accounts/login-sessions.ts';
import { readAccountDetails } from '../../store/billing/account-details.ts';
import { findSubscriptionOf } from '../../store/billing/billing-subscriptions.ts';
import { syncSubscription } from '../../store/billing/sync-subscription.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { changeKey } from './account-keys.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import type { BillingReply, BillingRequest, BillingRoute } from './billing-route.ts';
import { formTokenOf, isFormToken } from './form-token.ts';
import { loginForm } from './log-in.ts';

/** What an action of a logged-in customer gets. */
type ActionRequest = BillingRequest & { readonly holder: LoggedIn };

/** The routes of an account. */
export function accountRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const { database, stripe } = dependencies;
  const action = (path: LocalizedText, act: (request: ActionRequest) => Promise<BillingReply>): BillingRoute => ({
    method: 'POST',
    path,
    answer: (request) => ifOwnForm(dependencies, request, act),
  });
  const routes: BillingRoute[] = [
    { method: 'GET', path: BILLING_PATHS.account, answer: (request) => accountPage(dependencies, request) },
    action(BILLING_PATHS.accountMails, async ({ language, fields, holder }) => {
      const isWanted = fields.mails === 'on';
      await database.transaction((tx) => setUsageMails(tx, holder.accountId, isWanted), BILLING_TIMEOUT);
      return toAccount(language, isWanted ? 'mails-on' : 'mails-off');
    }),
  ];
  routes.push(action(BILLING_PATHS.accountKeys, (request) => changeOwnKey(dependencies, request)));
  if (stripe === null) return routes;
  const selling = { ...dependencies, stripe };
  return [
    ...routes,
    action(BILLING_PATHS.accountPayment, (request) => openPortal(selling, request)),
    action(BILLING_PATHS.accountCancellation, (request) => setCancellation(selling, request)),
  ];
}

type Selling = BillingDependencies & { readonly stripe: StripeClient };

function toAccount(language: ActionRequest['language'], notice: AccountNotice): BillingReply {
  return { redirectTo: `${BILLING_PATHS.account[language]}?done=${notice}` };
}

async function accountPage(dependencies: BillingDependencies, request: BillingRequest): Promise<BillingReply> {
  const { language, query, cookies } = request;
  const holder = await holderOf(dependencies, cookies.session);
  if (holder === null || cookies.session === undefined) return { view: loginForm(language) };
  const notice = ACCOUNT_NOTICES.find((each) => each === query.get('done')) ?? null;
  const view = await viewOf(dependencies, { language, session: cookies.session, holder, notice });
  // A visit lengthens the session, in the browser as in the database.
  const renewed = { name: 'session', value: cookies.session, maxAgeSeconds: SESSION_MS / 1_000 } as const;
  return { view, cookies: [renewed] };
}

/** A new key is shown in the answer itself: nothing keeps it for a later page. */
async function changeOwnKey(dependencies: BillingDependencies, request: ActionRequest): Promise<BillingReply> {
  const { language, fields, cookies, holder } = request;
  const session = cookies.session ?? '';
  const before = await viewOf(dependencies, { language, session, holder, notice: null });
  const key = before.keys.find(({ id }) => String(id) === fields.key);
  const account = { redirectTo: BILLING_PATHS.account[language] };
  if (key === undefined) return account;
  const result = await changeKey(dependencies, { accountId: holder.accountId, language, keyId: key.id, fields });
  switch (result.kind) {
    case 'new key': {
      const after = await viewOf(dependencies, { language, session, holder, notice: null });
      return { view: { ...after, newKey: result.newKey } };
    }
    case 'done':
      return toAccount(language, result.notice);
    case 'invalid cap':
      return { view: { ...before, isCapInvalid: true } };
    case 'nothing':
      return account;
  }
}

async function viewOf(
  { database, clock }: BillingDependencies,
  {
    language,
    session,
    holder,
    notice,
  }: Pick<AccountView, 'language' | 'notice'> & { readonly session: string; readonly holder: LoggedIn },
): Promise<AccountView> {
  const details = await database.transaction(
    (tx) => readAccountDetails(tx, holder.accountId, clock()),
    BILLING_TIMEOUT,
  );
  const shown = { email: holder.email, formToken: formTokenOf(session), notice, newKey: null, isCapInvalid: false };
  return { page: 'account', language, ...shown, ...details };
}

async function holderOf({ database }: BillingDependencies, session: string | undefined): Promise<LoggedIn | null> {
  if (session === undefined) return null;
  return database.transaction((tx) => findSession(tx, session), BILLING_TIMEOUT);
}

/** Acts for whoever is logged in, if the form is one of this session. */
async function ifOwnForm(
  dependencies: BillingDependencies,
  request: BillingRequest,
  act: (request: ActionRequest) => Promise<BillingReply>,
): Promise<BillingReply> {
  const { language, fields, cookies } = request;
  const holder = await holderOf(dependencies, cookies.session);
  if (holder === null || cookies.session === undefined) return { view: loginForm(language, '', ['ended']) };
  if (!isFormToken(fields.form, cookies.session)) return { view: { page: 'refused', language, why: 'other site' } };
  try {
    return await act({ ...request, holder });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    dependencies.log.warn({}, `Stripe did not do what a customer asked: ${whyStripeFailed(error)}`);
    return { view: { page: 'refused', language, why: 'unavailable' } };
  }
}

/** Leads to the billing portal: card, invoices, change of the plan. Its address is made for one visit. */
async function openPortal(selling: Selling, { language, fields, holder }: ActionRequest): Promise<BillingReply> {
  const { database, stripe, publicUrl, offer } = selling;
  const subscription = await database.transaction(
    (tx) => findSubscriptionOf(tx, holder.accountId, fields.subscription ?? ''),
    BILLING_TIMEOUT,
  );
  if (subscription === null) return { redirectTo: BILLING_PATHS.account[language] };
  const back = `${publicUrl()}${BILLING_PATHS.account[language]}`;
  const url = await stripe.openPortal(subscription.customer, back, language);
  if (!offer.checkoutOrigins.includes(new URL(url).origin)) throw new Error('the portal is not at Stripe');
  return { redirectTo: url };
}

/** Ends a subscription at the end of its period, or takes that back; the page shows what Stripe then says. */
async function setCancellation(selling: Selling, { language, fields, holder }: ActionRequest): Promise<BillingReply> {
  const { database, stripe } = selling;
  const subscription = await database.transaction(
    (tx) => findSubscriptionOf(tx, holder.accountId, fields.subscription ?? ''),
    BILLING_TIMEOUT,
  );
  if (subscription === null) return { redirectTo: BILLING_PATHS.account[language] };
  const isCancelled = fields.cancel === 'yes';
  await stripe.setCancellation(subscription.id, isCancelled);
  await syncSubscription(database, stripe, subscription.id);
  return toAccount(language, isCancelled ? 'cancelled' : 'resumed');
}
