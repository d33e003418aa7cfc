/** What customers are told of their subscriptions, by mails that are queued with the facts they tell of. */
import type { Kysely } from 'kysely';
import { PAYMENT_GRACE_MS } from '../../domain/billing/standing.ts';
import { endsAt, type SubscriptionFacts } from '../../domain/billing/subscription.ts';
import type { Schema } from '../connection/schema.ts';
import { type MailTo, queueMail } from './mails.ts';

const DAY_MS = 24 * 3_600_000;
/** Days of the grace on which the customer is told that the payment failed. */
const PAYMENT_MAIL_DAYS = [0, 3, 6] as const;

/** A day before the first charge, unless it comes sooner. */
export async function queueTrialEnding(
  tx: Kysely<Schema>,
  to: MailTo,
  id: string,
  facts: SubscriptionFacts,
): Promise<void> {
  const { status, plan, trialEnd, fetchedAt } = facts;
  if (status !== 'trialing' || trialEnd === null || endsAt(facts) !== null || trialEnd - DAY_MS <= fetchedAt) return;
  const content = { kind: 'trial_ending', plan, chargedAt: trialEnd } as const;
  await queueMail(tx, to, content, { occasion: `${id} ${trialEnd} ${plan}`, dueAt: trialEnd - DAY_MS });
}

/** Queues what the customer must be told of a change. The occasion makes each piece of news one mail. */
export async function queueNews(
  tx: Kysely<Schema>,
  stored: MailTo & { readonly id: string; readonly facts: SubscriptionFacts },
  facts: SubscriptionFacts,
): Promise<void> {
  const { id, facts: before } = stored;
  const { plan, status, pastDueSince, cancelAt } = facts;
  const end = endsAt(facts);
  if (pastDueSince !== null && before.pastDueSince === null) {
    for (const day of PAYMENT_MAIL_DAYS) {
      const content = { kind: 'payment_failed', plan, day, closesAt: pastDueSince + PAYMENT_GRACE_MS } as const;
      const occasion = `${id} ${pastDueSince} ${day}`;
      await queueMail(tx, stored, content, { occasion, dueAt: pastDueSince + day * DAY_MS });
    }
  }
  // The first charge has another day, or another amount.
  if (facts.trialEnd !== before.trialEnd || plan !== before.plan) await queueTrialEnding(tx, stored, id, facts);
  if (end !== null && end !== endsAt(before) && status !== 'canceled')
    await queueMail(
      tx,
      stored,
      { kind: 'cancelled', plan, endsAt: end, closesAt: null },
      { occasion: `${id} ${end} ${facts.fetchedAt}` },
    );
  if (pastDueSince !== null && cancelAt !== null && cancelAt !== before.cancelAt) {
    const content = { kind: 'cancelled', plan, endsAt: cancelAt, closesAt: pastDueSince + PAYMENT_GRACE_MS } as const;
    await queueMail(tx, stored, content, { occasion: `${id} ${cancelAt} overdue ${facts.fetchedAt}` });
  }
  if (status === 'canceled' && before.status !== 'canceled')
    await queueMail(tx, stored, { kind: 'ended', plan }, { occasion: id });
}
