/** The objects of Stripe's API as far as selling needs them, and how they are read. */
import type Stripe from 'stripe';
import { type PaidPlan, paidPlanOf } from '../domain/billing/paid-plans.ts';
import type { SalesMode } from '../domain/billing/seller.ts';
import type { UndatedSubscription } from '../domain/billing/subscription.ts';
import type { Language } from '../domain/localized-text.ts';

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
  readonly fetched: UndatedSubscription;
};

/** A charge; `isRefunded`: wholly. */
export type Charge = { readonly customer: string | null; readonly isRefunded: boolean };
/** A dispute; `isWon`: it was decided for us, or was no more than a question. */
export type Dispute = { readonly customer: string | null; readonly isWon: boolean };
/** An active price with the lookup key of a plan; `cents`: `null` = it varies, `interval`: `null` = it is paid once. */
export type PlanPrice = {
  readonly plan: PaidPlan;
  readonly cents: number | null;
  readonly currency: string;
  readonly interval: string | null;
  /** Whether tax is part of the amount, as the pages say. */
  readonly includesTax: boolean;
};
/** A page of a list; `next`: what to ask for the page after it, `null` = this is the last. */
export type ListPage<T> = { readonly items: readonly T[]; readonly next: string | null };

/** An event; `object` is the id of what it is about, `null` = it has none, so that nothing can be looked at. */
export type StripeEvent = { readonly id: string; readonly type: string; readonly object: string | null };

/** Outcomes of a dispute that leave us the money. */
const WON: readonly string[] = ['won', 'warning_closed', 'prevented'];
const CHECKOUT_STATUSES = ['open', 'complete', 'expired'] as const;

/** The parameters of a checkout. */
export function checkoutOf(
  { id, plan, email, trialDays, language, successUrl, cancelUrl }: CheckoutOrder,
  price: string,
  salesMode: SalesMode,
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

/** A checkout. */
export function asSession(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    id: session.id,
    url: session.url,
    // Stripe may add statuses without a new version: nobody can pay in one that we do not know.
    status: CHECKOUT_STATUSES.find((each) => each === session.status) ?? 'expired',
    orderId: session.client_reference_id,
    subscription: idOf(session.subscription),
  };
}

/** A subscription. */
export function asAnswer(subscription: Stripe.Subscription): SubscriptionAnswer {
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
      periodEnd: (item?.current_period_end ?? subscription.created) * 1000,
      cancelAt: msOf(ends),
    },
  };
}

/** An event of the mode of our key; `null` = of the other one. */
export function eventOf({ id, type, livemode, data }: Stripe.Event, isLive: boolean): StripeEvent | null {
  const { id: object } = data.object as { readonly id?: string };
  return livemode === isLive ? { id, type, object: object ?? null } : null;
}

/** The id of an object that may be expanded. */
export const idOf = (value: string | { readonly id: string } | null): string | null =>
  value === null || typeof value === 'string' ? value : value.id;

const msOf = (seconds: number | null | undefined): number | null => (seconds == null ? null : seconds * 1000);

/** What a dispute means for us. */
export function asDispute({ charge, status }: Stripe.Dispute): Dispute {
  return { customer: typeof charge === 'string' ? null : idOf(charge.customer), isWon: WON.includes(status) };
}

/** The price of a plan; `null` = its lookup key is none of ours. */
export function asPlanPrice({
  lookup_key,
  unit_amount,
  currency,
  recurring,
  tax_behavior,
}: Stripe.Price): PlanPrice | null {
  const plan = paidPlanOf(lookup_key);
  // "Every three months" is no month.
  const interval =
    recurring &&
    (recurring.interval_count === 1 ? recurring.interval : `${recurring.interval_count} ${recurring.interval}s`);
  return plan && { plan, cents: unit_amount, currency, interval, includesTax: tax_behavior === 'inclusive' };
}
