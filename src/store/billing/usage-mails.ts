/**
 * Mails that a key has used most of its quota, or all: one for each level and month, of each plan that it had, and one
 * of a limit that its holder set.
 */
import { type Kysely, sql } from 'kysely';
import { cappedQuota, type FREE_PLAN } from '../../domain/access/plans.ts';
import type { PaidPlan } from '../../domain/billing/paid-plans.ts';
import { standing } from '../../domain/billing/standing.ts';
import type { SubscriptionStatus } from '../../domain/billing/subscription.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Schema } from '../connection/schema.ts';
import { endOfMonth, MONTH } from '../keys/month.ts';
import { type DecidingColumns, decidingFactsOf } from '../keys/subscription-facts.ts';
import { queueMail } from './mails.ts';

/** Shares of the quota of which a holder is told, percent; the highest that is reached. */
const LEVELS = [100, 80] as const;

type UsageRow = Omit<DecidingColumns, 'status'> & {
  /** `null` = the key has no subscription. */
  status: SubscriptionStatus | null;
  now: number;
  id: number;
  plan: PaidPlan | typeof FREE_PLAN;
  quota: number | null;
  cap: number | null;
  month: number;
  used: number;
  account: number;
  language: Language;
};

/** Queues what is news; returns how many keys have reached a level. */
export async function queueUsageMails(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<UsageRow>`
    select key.id, key.plan, key.quota, key.cap, usage.month, usage.used, account.id as account, account.language,
      billed.status, billed.trial_end, billed.period_end, billed.cancel_at, billed.fetched_at, billed.past_due_since,
      billed.disputed_at, billed.withdrawn_at, clock_timestamp() as now
    from key_usage as usage
    join api_keys as key on key.id = usage.key_id and key.revoked_at is null
    join accounts as account on account.id = key.account_id and account.usage_mails
    left join billing_subscriptions as billed on billed.key_id = key.id
    where usage.month = ${sql.raw(MONTH)} and usage.used > 0`.execute(db);
  let reached = 0;
  for (const row of rows) if (await queueMailOf(db, row)) reached += 1;
  return reached;
}

async function queueMailOf(db: Kysely<Schema>, row: UsageRow): Promise<boolean> {
  const { plan, status } = row;
  if (status !== null && !standing(decidingFactsOf({ ...row, status }), row.now).isOpen) return false;
  const { quota, hasOwnCap } = cappedQuota(plan, row.quota, row.cap);
  const percent = LEVELS.find((level) => 100 * row.used >= level * quota);
  if (quota === 0 || percent === undefined) return false;
  const content = { kind: 'usage', percent, plan, quota, hasOwnCap, resetsAt: endOfMonth(row.month) } as const;
  const occasion = `${row.id} ${row.month} ${percent} ${hasOwnCap ? 'own' : plan}`;
  await queueMail(db, { accountId: row.account, language: row.language }, content, { occasion });
  return true;
}
