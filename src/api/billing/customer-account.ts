/** The page of an account, and what its holder can do there. Whoever is not logged in gets the form that logs in. */
import { type StripeClient, whyStripeFailed } from '../../clients/stripe.ts';
import type { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { ACCOUNT_NOTICES, type AccountNotice, type AccountView } from '../../domain/billing/account-view.ts';
import { SESSION_MS } from '../../domain/billing/login-purpose.ts';
import { FINAL_STATUSES } from '../../domain/billing/subscription.ts';
import { LANGUAGES, type Language } from '../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { setMailLanguage, setUsageMails } from '../../store/accounts/accounts.ts';
import { readAccountDetails } from '../../store/billing/account-details.ts';
import { exportAccount } from '../../store/billing/account-export.ts';
import { findSubscriptionOf, subscriptionsOf } from '../../store/billing/billing-subscriptions.ts';
import { syncSubscription } from '../../store/billing/sync-subscription.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { changeKey } from './account-keys.ts';
import { type AccountRequest, accountForm, accountPage, tooManyForms } from './account-session.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRoute, MAX_SHOWN } from './billing-route.ts';
import { formTokenOf } from './form-token.ts';
import { hourlyLimit } from './hourly-limit.ts';
import { withStripeDeadline } from './stripe-deadline.ts';

/** The routes of an account. */
export function accountRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const { database, stripe } = dependencies;
  const { account, accountData, accountKeys, accountMails, accountPayment, accountCancellation } = BILLING_PATHS;
  const returns = hourlyLimit(RETURNS);
  const routes = [
    accountPage(dependencies, account, (request) => showAccount(dependencies, returns, request)),
    accountPage(dependencies, accountData, async ({ holder }) => {
      const data = await database.transaction((tx) => exportAccount(tx, holder.accountId), BILLING_TIMEOUT);
      return { download: { fileName: 'pompa-account.json', text: `${JSON.stringify(data, null, 2)}\n` } };
    }),
    accountForm(dependencies, accountKeys, (request) => changeOwnKey(dependencies, request)),
    accountForm(dependencies, accountMails, async ({ language, fields, holder }) => {
      const chosen = LANGUAGES.find((each) => each === fields.language);
      if (chosen !== undefined) {
        await database.transaction((tx) => setMailLanguage(tx, holder.accountId, chosen), BILLING_TIMEOUT);
        return toAccount(language, 'language');
      }
      const isWanted = fields.mails === 'on';
      await database.transaction((tx) => setUsageMails(tx, holder.accountId, isWanted), BILLING_TIMEOUT);
      return toAccount(language, isWanted ? 'mails-on' : 'mails-off');
    }),
  ];
  if (stripe === null) return routes;
  const selling = { ...dependencies, stripe };
  return [
    ...routes,
    accountForm(dependencies, accountPayment, (request) => openPortal(selling, request)),
    accountForm(dependencies, accountCancellation, (request) => setCancellation(selling, request)),
  ];
}

type Selling = BillingDependencies & { readonly stripe: StripeClient };

function toAccount(language: Language, notice: AccountNotice): BillingReply {
  return { redirectTo: `${BILLING_PATHS.account[language]}?done=${notice}` };
}

/** Where the portal leads back to. */
const PORTAL = 'portal';
/** How often an account asks Stripe by coming back, within an hour. */
const RETURNS = 20;

/** What was changed in the portal shows at once: the event about it comes some seconds later. */
async function lookAfterPortal({ database, stripe, log }: BillingDependencies, accountId: number): Promise<void> {
  if (stripe === null) return;
  const subscriptions = await database.transaction((tx) => subscriptionsOf(tx, accountId), BILLING_TIMEOUT);
  const running = subscriptions.filter(({ facts }) => !FINAL_STATUSES.includes(facts.status));
  await Promise.all(
    running.map(({ id }) =>
      withStripeDeadline(syncSubscription(database, stripe, id)).catch((error) => {
        if (error instanceof DatabaseUnavailable) throw error;
        log.warn({}, `a subscription could not be read after the portal: ${whyStripeFailed(error)}`);
      }),
    ),
  );
}

