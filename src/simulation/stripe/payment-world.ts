/** What the simulated Stripe knows, and what time and customers do to it. No network here. */
import { randomBytes } from 'node:crypto';
import { PAID_PLANS, type PaidPlan } from '../../domain/billing/paid-plans.ts';
import {
  type CheckoutParameters,
  newCharge,
  newCheckout,
  newDispute,
  newInvoice,
  newSubscription,
  priceOf,
  type WireCharge,
  type WireCheckout,
  type WireCustomer,
  type WireDispute,
  type WireEvent,
  type WireInvoice,
  type WirePrice,
  type WireSubscription,
} from './wire-objects.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A failed charge is tried again after these pauses; then the subscription ends. */
const RETRY_PAUSES = [3 * DAY, 5 * DAY, 7 * DAY];
const API_VERSION = '2026-10-28.endive';

/** All that is kept, as JSON. */
type WorldState = {
  /** How far its clock is ahead of the real one. */
  aheadSeconds: number;
  customers: Record<string, WireCustomer>;
  checkouts: Record<string, WireCheckout & { asked: CheckoutParameters }>;
  subscriptions: Record<string, WireSubscription>;
  invoices: Record<string, WireInvoice>;
  charges: Record<string, WireCharge>;
  disputes: Record<string, WireDispute>;
  /** Customers whose card is refused when it is charged. */
  refused: string[];
  events: WireEvent[];
};

const emptyState = (): WorldState => ({
  aheadSeconds: 0,
  ...{ customers: {}, checkouts: {}, subscriptions: {}, invoices: {}, charges: {}, disputes: {} },
  ...{ refused: [], events: [] },
});

export type PaymentWorldOptions = {
  /** Epoch ms. */
  readonly clock: () => number;
  /** Called with each event, in the order in which things happened. */
  readonly onEvent: (event: WireEvent) => void;
  /** What `toJSON` gave before. */
  readonly kept?: string | null;
};

export class PaymentWorld {
  readonly prices: readonly WirePrice[] = PAID_PLANS.map(priceOf);
  readonly state: WorldState;
  readonly #options: PaymentWorldOptions;

  constructor(options: PaymentWorldOptions) {
    this.#options = options;
    this.state = options.kept == null ? emptyState() : (JSON.parse(options.kept) as WorldState);
  }

  toJSON(): WorldState {
    return this.state;
  }

