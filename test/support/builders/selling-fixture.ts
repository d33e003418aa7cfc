/** What a service that sells offers, and a Stripe that keeps what it is asked. */
import type { StripeClient } from '../../../src/clients/stripe.ts';
import type { CheckoutOrder, CheckoutSession, SubscriptionAnswer } from '../../../src/clients/stripe-objects.ts';
import type { SellingOffer } from '../../../src/domain/billing/selling-offer.ts';
import { aFetch } from './billing-fixture.ts';

export const CHECKOUT_ORIGIN = 'https://checkout.stripe.com';

export const OFFER: SellingOffer = {
  salesMode: 'own',
  seller: {
    ...{ name: 'Pompa SRL', address: 'Str. Lungă 1, Brașov, România', taxId: 'RO12345678' },
    ...{ contact: 'vanzari@pompa.example', termsUrl: null },
  },
  freeKeyQuota: 1_000,
  checkoutOrigins: [CHECKOUT_ORIGIN],
};

/** The part of Stripe that orders and withdrawals need, in memory. */
export class FakeStripe {
  readonly orders: CheckoutOrder[] = [];
  readonly expired: string[] = [];
  readonly cancelled: string[] = [];
  readonly deletedCustomers: string[] = [];
  /** How often a checkout was looked at. */
  looks = 0;
  isAway = false;
  /** Where a checkout is; tests may lead elsewhere. */
  origin = CHECKOUT_ORIGIN;
  /** What somebody else does while the next such call is answered. */
  readonly meanwhile: Partial<
    Record<'createCheckout' | 'findCheckout' | 'expireCheckout' | 'deleteCustomer', () => Promise<unknown>>
  > = {};
  #delay: () => Promise<void> = async () => undefined;
  readonly #sessions = new Map<string, CheckoutSession>();
  readonly #subscriptions = new Map<string, SubscriptionAnswer>();

  /** Does what the next call asks only once `answer` is called; `asked` resolves when it has come. */
  delayNext(): { readonly asked: Promise<void>; answer(): void } {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    this.#delay = () => {
      this.#delay = async () => undefined;
      asked.resolve();
      return answered.promise;
    };
    return { asked: asked.promise, answer: answered.resolve };
  }

  /** As the service sees it. */
  get client(): StripeClient {
    return new Proxy(this.#calls, {
      get: (calls, name: keyof StripeClient) => {
        const call = calls[name] as ((...args: unknown[]) => unknown) | undefined;
        return call && (async (...args: unknown[]) => this.#delay().then(() => call(...args)));
      },
    });
  }

  get #calls(): StripeClient {
    const calls: Partial<StripeClient> = {
      createCheckout: async (order) => {
        const session = this.#create(order);
        await this.#letHappen('createCheckout');
        return session;
      },
      findCheckout: async (id) => {
        await this.#letHappen('findCheckout');
        return this.#find(id);
      },
      expireCheckout: async (id) => {
        await this.#letHappen('expireCheckout');
        this.#expire(id);
      },
      fetchSubscription: async (id) => this.#answering(this.#subscriptions.get(id) ?? null),
      cancelNow: async (id) => this.#answering(this.cancelled).push(id) > 0,
      deleteCustomer: async (id) => {
        await this.#letHappen('deleteCustomer');
        this.#answering(this.deletedCustomers).push(id);
      },
      setCancellation: async (id, isCancelled) => this.#setCancellation(id, isCancelled),
      openPortal: async (customer) => `${this.#answering(this.origin)}/portal/${customer}`,
    };
    return calls as StripeClient;
  }

  /** The checkouts that can still be finished. */
  get openSessions(): string[] {
    return [...this.#sessions.values()].filter(({ status }) => status === 'open').map(({ id }) => id);
  }

  /** Forgets everything. */
  reset(): void {
    this.#sessions.clear();
    this.#subscriptions.clear();
    for (const list of [this.orders, this.expired, this.cancelled, this.deletedCustomers]) list.length = 0;
    Object.assign(this, { looks: 0, isAway: false, origin: CHECKOUT_ORIGIN });
  }

  /** The customer of the latest order pays. */
  pay(now = Date.now()): void {
    const id = `cs_${this.orders.length}`;
    const session = this.#sessions.get(id) as CheckoutSession;
    const subscription = `sub_${this.orders.length}`;
    this.#sessions.set(id, { ...session, url: null, status: 'complete', subscription });
    const customer = `cus_${this.orders.length}`;
    this.#subscriptions.set(subscription, {
      id: subscription,
      customer,
      orderId: session.orderId,
      fetched: aFetch(now),
    });
  }

  /** A subscription that somebody has already. */
  subscribe(id: string, now = Date.now()): void {
    this.#subscriptions.set(id, { id, customer: `cus ${id}`, orderId: null, fetched: aFetch(now) });
  }

  async #letHappen(during: keyof FakeStripe['meanwhile']): Promise<void> {
    const { [during]: happens } = this.meanwhile;
    delete this.meanwhile[during];
    await happens?.();
  }

  #setCancellation(id: string, isCancelled: boolean): void {
    const known = this.#answering(this.#subscriptions.get(id));
    if (known === undefined) throw new Error(`there is no subscription ${id}`);
    const cancelAt = isCancelled ? known.fetched.periodEnd : null;
    this.#subscriptions.set(id, { ...known, fetched: { ...known.fetched, cancelAt } });
  }

  #create(order: CheckoutOrder): CheckoutSession {
    this.#answering(this.orders).push(order);
    const id = `cs_${this.orders.length}`;
    const url = `${this.origin}/c/pay/${id}`;
    const session: CheckoutSession = { id, url, status: 'open', orderId: order.id, subscription: null };
    this.#sessions.set(id, session);
    return session;
  }

  #find(id: string): CheckoutSession | null {
    this.looks += 1;
    return this.#answering(this.#sessions.get(id) ?? null);
  }

  #expire(id: string): void {
    const session = this.#answering(this.#sessions.get(id));
    if (session?.status !== 'open') return;
    this.expired.push(id);
    this.#sessions.set(id, { ...session, url: null, status: 'expired' });
  }

  #answering<T>(answer: T): T {
    if (this.isAway) throw Object.assign(new Error('Stripe is away'), { type: 'StripeConnectionError' });
    return answer;
  }
}
