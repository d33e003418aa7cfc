/** The tables of selling: accounts, orders, subscriptions, mails, logins. */
import type { ColumnType, Generated } from 'kysely';
import type { LoginPurpose } from '../../../domain/billing/login-purpose.ts';
import type { PaidPlan } from '../../../domain/billing/paid-plans.ts';
import type { SubscriptionStatus } from '../../../domain/billing/subscription.ts';
import type { Language } from '../../../domain/localized-text.ts';
import type { MailKind } from '../../../domain/mail/mail-content.ts';
import type { Instant, MaybeInstant } from './column-types.ts';

export type BillingSchema = {
  accounts: {
    id: Generated<number>;
    email: string;
    language: Language;
    created_at: Instant;
    mail_refused_at: MaybeInstant;
    usage_mails: Generated<boolean>;
    unsubscribe_token: Generated<string>;
    undo_email: string | null;
    undo_until: MaybeInstant;
  };
  orders: {
    id: string;
    account_id: number | null;
    mailbox: string;
    plan: PaidPlan;
    trial_days: number;
    language: Language;
    terms_version: string;
    consented_at: Instant;
    session: string | null;
    state: 'open' | 'done' | 'expired';
    ended_at: MaybeInstant;
    withdrawn_at: MaybeInstant;
    refunded_at: MaybeInstant;
    network: Buffer | null;
  };
  billing_subscriptions: {
    id: string;
    customer: string;
    account_id: number;
    order_id: string | null;
    key_id: number | null;
    status: SubscriptionStatus;
    status_since: Instant;
    plan: PaidPlan;
    trial_end: MaybeInstant;
    period_end: Instant;
    cancel_at: MaybeInstant;
    fetched_at: Instant;
    past_due_since: MaybeInstant;
    disputed_at: MaybeInstant;
    disputes: Generated<string[]>;
    disputes_won: Generated<string[]>;
    withdrawn_at: MaybeInstant;
    unrecognized: string | null;
  };
  webhook_events: {
    id: string;
    type: string;
    object: string;
    about: string | null;
    received_at: Instant;
    done_at: MaybeInstant;
    tries: Generated<number>;
    due_at: Instant;
  };
  mails: {
    id: Generated<number>;
    kind: MailKind;
    account_id: number | null;
    recipient: string | null;
    language: Language;
    occasion: string;
    parameters: ColumnType<unknown, string>;
    created_at: Instant;
    planned_at: Instant;
    due_at: Instant;
    tries: Generated<number>;
    state: 'waiting' | 'sent' | 'refused' | 'expired';
    ended_at: MaybeInstant;
    why: string | null;
  };
  logins: {
    id: Generated<number>;
    browser_sha256: Buffer;
    email: string;
    purpose: LoginPurpose;
    account_id: number | null;
    language: Language;
    created_at: Instant;
    expires_at: Instant;
    tries: Generated<number>;
    used_at: MaybeInstant;
    network: Buffer | null;
  };
  login_secrets: { token_sha256: Buffer; code_sha256: Buffer; login_id: number };
  login_sessions: {
    sha256: Buffer;
    account_id: number;
    created_at: Instant;
    seen_at: Instant;
    expires_at: Instant;
  };
};