  /** Its own time, in seconds. */
  now(): number {
    return Math.floor(this.#options.clock() / 1000) + this.state.aheadSeconds;
  }

  /** Lets its time pass, with what falls due meanwhile. */
  advance(seconds: number): void {
    this.state.aheadSeconds += seconds;
    this.settle();
  }

  openCheckout(asked: CheckoutParameters, origin: string): WireCheckout {
    const id = newId('cs_test');
    const checkout = newCheckout(id, `${origin}/pay/${id}`, asked, this.now());
    this.state.checkouts[id] = { ...checkout, asked };
    return this.state.checkouts[id];
  }

  /** The customer has paid with a card, which is refused later if `isRefusedLater`; `false` = it is not open. */
  completeCheckout(id: string, isRefusedLater: boolean): boolean {
    const checkout = this.state.checkouts[id];
    if (checkout?.status !== 'open') return false;
    const { asked } = checkout;
    const now = this.now();
    const customer = this.#customerOf(asked, now);
    if (isRefusedLater) this.state.refused.push(customer.id);
    const price = this.prices.find((each) => each.id === asked.line_items[0]?.price) as WirePrice;
    const days = asked.subscription_data?.trial_period_days;
    const end = days === undefined ? monthAfter(now) : now + days * DAY;
    const metadata = asked.subscription_data?.metadata ?? {};
    const subscription = newSubscription(
      { id: newId('sub'), customer: customer.id, price, metadata, start: now, end },
      days !== undefined,
    );
    this.state.subscriptions[subscription.id] = subscription;
    const amount = days === undefined ? price.unit_amount : 0;
    const invoice = this.#invoice(subscription, 'subscription_create', amount, null);
    if (amount > 0) this.#charge(invoice);
    Object.assign(checkout, {
      ...{ status: 'complete', url: null, customer: customer.id, subscription: subscription.id },
      payment_status: amount === 0 ? 'no_payment_required' : 'paid',
      customer_details: { email: customer.email },
    });
    this.#emit('invoice.paid', invoice);
    this.#emit('customer.subscription.created', subscription);
    this.#emit('checkout.session.completed', checkout);
    return true;
  }

  /** Ends an open checkout; `false` = it is not open. */
  expireCheckout(id: string): boolean {
    const checkout = this.state.checkouts[id];
    if (checkout?.status !== 'open') return false;
    Object.assign(checkout, { status: 'expired', url: null });
    this.#emit('checkout.session.expired', checkout);
    return true;
  }

  setCancellation(subscription: WireSubscription, isCancelled: boolean): void {
    subscription.cancel_at_period_end = isCancelled;
    subscription.cancel_at = isCancelled ? subscription.items.data[0].current_period_end : null;
    subscription.canceled_at = isCancelled ? this.now() : null;
    this.#emit('customer.subscription.updated', subscription);
  }

  /** The other plan counts at once; a trial goes on. */
  changePlan(subscription: WireSubscription, plan: PaidPlan): void {
    Object.assign(subscription.items.data[0], { price: priceOf(plan) });
    this.#emit('customer.subscription.updated', subscription);
  }

  cancelNow(subscription: WireSubscription, reason = 'cancellation_requested'): void {
    if (subscription.status === 'canceled') return;
    subscription.status = 'canceled';
    subscription.canceled_at ??= this.now();
    subscription.ended_at = this.now();
    subscription.cancellation_details.reason = reason;
    for (const invoice of this.#openInvoices(subscription)) invoice.next_payment_attempt = null;
    this.#emit('customer.subscription.deleted', subscription);
  }

  deleteCustomer(id: string): boolean {
    const customer = this.state.customers[id];
    if (customer === undefined) return false;
    for (const each of this.#subscriptionsOf(id)) this.cancelNow(each);
    delete this.state.customers[id];
    this.#emit('customer.deleted', customer);
    return true;
  }

  /** The customer's card is refused from now on, or mended: then what is open is paid at once. */
  setCardRefused(customer: string, isRefused: boolean): void {
    this.state.refused = this.state.refused.filter((each) => each !== customer);
    if (isRefused) this.state.refused.push(customer);
    else
      for (const each of this.#subscriptionsOf(customer))
        for (const one of this.#openInvoices(each)) this.#collect(one);
  }

  /** Refunds a charge wholly; `false` = it was before. */
  refund(charge: WireCharge): boolean {
    if (charge.refunded) return false;
    Object.assign(charge, { refunded: true, amount_refunded: charge.amount });
    this.#emit('charge.refunded', charge);
    return true;
  }

  openDispute(charge: WireCharge): void {
    charge.disputed = true;
    const dispute = newDispute(newId('dp'), charge, this.now());
    this.state.disputes[dispute.id] = dispute;
    this.#emit('charge.dispute.created', dispute);
  }

  closeDispute(dispute: WireDispute, isWon: boolean): void {
    dispute.status = isWon ? 'won' : 'lost';
    this.#emit('charge.dispute.closed', dispute);
  }

  /** Does what has fallen due: ends of trials and periods, charges, expiries. */
  settle(): void {
    const now = this.now();
    for (const { id, status, expires_at } of Object.values(this.state.checkouts))
      if (status === 'open' && expires_at <= now) this.expireCheckout(id);
    for (const each of Object.values(this.state.subscriptions)) this.#settleSubscription(each, now);
  }

  #settleSubscription(subscription: WireSubscription, now: number): void {
    const [item] = subscription.items.data;
    while (subscription.status !== 'canceled') {
      const due = this.#openInvoices(subscription).find((each) => (each.next_payment_attempt ?? Infinity) <= now);
      const periodEnd = item.current_period_end;
      const isChargeFirst = due !== undefined && (due.next_payment_attempt ?? 0) <= periodEnd;
      if (isChargeFirst) this.#collect(due);
      else if (periodEnd > now) return;
      else if (subscription.cancel_at_period_end) this.cancelNow(subscription);
      else this.#beginPeriod(subscription, periodEnd);
    }
  }

  /** The invoice of a period is a draft for an hour. */
  #beginPeriod(subscription: WireSubscription, start: number): void {
    const [item] = subscription.items.data;
    Object.assign(item, { current_period_start: start, current_period_end: monthAfter(start) });
    if (subscription.status === 'trialing') subscription.status = 'active';
    this.#invoice(subscription, 'subscription_cycle', item.price.unit_amount, start + HOUR);
    this.#emit('customer.subscription.updated', subscription);
  }

  #collect(invoice: WireInvoice): void {
    const { subscription: id } = invoice.parent.subscription_details;
    const subscription = this.state.subscriptions[id] as WireSubscription;
    invoice.attempt_count += 1;
    if (!this.state.refused.includes(invoice.customer)) {
      Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due, next_payment_attempt: null });
      this.#charge(invoice);
      this.#emit('invoice.paid', invoice);
      this.#setStatus(subscription, 'active');
      return;
    }
    const pause = RETRY_PAUSES[invoice.attempt_count - 1];
    const triedAt = invoice.next_payment_attempt ?? this.now();
    Object.assign(invoice, { status: 'open', next_payment_attempt: pause === undefined ? null : triedAt + pause });
    this.#emit('invoice.payment_failed', invoice);
    if (pause === undefined) this.cancelNow(subscription, 'payment_failed');
    else this.#setStatus(subscription, 'past_due');
  }

