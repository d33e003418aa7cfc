/** The plans that keys are sold under, and the prefix of keys. */

/** The prefix of every key; the rest is random. */
export const KEY_PREFIX = 'pompa_live_';

export type SubscriptionPlan = {
  readonly code: 'starter' | 'pro' | 'business' | 'dedicat';
  /** As shown to people. */
  readonly name: string;
  /** EUR a month; `null` = by contract. */
  readonly euros: number | null;
  /** Requests a calendar month in UTC; `null` = set per key. */
  readonly monthlyQuota: number | null;
};

/** Source: API contract, "Limits". */
export const PLANS: readonly SubscriptionPlan[] = [
  { code: 'starter', name: 'Starter', euros: 19, monthlyQuota: 10_000 },
  { code: 'pro', name: 'Pro', euros: 49, monthlyQuota: 100_000 },
  { code: 'business', name: 'Business', euros: 149, monthlyQuota: 1_000_000 },
  { code: 'dedicat', name: 'Dedicat', euros: null, monthlyQuota: null },
];

/** The plan of keys that are given for an e-mail address: not sold, with a quota of each key's own. */
export const FREE_PLAN = 'gratuit';

/** Days of free trial at the start of every plan. */
export const TRIAL_DAYS = 3;

/** What pages and answers call a plan; the code itself of one that is not listed. */
export function planNameOf(plan: string): string {
  return PLANS.find(({ code }) => code === plan)?.name ?? plan;
}

/** A key's requests per calendar month: its own quota, else its plan's; 0 for an unknown plan. */
export function effectiveQuota(plan: string, ownQuota: number | null): number {
  return ownQuota ?? PLANS.find(({ code }) => code === plan)?.monthlyQuota ?? 0;
}

/** The quota as its holder may have lowered it; `cap`: `null` = not. A cap above the quota lowers nothing. */
export function cappedQuota(
  plan: string,
  ownQuota: number | null,
  cap: number | null,
): { readonly quota: number; readonly hasOwnCap: boolean } {
  const allowed = effectiveQuota(plan, ownQuota);
  const quota = Math.min(cap ?? allowed, allowed);
  return { quota, hasOwnCap: quota < allowed };
}
