/** Keys with webhooks whose subscription does not serve them: nothing is sent for these. */
import type { Kysely } from 'kysely';
import { standing } from '../../domain/billing/standing.ts';
import type { Schema } from '../connection/schema.ts';
import { decidingFactsOf } from '../keys/subscription-facts.ts';

/** Their ids, by the verdict that also refuses their requests, at `now`, epoch ms. */
export async function closedKeys(db: Kysely<Schema>, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('billing_subscriptions')
    .select(['key_id', 'status', 'trial_end', 'period_end', 'cancel_at', 'fetched_at'])
    .select(['past_due_since', 'disputed_at', 'withdrawn_at'])
    .where('key_id', 'in', (webhooks) => webhooks.selectFrom('webhooks').select('webhooks.key_id'))
    .execute();
  return rows.flatMap(({ key_id, ...row }) =>
    key_id === null || standing(decidingFactsOf(row), now).isOpen ? [] : [key_id],
  );
}
