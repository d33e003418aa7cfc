/** Stripe while one subscription lives: what it answers at a moment, and what it has answered so far. */
import { setImmediate } from 'node:timers/promises';
import type { StripeClient } from '../../../src/clients/stripe.ts';
import type { SubscriptionAnswer } from '../../../src/clients/stripe-objects.ts';
import { fetchAt, LIFE_START, type SubscriptionState } from './subscription-lives.ts';

export type ToldDispute = { readonly opens: number; readonly closes: number; readonly end: 'won' | 'lost' | 'open' };
/** The ids of a subscription, and of all that is about it. */
export type ToldIds = Readonly<Record<'subscription' | 'customer' | 'order' | 'dispute', string>>;
type Told = {
  readonly ids: ToldIds;
  readonly life: readonly SubscriptionState[];
  readonly dispute: ToldDispute | null;
  /** What comes between the question of an object and its answer. */
  readonly meanwhile: () => Promise<unknown>;
  readonly isCustomerKnown: () => Promise<boolean>;
};

export class ToldStripe {
  now = LIFE_START;
  /** The status that the fetch had which ended first; `null` = none has. */
  first: string | null = null;
  /** The status that the fetch had which began last. */
  latest: string | null = null;
  /** Whether the dispute was won, at each look that found whose it is. */
  readonly looks: boolean[] = [];
  readonly #told: Told;
  /** Since when the subscription is canceled because somebody withdrew. */
  #canceledAt = Number.POSITIVE_INFINITY;

  constructor(told: Told) {
    this.#told = told;
  }

  get client(): StripeClient {
    const { ids, meanwhile, isCustomerKnown } = this.#told;
    const client: Partial<StripeClient> = {
      fetchSubscription: async () => {
        const answer = this.answer();
        this.latest = answer.fetched.status;
        await meanwhile();
        await nextMillisecond();
        this.first ??= answer.fetched.status;
        return answer;
      },
      subscriptionOfInvoice: async () => ids.subscription,
      fetchDispute: async () => {
        const isWon = this.#isWon();
        await meanwhile();
        if (await isCustomerKnown()) this.looks.push(isWon);
        return { customer: ids.customer, isWon };
      },
      cancelNow: async () => {
        this.#canceledAt = Math.min(this.#canceledAt, this.now);
        return true;
      },
    };
    return client as StripeClient;
  }

  /** The subscription as it is now. */
  answer(): SubscriptionAnswer {
    const { ids, life } = this.#told;
    const fetched = fetchAt(life, this.now);
    const status = this.now >= this.#canceledAt ? 'canceled' : fetched.status;
    return { id: ids.subscription, customer: ids.customer, orderId: ids.order, fetched: { ...fetched, status } };
  }

  #isWon(): boolean {
    const { dispute } = this.#told;
    return dispute?.end === 'won' && this.now >= dispute.closes;
  }
}

/** No answer comes within the millisecond of its question, as it might here: fetches are told apart by milliseconds. */
async function nextMillisecond(): Promise<void> {
  const asked = Date.now();
  while (Date.now() === asked) await setImmediate();
}
