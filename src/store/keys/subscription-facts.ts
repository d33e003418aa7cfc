/** The facts that decide whether a key is served, from their columns. Instants are epoch milliseconds. */
import type { SubscriptionFacts, SubscriptionStatus } from '../../domain/billing/subscription.ts';

/** Columns of `billing_subscriptions`. */
export type DecidingColumns = {
  readonly status: SubscriptionStatus;
  readonly trial_end: number | null;
  readonly period_end: number;
  readonly cancel_at: number | null;
  readonly fetched_at: number;
  readonly past_due_since: number | null;
  readonly disputed_at: number | null;
  readonly withdrawn_at: number | null;
};

/** What `standing` judges. */
export function decidingFactsOf(
  row: DecidingColumns,
): Omit<SubscriptionFacts, 'plan' | 'unrecognized' | 'statusSince'> {
  return {
    status: row.status,
    trialEnd: row.trial_end,
    periodEnd: row.period_end,
    cancelAt: row.cancel_at,
    fetchedAt: row.fetched_at,
    pastDueSince: row.past_due_since,
    disputedAt: row.disputed_at,
    withdrawnAt: row.withdrawn_at,
  };
}
