/** How much each kind of caller may request. */

/** The rate limits of one key, over all processes. */
export const KEY_RATE_LIMITS = { perSecond: 5, perMinute: 120 } as const;

/** Requests per minute and client address that a crawler may make to the capped endpoints together. */
export const CRAWLER_RATE_LIMIT = { perMinute: 60 } as const;

/** Requests per minute and client address to the German channel, those for its page included. */
export const GERMANY_RATE_LIMIT = { name: 'germany', perMinute: 30 } as const;

/** What one client (an address; IPv6: a /64) may read of the site per minute, over all processes. */
export const SITE_RATE_LIMITS = {
  pagesPerMinute: 600,
  /** Of a network (an IPv4 /24, an IPv6 /48), in each process; those of one address divide it. */
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
