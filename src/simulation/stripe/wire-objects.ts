/** Objects of the simulated Stripe, as its API shows them; amounts in cents, moments in seconds. */
import { monthlyPriceOf, type PaidPlan } from '../../domain/billing/paid-plans.ts';

export type Metadata = Record<string, string>;
export type WirePrice = ReturnType<typeof priceOf>;
export type WireSubscription = ReturnType<typeof newSubscription>;
export type WireInvoice = ReturnType<typeof newInvoice>;
export type WireCharge = ReturnType<typeof newCharge>;
export type WireDispute = ReturnType<typeof newDispute>;
export type WireCheckout = ReturnType<typeof newCheckout>;
export type WireCustomer = { id: string; object: 'customer'; email: string; livemode: false; created: number };
export type WireEvent = {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly type: string;
  readonly livemode: false;
  readonly data: { readonly object: { readonly id: string } };
  /** Endpoints that have not accepted it. */
  pending_webhooks: number;
  readonly request: { readonly id: null; readonly idempotency_key: null };
};
export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'canceled';

/** The monthly price of a plan, found by its lookup key. */
export const priceOf = (plan: PaidPlan) => ({
  ...{ id: `price_simulated_${plan}`, object: 'price', active: true, billing_scheme: 'per_unit', created: 0 },
  ...{
    currency: 'eur',
    livemode: false,
    lookup_key: plan,
    nickname: plan,
    product: 'prod_simulated',
    type: 'recurring',
  },
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed', trial_period_days: null },
  ...{ metadata: {} as Metadata, tax_behavior: 'inclusive', unit_amount: monthlyPriceOf(plan) * 100 },
});

type Beginning = { id: string; customer: string; price: WirePrice; metadata: Metadata; start: number; end: number };

/** A subscription that begins, with its first period. */
export const newSubscription = ({ id, customer, price, metadata, start, end }: Beginning, isTrial: boolean) => ({
  ...{ id, object: 'subscription', customer, metadata, created: start, start_date: start, livemode: false },
  ...{ currency: 'eur', collection_method: 'charge_automatically', billing_mode: { type: 'flexible' } },
  status: (isTrial ? 'trialing' : 'active') as SubscriptionStatus,
  trial_start: isTrial ? start : null,
  trial_end: isTrial ? end : null,
  cancel_at_period_end: false,
  cancel_at: null as number | null,
  canceled_at: null as number | null,
  ended_at: null as number | null,
  cancellation_details: { comment: null, feedback: null, reason: null as string | null },
  latest_invoice: null as string | null,
  ...{ pause_collection: null, schedule: null, test_clock: null },
  items: {
    ...{ object: 'list', has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    data: [
      {
        ...{ id: id.replace('sub_', 'si_'), object: 'subscription_item', created: start, metadata: {}, price },
        ...{ quantity: 1, subscription: id, current_period_start: start, current_period_end: end },
      },
    ] as const satisfies object[],
  },
});

/** An invoice; a draft is charged at `chargeAt`. */
export const newInvoice = (
  { id, customer, metadata }: WireSubscription,
  invoice: { id: string; reason: string; amount: number; created: number; chargeAt: number | null },
) => ({
  ...{ id: invoice.id, object: 'invoice', customer, livemode: false, currency: 'eur', created: invoice.created },
  billing_reason: invoice.reason,
  amount_due: invoice.amount,
  amount_paid: invoice.chargeAt === null ? invoice.amount : 0,
  status: invoice.chargeAt === null ? 'paid' : 'draft',
  attempt_count: 0,
  next_payment_attempt: invoice.chargeAt,
  parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata } },
});

export const newCharge = (id: string, { id: invoice, customer, amount_due }: WireInvoice, created: number) => ({
  ...{ id, object: 'charge', customer, livemode: false, currency: 'eur', created, amount: amount_due },
  ...{ amount_refunded: 0, refunded: false, disputed: false, paid: true, status: 'succeeded' },
  ...{ payment_intent: id.replace('ch_', 'pi_'), metadata: { invoice } },
});

export const newDispute = (id: string, { id: charge, amount }: WireCharge, created: number) => ({
  ...{ id, object: 'dispute', charge, amount, livemode: false, currency: 'eur', created },
  ...{ reason: 'general', status: 'needs_response' },
});

export type CheckoutParameters = {
  readonly line_items: readonly { readonly price: string }[];
  readonly success_url: string;
  readonly cancel_url?: string;
  readonly client_reference_id?: string;
  readonly customer_email?: string;
  readonly customer?: string;
  readonly locale?: string;
  readonly metadata?: Metadata;
  readonly expires_at?: number;
  readonly managed_payments?: { readonly enabled?: boolean };
  readonly subscription_data?: { readonly metadata?: Metadata; readonly trial_period_days?: number };
};

const DAY = 86_400;

export const newCheckout = (id: string, url: string, asked: CheckoutParameters, created: number) => ({
  ...{ id, object: 'checkout.session', mode: 'subscription', livemode: false, currency: 'eur', created },
  url: url as string | null,
  status: 'open' as 'open' | 'complete' | 'expired',
  payment_status: 'unpaid',
  success_url: asked.success_url,
  cancel_url: asked.cancel_url ?? null,
  client_reference_id: asked.client_reference_id ?? null,
  customer: asked.customer ?? null,
  customer_email: asked.customer_email ?? null,
  customer_details: null as { email: string } | null,
  locale: asked.locale ?? null,
  metadata: asked.metadata ?? {},
  expires_at: asked.expires_at ?? created + DAY,
  subscription: null as string | null,
});

/** The default configuration of the billing portal, as the guide wants it. */
export const PORTAL = {
  ...{ id: 'bpc_simulated', object: 'billing_portal.configuration', active: true, is_default: true, livemode: false },
  features: {
    subscription_update: {
      ...{ enabled: true, default_allowed_updates: ['price'], proration_behavior: 'none', billing_cycle_anchor: null },
      ...{ trial_update_behavior: 'continue_trial', schedule_at_period_end: { conditions: [] } },
    },
    subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
  },
};

/** The one endpoint of the account. */
export const endpointAt = (url: string) => ({
  ...{ id: 'we_simulated', object: 'webhook_endpoint', url, status: 'enabled', livemode: false },
  ...{ api_version: '2026-10-28.endive', enabled_events: ENABLED_EVENTS },
});

const ENABLED_EVENTS = [
  ...['checkout.session.completed', 'checkout.session.expired', 'customer.updated', 'customer.deleted'],
  ...['created', 'updated', 'deleted', 'paused', 'resumed'].map((what) => `customer.subscription.${what}`),
  ...['invoice.paid', 'invoice.payment_failed', 'invoice.payment_action_required', 'charge.refunded'],
  ...['charge.dispute.created', 'charge.dispute.closed'],
];
