/**
 * What is known of a subscription to a plan: what Stripe last said of it, and what we noted ourselves. Facts only;
 * whether its key is served is the verdict of `standing.ts`. Instants are epoch milliseconds.
 */
import type { PaidPlan } from './paid-plans.ts';

/** The statuses whose meaning we know. Stripe may add others without a new version of its API. */
const SUBSCRIPTION_STATUSES = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The part of a subscription that Stripe decides, as one fetch had it. */
export type FetchedSubscription = {
  /** As Stripe spells it; possibly one that we do not know. */
  readonly status: string;
  /** The plan of its price; `null` = the price is of no plan of ours, which is an operator's mistake. */
  readonly plan: PaidPlan | null;
  readonly trialEnd: number | null;
  /** The end of the period that is charged or on trial. In `past_due` it is a month ahead already. */
  readonly periodEnd: number;
  /** When it will end, in either of Stripe's two spellings; `null` = it renews itself. */
  readonly cancelAt: number | null;
  /** When the fetch began. */
  readonly fetchedAt: number;
};

/** The same before its fetch is dated: whoever stores it knows by whose clock. */
export type UndatedSubscription = Omit<FetchedSubscription, 'fetchedAt'>;

/** What is stored of a subscription. */
export type SubscriptionFacts = {
  /** The last one that we know the meaning of. */
  readonly status: SubscriptionStatus;
  /** When a fetch first found this status. */
  readonly statusSince: number;
  readonly plan: PaidPlan;
  readonly trialEnd: number | null;
  readonly periodEnd: number;
  readonly cancelAt: number | null;
  readonly fetchedAt: number;
  /** When a fetch first found the payment overdue; `null` = it is not. */
  readonly pastDueSince: number | null;
  /** When the customer disputed a charge; `null` = never, or the dispute was won. */
  readonly disputedAt: number | null;
  /** When the customer withdrew from the contract. */
  readonly withdrawnAt: number | null;
  /** A status or price of the last fetch that we do not know; `null` = we know both. */
  readonly unrecognized: string | null;
};

/** Statuses that no later fetch can change. */
export const FINAL_STATUSES: readonly SubscriptionStatus[] = ['canceled', 'incomplete_expired'];

/** Whether Stripe charges for a plan of ours: not for what has ended, was never paid, or is another product. */
export function isCharged({ status, plan }: Pick<FetchedSubscription, 'status' | 'plan'>): boolean {
  return plan !== null && ![...FINAL_STATUSES, 'incomplete'].some((each) => each === status);
}

/**
 * The facts after one more fetch, in whichever order fetches end: one that began earlier than that of the stored facts
 * changes nothing, and neither does one after the end. A status or price that we do not know leaves the known one.
 * `ordered`: the plan that the customer ordered, for a first fetch with an unknown price.
 */
export function mergeFetched(
  stored: SubscriptionFacts | null,
  fetched: FetchedSubscription,
  ordered: PaidPlan,
): SubscriptionFacts {
  if (stored !== null && (fetched.fetchedAt <= stored.fetchedAt || FINAL_STATUSES.includes(stored.status)))
    return stored;
  const { status: said, plan, ...rest } = fetched;
  const known = SUBSCRIPTION_STATUSES.find((each) => each === said);
  const status = known ?? stored?.status ?? 'incomplete';
  return {
    ...rest,
    status,
    statusSince: stored?.status === status ? stored.statusSince : fetched.fetchedAt,
    plan: plan ?? stored?.plan ?? ordered,
    pastDueSince: status === 'past_due' ? (stored?.pastDueSince ?? fetched.fetchedAt) : null,
    disputedAt: stored?.disputedAt ?? null,
    withdrawnAt: stored?.withdrawnAt ?? null,
    unrecognized: known === undefined ? `status ${said}` : plan === null ? 'price' : null,
  };
}

/** Until when a subscription lasts as it is: its trial, what was paid, or what was cancelled. */
export type Term = { readonly kind: 'trial' | 'paid' | 'ending'; readonly until: number };

/**
 * When it ends without another charge; `null` = the next charge comes first, whatever end was chosen for later. Stripe
 * tries a failed one again.
 */
export function endsAt({ status, trialEnd, periodEnd, cancelAt }: Omit<FetchedSubscription, 'plan' | 'fetchedAt'>) {
  if (status === 'past_due') return null;
  const chargedAt = status === 'trialing' ? (trialEnd ?? periodEnd) : periodEnd;
  return cancelAt !== null && cancelAt <= chargedAt ? cancelAt : null;
}

/** The term that the facts give. */
export function termOf(facts: SubscriptionFacts): Term {
  const { status, trialEnd, periodEnd } = facts;
  const end = endsAt(facts);
  if (end !== null) return { kind: 'ending', until: end };
  if (status === 'trialing') return { kind: 'trial', until: trialEnd ?? periodEnd };
  return { kind: 'paid', until: periodEnd };
}
