/** Why access control and the limits refuse requests, as metrics name it. */

export const REFUSAL_KINDS = [
  'key_missing',
  'key_unknown',
  'key_closed',
  'key_unverifiable',
  'key_rate',
  'key_quota',
  'open_requests',
  'weekly_cap',
  'minute_limit',
  'captcha',
  'challenges',
  'submissions',
  'webhook_actions',
  'german_source',
  'german_budget',
  'downloads',
  'unavailable',
] as const;

export type RefusalKind = (typeof REFUSAL_KINDS)[number];
