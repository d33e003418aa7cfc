/** Whether a mail that waited is still true: what was mended meanwhile is not worth a mail. */
import type { Kysely } from 'kysely';
import { PAYMENT_GRACE_MS } from '../../domain/billing/standing.ts';
import { endsAt } from '../../domain/billing/subscription.ts';
import { wantsUsageMails } from '../accounts/accounts.ts';
import type { Schema } from '../connection/schema.ts';
import { subscriptionsOf } from './billing-subscriptions.ts';
import type { DueMail } from './mails.ts';
import { isStillFailing, isStillStopped } from './webhook-mails.ts';

/** False for a warning whose reason has gone, and for a mail that was declined while it waited. */
export async function isStillNews(db: Kysely<Schema>, { content, accountId }: DueMail): Promise<boolean> {
  if (content.kind === 'usage') return accountId !== null && (await wantsUsageMails(db, accountId));
  if (content.kind === 'webhook_failing') return isStillFailing(db, content.delivery);
  if (content.kind === 'webhook_stopped') return isStillStopped(db, content.webhook);
  if (content.kind !== 'trial_ending' && content.kind !== 'payment_failed') return true;
  if (accountId === null) return false;
  const subscriptions = (await subscriptionsOf(db, accountId)).map(({ facts }) => facts);
  // A payment that failed again has another grace, with warnings of its own.
  if (content.kind === 'payment_failed')
    return subscriptions.some(({ pastDueSince }) => pastDueSince === content.closesAt - PAYMENT_GRACE_MS);
  return subscriptions.some(
    (facts) =>
      facts.status === 'trialing' &&
      facts.withdrawnAt === null &&
      endsAt(facts) === null &&
      facts.trialEnd === content.chargedAt &&
      facts.plan === content.plan,
  );
}
