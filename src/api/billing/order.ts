/** The form of an order, and the page that Stripe's checkout leads back to. */
import { randomBytes } from 'node:crypto';
import { type StripeClient, whyStripeFailed } from '../../clients/stripe.ts';
import type { CheckoutSession } from '../../clients/stripe-objects.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import type { OrderProblem, OrderProgress, OrderView } from '../../domain/billing/order-view.ts';
import { type PaidPlan, paidPlanOf } from '../../domain/billing/paid-plans.ts';
import { termsAgreedTo } from '../../domain/billing/terms-version.ts';
import type { Language } from '../../domain/localized-text.ts';
import { mailboxKey, maskedAddress, parseEmailAddress } from '../../domain/mail/email-address.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import {
  findOrderOfCheckout,
  type OrderAfterCheckout,
  type OrderRefusal,
  openOrder,
  orderRefusal,
  setCheckout,
} from '../../store/billing/orders.ts';
import { endOpenCheckouts, syncCheckout } from '../../store/billing/sync-subscription.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { withCurrentKey } from '../../store/limits/address-hash.ts';
import { BILLING_TIMEOUT, type BillingDependencies } from './billing-dependencies.ts';
import { type BillingReply, type BillingRequest, type BillingRoute, MAX_SHOWN } from './billing-route.ts';
import { hourlyLimit, hourlyWaitMs } from './hourly-limit.ts';
import { withStripeDeadline } from './stripe-deadline.ts';

/** Orders of one client within an hour, and of those for one mailbox: a stranger bars nobody from ordering. */
const ORDERS_OF_CLIENT = 10;
const ORDERS_FOR_MAILBOX = 5;
/** Checkouts that one client makes us look at, within an hour. */
const LOOKS_OF_CLIENT = 120;
const ORDER_ID_BYTES = 8;
/** For how long the page after a checkout shows the address in full. */
const ADDRESS_SHOWN_MS = 3_600_000;

type Selling = BillingDependencies & { readonly stripe: StripeClient };

/** The routes; none where plans are not sold. */
export function orderRoutes(dependencies: BillingDependencies): BillingRoute[] {
  const { stripe } = dependencies;
  if (stripe === null) return [];
  const selling = { ...dependencies, stripe };
  return [...orderForm(selling), checkoutEnd(selling)];
}

function orderForm(selling: Selling): BillingRoute[] {
  const ofClient = hourlyLimit(ORDERS_OF_CLIENT);
  const forMailbox = hourlyLimit(ORDERS_FOR_MAILBOX);
  const flood = new WarnOnce({ warn: (why) => selling.log.warn({ why }, 'nobody can order for now') });
  const path = BILLING_PATHS.order;
  return [
    {
      method: 'GET',
      path,
      async answer({ language, query }) {
        const plan = paidPlanOf(query.get('plan'));
        return plan === null ? toPlans(language) : { view: formView({ language, plan }) };
      },
    },
    {
      method: 'POST',
      path,
      async answer(request) {
        const { language, fields, client } = request;
        const plan = paidPlanOf(fields.plan ?? null);
        if (plan === null) return toPlans(language);
        const asked = readOrder(request, plan);
        if (asked.problems.length > 0) return { view: asked };
        if (!ofClient.tryTake(client) || !forMailbox.tryTake(`${client} ${mailboxKey(asked.email)}`))
          return notNow(asked);
        return placeOrder(selling, asked, client, flood);
      },
    },
  ];
}

const toPlans = (language: Language): BillingReply => ({ redirectTo: ROUTES.plans[language] });

function notNow(asked: OrderView): BillingReply {
  return { view: { ...asked, problems: ['not now'] }, waitMs: hourlyWaitMs(ORDERS_OF_CLIENT) };
}

type Asked = Pick<OrderView, 'language' | 'plan'> & Partial<OrderView>;

function formView({ language, plan, email = '', agrees = { terms: false, start: false }, problems = [] }: Asked) {
  return { page: 'order', language, plan, email, agrees, problems } satisfies OrderView;
}

/** What was posted; its address is ready for use where nothing is wrong. */
function readOrder({ language, fields }: BillingRequest, plan: PaidPlan): OrderView {
  const typed = (fields.email ?? '').slice(0, MAX_SHOWN);
  const email = parseEmailAddress(fields.email ?? '');
  const agrees = { terms: fields.terms === 'yes', start: fields.start === 'yes' };
  const problems: OrderProblem[] = [];
  if (email === null) problems.push('email');
  if (!agrees.terms) problems.push('terms');
  if (!agrees.start) problems.push('start');
  return formView({ language, plan, email: email ?? typed, agrees, problems });
}

/** Leads to a checkout. An order whose checkout could not be made, or not in time, is replaced by the next. */
async function placeOrder(selling: Selling, asked: OrderView, client: string, flood: WarnOnce): Promise<BillingReply> {
  try {
    return await withStripeDeadline(openCheckout(selling, asked, client, flood));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    selling.log.warn({}, `an order got no checkout: ${whyStripeFailed(error)}`);
    return { view: { ...asked, problems: ['no checkout'] } };
  }
}

