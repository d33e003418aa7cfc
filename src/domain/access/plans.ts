/**
 * What an operator may want to change about the offer: the service's name, the licence of its data, the pages that
 * responses link to, the plans and the limits. Each is defined only here.
 */

export const SERVICE_NAME = 'Pompa';

/** The licence of the data, named in every response and on every page. */
export const LICENCE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' } as const;

/** The credit that the licences of our source data require. */
export const DATA_CREDIT = 'Contains GeoNames data, CC BY 4.0';

/** The source of the German prices, their licence, and the address to credit. */
export const GERMAN_SOURCE = {
  credit: 'Tankerkönig (MTS-K), CC BY 4.0',
  url: 'https://creativecommons.tankerkoenig.de',
} as const;

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

/** Days of free trial at the start of every plan. */
export const TRIAL_DAYS = 3;

/** The rate limits of one key, over all processes. */
export const KEY_RATE_LIMITS = { perSecond: 5, perMinute: 120 } as const;

/** Requests per minute and client address that a crawler may make to the capped endpoints together. */
export const CRAWLER_RATE_LIMIT = { perMinute: 60 } as const;

/** Requests per minute and client address to the German channel. */
export const GERMANY_RATE_LIMIT = { perMinute: 30 } as const;

/** What one client (an address; IPv6: a /64) may read of the site per minute, over all processes. */
export const SITE_RATE_LIMITS = {
  pagesPerMinute: 600,
  /** Of a network (an IPv4 /24, an IPv6 /48), in each process. */
  networkPagesPerMinute: 12_000,
  /** For a crawler whose address DNS confirms. */
  crawlerPagesPerMinute: 1_200,
  /** Pictures, code, files for machines and suggestions that count as one page. */
  filesPerPage: 10,
} as const;

/** What callers without a key get. Source: API contract, "Limits". */
export const ANONYMOUS_LIMITS = {
  /** Cities of `/preturi`. */
  cities: 20,
  /** Records of `/statii`. */
  records: 150,
  /** Days until a capped endpoint serves the same address again. */
  capDays: 7,
} as const;

/** How long a capped endpoint refuses a client after an accepted request: days of 24 hours, not calendar days. */
export const WEEKLY_CAP_MS = ANONYMOUS_LIMITS.capDays * 24 * 3_600_000;

/** A key's requests per calendar month: its own quota, else its plan's; 0 for an unknown plan. */
export function effectiveQuota(plan: string, ownQuota: number | null): number {
  return ownQuota ?? PLANS.find(({ code }) => code === plan)?.monthlyQuota ?? 0;
}
