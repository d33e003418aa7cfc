/**
 * What a mail is about. Its parameters are stored until it is sent, so no kind has a secret among them: keys, links and
 * codes are made at the moment of sending. Instants are epoch milliseconds.
 */
import type { PaidPlan } from '../billing/paid-plans.ts';

export type MailContent =
  /** A new key of a subscription, with what the trial costs afterwards and how to end it. */
  | {
      readonly kind: 'key';
      readonly keyId: number;
      readonly plan: PaidPlan;
      readonly orderId: string;
      readonly chargedAt: number | null;
    }
  /** Before the first charge. */
  | { readonly kind: 'trial_ending'; readonly plan: PaidPlan; readonly chargedAt: number }
  /** The card was refused, on the first, a middle or the last day of the grace. */
  | { readonly kind: 'payment_failed'; readonly plan: PaidPlan; readonly day: 0 | 3 | 6; readonly closesAt: number }
  | { readonly kind: 'cancelled'; readonly plan: PaidPlan; readonly endsAt: number }
  | { readonly kind: 'ended'; readonly plan: PaidPlan }
  /** The acknowledgement that the law asks for. */
  | { readonly kind: 'withdrawn'; readonly orderId: string; readonly at: number; readonly name: string }
  /** A share of the month's quota is used up. */
  | { readonly kind: 'usage'; readonly percent: 80 | 100; readonly quota: number; readonly resetsAt: number }
  /** A link and a code, for one browser. */
  | { readonly kind: 'login'; readonly loginId: number }
  /** The same, for somebody who asked for a free key. */
  | { readonly kind: 'free_key_confirmation'; readonly loginId: number }
  | { readonly kind: 'free_key'; readonly keyId: number; readonly quota: number }
  | { readonly kind: 'free_key_unused'; readonly endsAt: number }
  /** To the address that an account had before. */
  | { readonly kind: 'address_changed'; readonly undoUntil: number }
  /** A key was replaced: whoever did not do this must act. */
  | { readonly kind: 'key_replaced'; readonly last4: string; readonly oldValidUntil: number | null };

export type MailKind = MailContent['kind'];