async function showAccount(
  dependencies: BillingDependencies,
  returns: TokenBuckets,
  request: AccountRequest,
): Promise<BillingReply> {
  const { accountId } = request.holder;
  if (request.query.get('done') === PORTAL && returns.tryTake(String(accountId)))
    await lookAfterPortal(dependencies, accountId);
  const notice = ACCOUNT_NOTICES.find((each) => each === request.query.get('done')) ?? null;
  const view = await accountViewOf(dependencies, request, { notice });
  // A visit lengthens the session, in the browser as in the database.
  const renewed = { name: 'session', value: request.session, maxAgeSeconds: SESSION_MS / 1_000 } as const;
  return { view, cookies: [renewed] };
}

/** A new key is shown in the answer itself: nothing keeps it for a later page. */
async function changeOwnKey(dependencies: BillingDependencies, request: AccountRequest): Promise<BillingReply> {
  const { language, fields, holder } = request;
  const before = await accountViewOf(dependencies, request);
  const key = before.keys.find(({ id }) => String(id) === fields.key);
  const account = { redirectTo: BILLING_PATHS.account[language] };
  if (key === undefined) return account;
  const isNewKey = fields.do === 'new' || fields.do === 'second';
  if (isNewKey && !dependencies.limits.mayAct(holder.accountId, 'new key')) return tooManyForms(dependencies, language);
  const result = await changeKey(dependencies, { ...holder, keyId: key.id, fields });
  switch (result.kind) {
    case 'new key':
      return { view: await accountViewOf(dependencies, request, { newKey: result.newKey }) };
    case 'done':
      return toAccount(language, result.notice);
    case 'invalid cap':
      return { view: { ...before, invalidCap: { key: key.id, typed: (fields.cap ?? '').slice(0, MAX_SHOWN) } } };
    case 'nothing':
      return account;
  }
}

/** The account as it is now. */
async function accountViewOf(
  { database, clock, webhooks }: BillingDependencies,
  { language, holder, session }: AccountRequest,
  shown: Partial<Pick<AccountView, 'notice' | 'newKey'>> = {},
): Promise<AccountView> {
  const details = await database.transaction(
    (tx) => readAccountDetails(tx, holder.accountId, clock()),
    BILLING_TIMEOUT,
  );
  return {
    ...{ page: 'account', language, email: holder.email, formToken: formTokenOf(session) },
    ...{ notice: null, newKey: null, invalidCap: null, hasWebhooks: webhooks !== undefined },
    ...shown,
    ...details,
  };
}

/** Leads to the billing portal: card, invoices, change of the plan. Its address is made for one visit. */
async function openPortal(selling: Selling, { language, fields, holder }: AccountRequest): Promise<BillingReply> {
  const { database, stripe, publicUrl, offer, log } = selling;
  const subscription = await database.transaction(
    (tx) => findSubscriptionOf(tx, holder.accountId, fields.subscription ?? ''),
    BILLING_TIMEOUT,
  );
  if (subscription === null) return { redirectTo: BILLING_PATHS.account[language] };
  const back = `${publicUrl()}${BILLING_PATHS.account[language]}?done=${PORTAL}`;
  const url = await withStripeDeadline(stripe.openPortal(subscription.customer, back, language));
  if (offer.checkoutOrigins.includes(new URL(url).origin)) return { redirectTo: url };
  log.warn({}, 'Stripe gave an address for its billing portal that is not one of its own: nobody was led there');
  return { view: { page: 'refused', language, why: 'unavailable' } };
}

/** Ends a subscription at the end of its period, or takes that back; the page shows what Stripe then says. */
async function setCancellation(selling: Selling, { language, fields, holder }: AccountRequest): Promise<BillingReply> {
  const { database, stripe } = selling;
  const subscription = await database.transaction(
    (tx) => findSubscriptionOf(tx, holder.accountId, fields.subscription ?? ''),
    BILLING_TIMEOUT,
  );
  // The page may have grown old, and the subscription have ended meanwhile.
  if (
    subscription === null ||
    FINAL_STATUSES.includes(subscription.facts.status) ||
    subscription.facts.withdrawnAt !== null
  )
    return { redirectTo: BILLING_PATHS.account[language] };
  const isCancelled = fields.cancel === 'yes';
  const setAtStripe = async () => {
    await stripe.setCancellation(subscription.id, isCancelled);
    await syncSubscription(database, stripe, subscription.id);
  };
  await withStripeDeadline(setAtStripe());
  return toAccount(language, isCancelled ? 'cancelled' : 'resumed');
}
