/**
 * Stripe, as far as selling needs it. Its SDK is loaded for the first call: it takes 20 MB, which a service that sells
 * nothing does not pay. Calls reject with the SDK's errors; `whyStripeFailed` says what an operator should read.
 */
import type Stripe from 'stripe';
import { type PaidPlan, paidPlanOf } from '../domain/billing/paid-plans.ts';
import type { FetchedSubscription } from '../domain/billing/subscription.ts';
import type { Language } from '../domain/localized-text.ts';

/** What our code was written and tested for; events come in the version of their endpoint. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export type StripeOptions = {
  readonly secretKey: string;
  /** Of the endpoint to which it posts events. */
  readonly webhookSecret: string;
  /** The origin of its API. */
  readonly apiUrl: URL;
  /** `mor`: Stripe is the merchant of record and takes care of taxes. */
  readonly salesMode: 'own' | 'mor';
  /** Epoch ms. */
  readonly clock: () => number;
};

/** What a customer wants to subscribe to. */
export type CheckoutOrder = {
  readonly id: string;
  readonly plan: PaidPlan;
  readonly email: string;
  readonly trialDays: number;
  readonly language: Language;
  /** Where Stripe leads afterwards; the address of success may contain `{CHECKOUT_SESSION_ID}`. */
  readonly successUrl: string;
  readonly cancelUrl: string;
};

export type CheckoutSession = {
  readonly id: string;
  /** Where the customer pays; `null` = it is not open any more. */
  readonly url: string | null;
  readonly status: (typeof CHECKOUT_STATUSES)[number];
  readonly orderId: string | null;
  /** The subscription that came of it. */
  readonly subscription: string | null;
};

export type SubscriptionAnswer = {
  readonly id: string;
  readonly customer: string;
  readonly orderId: string | null;
  readonly fetched: FetchedSubscription;
};

/** An event; `object` is the id of what it is about. */
export type StripeEvent = { readonly id: string; readonly type: string; readonly object: string };

export type StripeClient = {
  /** Creates a checkout; the same order gets the same one for a day. Rejects if the plan has no active price. */
  createCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  findCheckout(id: string): Promise<CheckoutSession | null>;
  /** Ends a checkout that nobody finished; one that ended otherwise stays as it is. */
  expireCheckout(id: string): Promise<void>;
  /** `null` = there is no such subscription. */
  fetchSubscription(id: string): Promise<SubscriptionAnswer | null>;
  /** Ends it at the end of its period, or takes that back. */
  setCancellation(id: string, isCancelled: boolean): Promise<void>;
  /** Ends it at once, without a refund. */
  cancelNow(id: string): Promise<void>;
  /**
   * The event that was signed with the webhook's secret in the last five minutes; `null` = it was not, it is of the
   * other mode than our key, or it is about nothing that can be fetched.
   */
  readEvent(body: Buffer, signature: string): Promise<StripeEvent | null>;
  /** A short-lived address of the billing portal. */
  openPortal(customer: string, returnUrl: string, language: Language): Promise<string>;
};

const CHECKOUT_STATUSES = ['open', 'complete', 'expired'] as const;
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
      // The moment before the call: whatever happened at Stripe until then is in the answer.
      const fetchedAt = options.clock();
      return orNull(async () => asAnswer(await stripe.subscriptions.retrieve(id), fetchedAt));
    },
    async setCancellation(id, isCancelled) {
      const stripe = await sdk();
      await stripe.subscriptions.update(id, { cancel_at_period_end: isCancelled });
    },
    async cancelNow(id) {
      const stripe = await sdk();
      await orNull(() => stripe.subscriptions.cancel(id));
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

/** The reason of a failed call, without keys or personal data; Stripe's request id lets its support find it. */
export function whyStripeFailed(error: unknown): string {
  const { type, code, statusCode, requestId } = error as Partial<Stripe.errors.StripeError>;
  const parts = [type ?? 'no answer', code, statusCode === undefined ? null : `status ${statusCode}`, requestId];
  return parts.filter(Boolean).join(', ');
}

async function loadSdk({ secretKey, apiUrl }: StripeOptions): Promise<Stripe> {
  const { default: StripeSdk } = await import('stripe');
  const isPlain = apiUrl.protocol === 'http:';
  return new StripeSdk(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    host: apiUrl.hostname,
    port: apiUrl.port === '' ? (isPlain ? 80 : 443) : Number(apiUrl.port),
    protocol: isPlain ? 'http' : 'https',
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
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

function checkoutOf(
  { id, plan, email, trialDays, language, successUrl, cancelUrl }: CheckoutOrder,
  price: string,
  salesMode: StripeOptions['salesMode'],
): Stripe.Checkout.SessionCreateParams {
  const metadata = { order: id, plan };
  return {
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    client_reference_id: id,
    customer_email: email,
    locale: language,
    payment_method_collection: 'always',
    metadata,
    ...(salesMode === 'mor'
      ? { managed_payments: { enabled: true } }
      : {
          billing_address_collection: 'required',
          tax_id_collection: { enabled: true },
          automatic_tax: { enabled: true },
          consent_collection: { terms_of_service: 'required' },
        }),
    subscription_data: {
      ...(trialDays > 0 && { trial_period_days: trialDays }),
      // The session's metadata do not reach the subscription.
      metadata,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    },
  };
}

function asSession(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    id: session.id,
    url: session.url,
    // Stripe may add statuses without a new version: nobody can pay in one that we do not know.
    status: CHECKOUT_STATUSES.find((each) => each === session.status) ?? 'expired',
    orderId: session.client_reference_id,
    subscription: idOf(session.subscription),
  };
}

function asAnswer(subscription: Stripe.Subscription, fetchedAt: number): SubscriptionAnswer {
  const items = subscription.items.data;
  // A plan of ours has one item; whoever adds another in the Dashboard changes which one counts.
  const item = items.find(({ price }) => paidPlanOf(price.lookup_key) !== null) ?? items[0];
  const ends = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item?.current_period_end : null);
  return {
    id: subscription.id,
    customer: idOf(subscription.customer) as string,
    orderId: subscription.metadata.order ?? null,
    fetched: {
      status: subscription.status,
      plan: item === undefined ? null : paidPlanOf(item.price.lookup_key),
      trialEnd: msOf(subscription.trial_end),
      periodEnd: msOf(item?.current_period_end) ?? fetchedAt,
      cancelAt: msOf(ends),
      fetchedAt,
    },
  };
}

/** Keys of the test mode say so in their second part. */
const isLiveKey = (secretKey: string) => secretKey.split('_')[1] === 'live';

function eventOf({ id, type, livemode, data }: Stripe.Event, isLive: boolean): StripeEvent | null {
  const { id: object } = data.object as { readonly id?: string };
  return livemode === isLive && object !== undefined ? { id, type, object } : null;
}

const idOf = (value: string | { readonly id: string } | null): string | null =>
  value === null || typeof value === 'string' ? value : value.id;

const msOf = (seconds: number | null | undefined): number | null => (seconds == null ? null : seconds * 1000);

/** `null` where Stripe says that there is no such object. */
async function orNull<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if ((error as Partial<Stripe.errors.StripeError>).code === 'resource_missing') return null;
    throw error;
  }
}
