/**
 * What a mail is about. Its parameters are stored until it is sent, so no kind has a secret among them: keys, links and
 * codes are made at the moment of sending. Instants are epoch milliseconds.
 */
import type { FREE_PLAN } from '../access/plans.ts';
import type { LoginReturn } from '../billing/login-return.ts';
import type { PaidPlan } from '../billing/paid-plans.ts';
import type { Term } from '../billing/subscription.ts';
import type { DeliveryFailure, StopReason } from '../webhooks/webhook.ts';

export type MailContent =
  /** A new key of a subscription, with what is charged when: after the trial, again after a period, or never again. */
  | {
      readonly kind: 'key';
      readonly keyId: number;
      readonly plan: PaidPlan;
      readonly orderId: string;
      readonly term: Term;
      /** What the order agreed to, as `termsAgreedTo` returned it then. */
      readonly terms: string;
    }
  /** Before the first charge. */
  | { readonly kind: 'trial_ending'; readonly plan: PaidPlan; readonly chargedAt: number }
  /** The card was refused, on the first, a middle or the last day of the grace. */
  | { readonly kind: 'payment_failed'; readonly plan: PaidPlan; readonly day: 0 | 3 | 6; readonly closesAt: number }
  /** `closesAt`: when the key is closed before, unless an overdue charge succeeds; `null` = nothing is overdue. */
  | {
      readonly kind: 'cancelled';
      readonly plan: PaidPlan;
      readonly endsAt: number;
      readonly closesAt: number | null;
    }
  | { readonly kind: 'ended'; readonly plan: PaidPlan }
  /** The acknowledgement that the law asks for. */
  | { readonly kind: 'withdrawn'; readonly orderId: string; readonly at: number; readonly name: string }
  /**
   * A share of the month's quota is used up, or of the limit that the holder has set below it. The only kind that its
   * recipient may decline.
   */
  | {
      readonly kind: 'usage';
      readonly percent: 80 | 100;
      readonly plan: PaidPlan | typeof FREE_PLAN;
      readonly quota: number;
      readonly hasOwnCap: boolean;
      readonly resetsAt: number;
    }
  /** A link and a code, for one browser; `next`: where its login leads back to, if not to the account. */
  | { readonly kind: 'login'; readonly loginId: number; readonly next?: LoginReturn }
  /** The same, for somebody who asked for a free key. */
  | { readonly kind: 'free_key_confirmation'; readonly loginId: number }
  | { readonly kind: 'free_key'; readonly keyId: number; readonly quota: number }
  | { readonly kind: 'free_key_unused'; readonly endsAt: number }
  /** To an address that is to become an account's. */
  | { readonly kind: 'new_address'; readonly loginId: number }
  /** To the address that an account had before, with a link that takes it back; `null` = an address before has one. */
  | { readonly kind: 'address_changed'; readonly loginId: number | null; readonly undoUntil: number }
  /** To the address of an account that its holder deleted; `isFormer`: to the one that it had until a day ago. */
  | { readonly kind: 'account_deleted'; readonly at: number; readonly isFormer: boolean }
  /** Nothing has arrived at a webhook for hours. `webhook`: its id; the address itself may be a secret. */
  | (WebhookTrouble & { readonly kind: 'webhook_failing'; readonly delivery: number; readonly since: number })
  /** We stopped a webhook. */
  | (WebhookTrouble & { readonly kind: 'webhook_stopped'; readonly reason: StopReason; readonly at: number })
  /** A key has a new secret, or a second one, which ends in `last4`: whoever did not make it must act. */
  | {
      readonly kind: 'key_replaced';
      readonly last4: string;
      readonly slot: 1 | 2;
      readonly oldValidUntil: number | null;
    };

/** Of the last try. */
type WebhookTrouble = {
  readonly webhook: string;
  readonly host: string;
  readonly failure: DeliveryFailure | null;
  readonly httpStatus: number | null;
};

export type MailKind = MailContent['kind'];