  #setStatus(subscription: WireSubscription, status: WireSubscription['status']): void {
    if (subscription.status === status || subscription.status === 'canceled') return;
    subscription.status = status;
    this.#emit('customer.subscription.updated', subscription);
  }

  #customerOf({ customer, customer_email: email = '' }: CheckoutParameters, created: number): WireCustomer {
    const known = customer === undefined ? undefined : this.state.customers[customer];
    const one = known ?? { id: newId('cus'), object: 'customer', email, livemode: false, created };
    this.state.customers[one.id] = one;
    return one;
  }

  #invoice(subscription: WireSubscription, reason: string, amount: number, chargeAt: number | null): WireInvoice {
    const invoice = newInvoice(subscription, { id: newId('in'), reason, amount, created: this.now(), chargeAt });
    this.state.invoices[invoice.id] = invoice;
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  #charge(invoice: WireInvoice): void {
    const charge = newCharge(newId('ch'), invoice, this.now());
    this.state.charges[charge.id] = charge;
  }

  #openInvoices({ id }: WireSubscription): WireInvoice[] {
    return Object.values(this.state.invoices).filter(
      ({ status, parent }) => status !== 'paid' && parent.subscription_details.subscription === id,
    );
  }

  #subscriptionsOf(customer: string): WireSubscription[] {
    return Object.values(this.state.subscriptions).filter((each) => each.customer === customer);
  }

  /** The event shows its object as it is now. */
  #emit(type: string, object: { readonly id: string }): void {
    const event: WireEvent = {
      ...{ id: newId('evt'), object: 'event', api_version: API_VERSION, created: this.now(), type, livemode: false },
      ...{ data: { object: structuredClone(object) }, pending_webhooks: 1 },
      request: { id: null, idempotency_key: null },
    };
    this.state.events.push(event);
    this.#options.onEvent(event);
  }
}

const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

function monthAfter(seconds: number): number {
  const date = new Date(seconds * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1000;
}
