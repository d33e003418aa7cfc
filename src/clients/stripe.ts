/**
 * Stripe, as far as selling needs it. Its SDK is loaded for the first call: it takes 20 MB, which a service that sells
 * nothing does not pay. Calls reject with the SDK's errors; `whyStripeFailed` says what an operator should read.
 */
import type Stripe from 'stripe';
import { PAID_PLANS, type PaidPlan } from '../domain/billing/paid-plans.ts';
import type { SalesMode } from '../domain/billing/seller.ts';
import type { Language } from '../domain/localized-text.ts';
import {
  asAnswer,
  asDispute,
  asPlanPrice,
  asSession,
  type Charge,
  type CheckoutOrder,
  type CheckoutSession,
  checkoutOf,
  type Dispute,
  eventOf,
  idOf,
  type ListPage,
  type PlanPrice,
  type StripeEvent,
  type SubscriptionAnswer,
} from './stripe-objects.ts';
import { readStripeSetup, type StripeSetup } from './stripe-setup.ts';

/** What our code was written and tested for; events come in the version of their endpoint. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export type StripeOptions = {
  readonly secretKey: string;
  /** Of the endpoint to which it posts events. */
  readonly webhookSecret: string;
  /** The origin of its API. */
  readonly apiUrl: URL;
  readonly salesMode: SalesMode;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Of each call, which is then tried once; three attempts of 10 s unless given. */
  readonly timeoutMs?: number;
};

export type StripeClient = {
  /** Creates a checkout; the same order gets the same one for a day. Rejects if the plan has no active price. */
  createCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  findCheckout(id: string): Promise<CheckoutSession | null>;
  /** Ends a checkout that nobody finished; one that ended otherwise stays as it is. */
  expireCheckout(id: string): Promise<void>;
  /** `null` = there is no such subscription. */
  fetchSubscription(id: string): Promise<SubscriptionAnswer | null>;
  /** The active prices of the plans. */
  listPlanPrices(): Promise<PlanPrice[]>;
  /** What is set in the Dashboard. */
  readSetup(): Promise<StripeSetup>;
  /** The subscription of an invoice; `null` = it is of none. */
  subscriptionOfInvoice(id: string): Promise<string | null>;
  fetchCharge(id: string): Promise<Charge | null>;
  fetchDispute(id: string): Promise<Dispute | null>;
  /** All subscriptions, canceled ones included, newest first: up to 100 after the one named. */
  listSubscriptions(after: string | null): Promise<ListPage<SubscriptionAnswer>>;
  /** Events of the last 30 days that no endpoint of ours has accepted, newest first: up to 100 after the one named. */
  listUndelivered(after: string | null): Promise<ListPage<StripeEvent>>;
  /** Ends it at the end of its period, or takes that back. */
  setCancellation(id: string, isCancelled: boolean): Promise<void>;
  /** Ends it at once, without a refund. */
  cancelNow(id: string): Promise<boolean>;
  /** Deletes a customer with their cards; what is still running ends at once, and invoices stay. */
  deleteCustomer(id: string): Promise<void>;
  /**
   * The event that was signed with the webhook's secret in the last five minutes; `null` = it was not, or it is of the
   * other mode than our key.
   */
  readEvent(body: Buffer, signature: string): Promise<StripeEvent | null>;
  /** A short-lived address of the billing portal. */
  openPortal(customer: string, returnUrl: string, language: Language): Promise<string>;
};

/** The events that the endpoint at Stripe must be set to; `trial_will_end` comes at once in a trial of three days. */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'customer.updated',
  'customer.deleted',
] as const;

const PAGE_SIZE = 100;
const TIMEOUT_MS = 10_000;
const RETRIES = 2;
/** How old a signature may be. */
const SIGNATURE_SECONDS = 300;
const MINUTES = 60_000;
/** How long the price of a plan is believed. */
const PRICES_MS = 10 * MINUTES;

