/** The page of an account. Instants are epoch milliseconds. */
import type { Language } from '../localized-text.ts';
import type { PaidPlan } from './paid-plans.ts';
import type { Standing } from './standing.ts';

/** What has just been done, as the address of the page says it. */
export const ACCOUNT_NOTICES = [
  'cancelled',
  'resumed',
  'mails-on',
  'mails-off',
  'language',
  'old-ended',
  'second-ended',
  'cap',
  'address',
] as const;
export type AccountNotice = (typeof ACCOUNT_NOTICES)[number];

export type AccountSubscription = {
  readonly id: string;
  readonly plan: PaidPlan;
  readonly standing: Standing;
  readonly trialEnd: number | null;
  readonly periodEnd: number;
  /** The end that was chosen; `null` = it renews itself. */
  readonly cancelAt: number | null;
  /** That end, if nothing is charged before it. */
  readonly endsAt: number | null;
  /** Until when a key with a failed payment is served. */
  readonly graceUntil: number | null;
  /** Number of the order from which the customer can still withdraw; `null` = the time for that is over. */
  readonly withdrawableOrder: string | null;
  readonly keyId: number | null;
};

export type AccountKey = {
  readonly id: number;
  readonly plan: string;
  /** Requests a month. */
  readonly quota: number;
  /** Whether that is the holder's own limit. */
  readonly hasOwnCap: boolean;
  /** Requests a month that the plan allows, and the holder's own lower limit; `null` = none. */
  readonly allowed: number;
  readonly cap: number | null;
  /** Requests of this month. */
  readonly used: number;
  /** The last 30 days in UTC, oldest first. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
  /** The last characters of each secret that works; `until`: when an old one ends. */
  readonly secrets: readonly { readonly last4: string; readonly slot: 1 | 2; readonly until: number | null }[];
};

export type AccountView = {
  readonly page: 'account';
  readonly language: Language;
  readonly email: string;
  /** Goes into every form of the page: no other site knows it. */
  readonly formToken: string;
  readonly notice: AccountNotice | null;
  /** A key that was just made, which no page shows again; `null` = none. */
  readonly newKey: { readonly id: number; readonly key: string } | null;
  /** What was typed as the cap of a key, and cannot be one; `null` = nothing. */
  readonly invalidCap: { readonly key: number; readonly typed: string } | null;
  /** Since when mails to the address are refused; `null` = they arrive. */
  readonly mailRefusedAt: number | null;
  readonly usageMails: boolean;
  readonly mailLanguage: Language;
  readonly subscriptions: readonly AccountSubscription[];
  readonly keys: readonly AccountKey[];
  /** Whether there is a page of webhooks. */
  readonly hasWebhooks: boolean;
  /** Keys that the operator has revoked, for good. */
  readonly revokedKeys: readonly Pick<AccountKey, 'id' | 'plan'>[];
};
