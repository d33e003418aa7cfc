/** The plans that can be bought without a contract. */
import { PLANS, type SubscriptionPlan } from '../access/plans.ts';

export const PAID_PLANS = ['starter', 'pro', 'business'] as const satisfies readonly SubscriptionPlan['code'][];
/** A plan that can be bought; also the `lookup_key` of its price at Stripe. */
export type PaidPlan = (typeof PAID_PLANS)[number];

/** The plan of a price's `lookup_key`; `null` = none of ours. */
export function paidPlanOf(lookupKey: string | null): PaidPlan | null {
  return PAID_PLANS.find((code) => code === lookupKey) ?? null;
}

/** EUR a month. */
export function monthlyPriceOf(plan: PaidPlan): number {
  return PLANS.find(({ code }) => code === plan)?.euros as number;
}