/** Creates the client; nothing is loaded or called yet. */
export function createStripeClient(options: StripeOptions): StripeClient {
  let loading: Promise<Stripe> | undefined;
  const sdk = () => {
    loading ??= loadSdk(options);
    return loading;
  };
  const priceOf = createPriceLookup(sdk, options.clock);
  return {
    async createCheckout(order) {
      const stripe = await sdk();
      const price = await priceOf(order.plan);
      const session = await stripe.checkout.sessions.create(checkoutOf(order, price, options.salesMode), {
        idempotencyKey: `checkout-${order.id}`,
      });
      return asSession(session);
    },
    async findCheckout(id) {
      const stripe = await sdk();
      return orNull(async () => asSession(await stripe.checkout.sessions.retrieve(id)));
    },
    async expireCheckout(id) {
      const stripe = await sdk();
      const session = await orNull(() => stripe.checkout.sessions.retrieve(id));
      if (session?.status === 'open') await stripe.checkout.sessions.expire(id);
    },
    async fetchSubscription(id) {
      const stripe = await sdk();
      return orNull(async () => asAnswer(await stripe.subscriptions.retrieve(id)));
    },
    async listPlanPrices() {
      const stripe = await sdk();
      const { data } = await stripe.prices.list({ lookup_keys: [...PAID_PLANS], active: true, limit: PAGE_SIZE });
      return data.flatMap((price) => asPlanPrice(price) ?? []);
    },
    readSetup: async () => readStripeSetup(await sdk()),
    async subscriptionOfInvoice(id) {
      const stripe = await sdk();
      const invoice = await orNull(() => stripe.invoices.retrieve(id));
      return idOf(invoice?.parent?.subscription_details?.subscription ?? null);
    },
    async fetchCharge(id) {
      const stripe = await sdk();
      const charge = await orNull(() => stripe.charges.retrieve(id));
      return charge && { customer: idOf(charge.customer), isRefunded: charge.refunded };
    },
    async fetchDispute(id) {
      const stripe = await sdk();
      const dispute = await orNull(() => stripe.disputes.retrieve(id, { expand: ['charge'] }));
      return dispute && asDispute(dispute);
    },
    async listSubscriptions(after) {
      const stripe = await sdk();
      const { data, has_more } = await stripe.subscriptions.list({ status: 'all', ...pageAfter(after) });
      return { items: data.map(asAnswer), next: has_more ? (data.at(-1)?.id ?? null) : null };
    },
    async listUndelivered(after) {
      const stripe = await sdk();
      const { data, has_more } = await stripe.events.list({
        ...{ delivery_success: false, types: [...STRIPE_EVENTS] },
        ...pageAfter(after),
      });
      const isLive = isLiveKey(options.secretKey);
      const items = data.flatMap((each) => eventOf(each, isLive) ?? []);
      return { items, next: has_more ? (data.at(-1)?.id ?? null) : null };
    },
    async setCancellation(id, isCancelled) {
      const stripe = await sdk();
      // A cancellation is spelled in one of two ways, of which Stripe takes one at a time.
      const hasDate = !isCancelled && !(await stripe.subscriptions.retrieve(id)).cancel_at_period_end;
      await stripe.subscriptions.update(id, hasDate ? { cancel_at: '' } : { cancel_at_period_end: isCancelled });
    },
    async cancelNow(id) {
      const stripe = await sdk();
      return (await orNull(() => stripe.subscriptions.cancel(id))) !== null;
    },
    async deleteCustomer(id) {
      const stripe = await sdk();
      await orNull(() => stripe.customers.del(id));
    },
    async readEvent(body, signature) {
      const stripe = await sdk();
      try {
        const { webhookSecret, clock } = options;
        const event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          SIGNATURE_SECONDS,
          undefined,
          clock(),
        );
        return eventOf(event, isLiveKey(options.secretKey));
      } catch {
        return null;
      }
    },
    async openPortal(customer, returnUrl, language) {
      const stripe = await sdk();
      const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl, locale: language });
      return url;
    },
  };
}

/** Whether Stripe refused a call or could not be reached. */
export function isStripeFailure(error: unknown): boolean {
  return String((error as Partial<Stripe.errors.StripeError>).type).startsWith('Stripe');
}

/** The reason of a failed call, without keys or personal data; Stripe's request id lets its support find it. */
export function whyStripeFailed(error: unknown): string {
  const { type, code, statusCode, requestId } = error as Partial<Stripe.errors.StripeError>;
  if (!isStripeFailure(error)) return (error as Error).message;
  const parts = [type, code, statusCode === undefined ? null : `status ${statusCode}`, requestId];
  return parts.filter(Boolean).join(', ');
}

async function loadSdk({ secretKey, apiUrl, timeoutMs }: StripeOptions): Promise<Stripe> {
  const { default: StripeSdk } = await import('stripe');
  const isPlain = apiUrl.protocol === 'http:';
  return new StripeSdk(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    host: apiUrl.hostname,
    port: apiUrl.port === '' ? (isPlain ? 80 : 443) : Number(apiUrl.port),
    protocol: isPlain ? 'http' : 'https',
    ...(timeoutMs === undefined
      ? { maxNetworkRetries: RETRIES, timeout: TIMEOUT_MS }
      : { maxNetworkRetries: 0, timeout: timeoutMs }),
    telemetry: false,
  });
}

/** Finds the price of a plan by its lookup key, as long as it was looked up recently. */
function createPriceLookup(sdk: () => Promise<Stripe>, clock: () => number) {
  const known = new Map<PaidPlan, { readonly id: string; readonly until: number }>();
  return async (plan: PaidPlan): Promise<string> => {
    const before = known.get(plan);
    if (before !== undefined && clock() < before.until) return before.id;
    const stripe = await sdk();
    const { data } = await stripe.prices.list({ lookup_keys: [plan], active: true, limit: 1 });
    const [price] = data;
    if (price === undefined) throw new Error(`Stripe has no active price with the lookup key "${plan}"`);
    known.set(plan, { id: price.id, until: clock() + PRICES_MS });
    return price.id;
  };
}

/** `null` where Stripe says that there is no such object. */
async function orNull<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if ((error as Partial<Stripe.errors.StripeError>).code === 'resource_missing') return null;
    throw error;
  }
}

/** Keys of the test mode say so in their second part. */
const isLiveKey = (secretKey: string) => secretKey.split('_')[1] === 'live';

const pageAfter = (after: string | null) => ({
  limit: PAGE_SIZE,
  ...(after !== null && { starting_after: after }),
});
