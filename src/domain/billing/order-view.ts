/** The pages on which a plan is ordered, and which Stripe's checkout leads back to. */
import type { Language } from '../localized-text.ts';
import type { PaidPlan } from './paid-plans.ts';

/**
 * What is wrong with an order; `not now`: there were too many, or its address has just left an account; `no checkout`:
 * Stripe could not be reached.
 */
export type OrderProblem = 'email' | 'terms' | 'start' | 'not now' | 'no checkout';

/** The form of an order, with what was typed. */
export type OrderView = {
  readonly page: 'order';
  readonly language: Language;
  readonly plan: PaidPlan;
  readonly email: string;
  /** The two consents that were given. */
  readonly agrees: { readonly terms: boolean; readonly start: boolean };
  readonly problems: readonly OrderProblem[];
};

/**
 * How far an order is. `waiting`: the payment is not confirmed yet; `sending`: the key's mail is to go out; `refused`:
 * the address refused it; `undelivered`: it was given up, or its holder made a key first; `unknown`: no such checkout.
 */
export type OrderProgress = 'waiting' | 'sending' | 'sent' | 'refused' | 'undelivered' | 'expired' | 'unknown';

/** After a checkout. The key itself is on no page that an address alone opens. */
export type OrderedView = {
  readonly page: 'ordered';
  readonly language: Language;
  readonly progress: OrderProgress;
  /** `null` = no such order. */
  readonly order: {
    readonly id: string;
    readonly plan: PaidPlan;
    /** Soon after the order in full, later its first letter and its domain; `null` = its account was deleted. */
    readonly email: string | null;
    /** Names its checkout in the address of the page. */
    readonly session: string;
  } | null;
};
