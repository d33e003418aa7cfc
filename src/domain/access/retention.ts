/** How long data about people are kept, and the keys of the hashes in place of their addresses. Rule 43. */

/**
 * What a keyed hash is for: that of an address, or the signature of a captcha challenge. Each purpose has its own
 * keys, so that hashes of two purposes cannot be joined.
 */
export type HashPurpose =
  | 'weekly caps'
  | 'minute windows'
  | 'reviews'
  | 'push'
  | 'driver reports'
  | 'german shares'
  | 'orders'
  | 'logins'
  | 'captcha challenges';

/** What was sent to webhooks: for the holders of their keys to see. */
export const WEBHOOK_DELIVERIES_DAYS = 7;

/**
 * A key is replaced after `currentHours`, and deleted `supersededHours` later: not before the last row under it has
 * expired. `supersededHours` is never longer, so that at most one earlier key counts.
 */
export const ADDRESS_KEY_HOURS: Readonly<
  Record<HashPurpose, { readonly currentHours: number; readonly supersededHours: number }>
> = {
  'weekly caps': { currentHours: 168, supersededHours: 168 },
  'minute windows': { currentHours: 24, supersededHours: 1 },
  reviews: { currentHours: 48, supersededHours: 48 },
  push: { currentHours: 168, supersededHours: 168 },
  'driver reports': { currentHours: 168, supersededHours: 168 },
  'german shares': { currentHours: 24, supersededHours: 1 },
  orders: { currentHours: 24, supersededHours: 1 },
  logins: { currentHours: 24, supersededHours: 1 },
  // A process signs for up to an hour under a key that was replaced, and its challenges are valid for ten minutes. In
  // all, less than `CAPTCHA_TOKEN_HOURS`: no challenge is valid for longer than it is remembered as used.
  'captcha challenges': { currentHours: 24, supersededHours: 2 },
};

/** Maintenance runs every hour, so data stay up to an hour longer than each number here. */
export const MAINTENANCE_HOURS = 1;
/** A window of a client without requests is deleted after this time. */
export const MINUTE_WINDOW_HOURS = 1;
/** With the hour until the maintenance, two days at most. The longest day in Bucharest has 25 hours. */
export const REVIEW_CLIENT_HOURS = 47;
export const CAPTCHA_TOKEN_HOURS = 47;
/** With the hour until the maintenance, seven days at most. */
export const PUSH_CLIENT_HOURS = 167;
/** An answer of the German source, with the requested point, counted from its last use. */
export const GERMAN_ANSWER_HOURS = 1;
/** How long a client is recorded as the cause of a call of the German source: as long as the call counts. */
export const GERMAN_CALLER_HOURS = 1;
export const REJECTED_REVIEW_DAYS = 30;
/** With the hour until the maintenance, seven days at most. */
export const REPORT_CLIENT_HOURS = 167;
/** From the decision, or from the arrival of a report without one: by then the price has changed. */
export const DRIVER_REPORT_DAYS = 30;
/** What was sent, so that the operator can see what a subscriber received. */
export const ALERTS_DAYS = 30;
/** Events of Stripe, ids only: it repeats them for 3 days, and an operator by hand for 30. */
export const WEBHOOK_EVENT_DAYS = 35;
/**
 * A mail that was sent or given up, longer than a month: what was sent once a month must be remembered as sent. Before
 * that its recipient.
 */
export const MAIL_DAYS = 32;
export const MAIL_RECIPIENT_DAYS = 7;
/** Who asked for a link and a code: they work for 15 minutes, and an hour counts towards the limit of mails. */
export const LOGIN_HOURS = 1;
/** The network that an order came from: as long as it counts towards the limit of one network. */
export const ORDER_NETWORK_HOURS = 1;
/** An order that came to nothing. */
export const UNFINISHED_ORDER_DAYS = 7;
/** An order with the consent to it, after its contract has ended: so long a claim can be made. */
export const ORDER_YEARS = 3;
/** A subscription that ended, with its key and usage; the account goes with it if nothing else is left of it. */
export const ENDED_SUBSCRIPTION_DAYS = 90;
/** A free key that nobody uses, two weeks after its holder was warned. */
export const FREE_KEY_UNUSED_DAYS = 90;