/** Stores the order and makes its checkout. */
async function openCheckout(
  selling: Selling,
  asked: OrderView,
  client: string,
  flood: WarnOnce,
): Promise<BillingReply> {
  const { database, hashes, stripe, offer } = selling;
  const { email, plan, language } = asked;
  const hasher = hashes.for('orders');
  const network = () => hasher.hash(clientNetwork(client));
  // An order that is refused ends no checkout of whoever has the address.
  const refusal = await withCurrentKey(hasher, () =>
    database.transaction((tx) => orderRefusal(tx, { email, network: network() }), BILLING_TIMEOUT),
  );
  if (refusal !== null) return refused(asked, refusal, flood);
  // No two checkouts of one mailbox can be finished. One that just was finished counts as an order before this.
  await endOpenCheckouts(database, stripe, email);
  const order = { id: randomBytes(ORDER_ID_BYTES).toString('hex'), email, plan, language };
  const termsVersion = termsAgreedTo(offer.seller);
  const opened = await withCurrentKey(hasher, () =>
    database.transaction((tx) => openOrder(tx, { ...order, termsVersion, network: network() }), BILLING_TIMEOUT),
  );
  if (opened.kind !== 'opened') return refused(asked, opened.kind, flood);
  flood.succeeded();
  const { trialDays, replaced } = opened;
  for (const each of replaced) await stripe.expireCheckout(each);
  const checkout = await stripe.createCheckout({ ...order, trialDays, ...returnAddresses(selling, asked) });
  const isCurrent = await database.transaction((tx) => setCheckout(tx, order.id, checkout.id), BILLING_TIMEOUT);
  if (isCurrent) return { redirectTo: addressOf(checkout, offer.checkoutOrigins) };
  // The same form was sent again while this checkout was made: the later one counts.
  await stripe.expireCheckout(checkout.id);
  return { view: { ...asked, problems: ['no checkout'] } };
}

/** Tells the operator where nobody can order. */
function refused(asked: OrderView, why: OrderRefusal, flood: WarnOnce): BillingReply {
  if (why === 'too many of all') flood.failed('all together placed the orders of an hour');
  return notNow(asked);
}

function returnAddresses({ publicUrl }: Selling, { language, plan }: OrderView) {
  const base = publicUrl();
  return {
    successUrl: `${base}${BILLING_PATHS.ordered[language]}?session={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${base}${BILLING_PATHS.order[language]}?plan=${plan}`,
  };
}

/** Throws if the checkout has no address, or one that is not Stripe's. */
function addressOf({ url }: CheckoutSession, origins: readonly string[]): string {
  if (url === null || !origins.includes(new URL(url).origin)) throw new Error('the checkout has no address of Stripe');
  return url;
}

function checkoutEnd(selling: Selling): BillingRoute {
  const { clock } = selling;
  const looks = hourlyLimit(LOOKS_OF_CLIENT);
  const find = (session: string) =>
    selling.database.transaction((tx) => findOrderOfCheckout(tx, session), BILLING_TIMEOUT);
  return {
    method: 'GET',
    path: BILLING_PATHS.ordered,
    async answer({ language, query, client }) {
      const session = query.get('session') ?? '';
      let order = await find(session);
      if (order?.state === 'open' && looks.tryTake(client)) {
        await lookAtCheckout(selling, session);
        order = await find(session);
      }
      const progress = progressOf(order);
      if (order === null) return { view: { page: 'ordered', language, progress, order } };
      const { id, plan } = order;
      return {
        view: {
          page: 'ordered',
          language,
          progress,
          order: { id, plan, email: shownAddress(order, clock()), session },
        },
      };
    },
  };
}

/**
 * Whoever has just ordered must see a mistake in the address. The page is known to their browser and to Stripe only;
 * later, others may use that browser.
 */
function shownAddress({ email, at }: OrderAfterCheckout, now: number): string | null {
  return email === null || now - at < ADDRESS_SHOWN_MS ? email : maskedAddress(email);
}

/** As a worker does for an event, only sooner: whichever comes first stores what follows. */
async function lookAtCheckout({ database, stripe, log }: Selling, session: string): Promise<void> {
  try {
    await withStripeDeadline(syncCheckout(database, stripe, session));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn({}, `a checkout could not be read: ${whyStripeFailed(error)}`);
  }
}

function progressOf(order: OrderAfterCheckout | null): OrderProgress {
  if (order === null) return 'unknown';
  if (order.state === 'open') return 'waiting';
  if (order.state === 'expired') return 'expired';
  if (order.mail === 'sent') return 'sent';
  if (order.mail === 'refused') return 'refused';
  if (order.mail === 'expired') return 'undelivered';
  return 'sending';
}
