/** What the page of an account shows. Instants are epoch milliseconds. */
import { type Kysely, sql } from 'kysely';
import { cappedQuota, effectiveQuota } from '../../domain/access/plans.ts';
import type { AccountKey, AccountSubscription } from '../../domain/billing/account-view.ts';
import { PAYMENT_GRACE_MS, standing } from '../../domain/billing/standing.ts';
import { endsAt } from '../../domain/billing/subscription.ts';
import { withdrawalEndsAt } from '../../domain/billing/withdrawal-right.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { Schema } from '../connection/schema.ts';
import { readKeyReportIn } from '../keys/key-usage-report.ts';
import { type StoredSubscription, subscriptionsOf } from './billing-subscriptions.ts';

export type AccountDetails = {
  readonly mailRefusedAt: number | null;
  readonly usageMails: boolean;
  readonly mailLanguage: Language;
  readonly subscriptions: readonly AccountSubscription[];
  readonly keys: readonly AccountKey[];
  readonly revokedKeys: readonly Pick<AccountKey, 'id' | 'plan'>[];
};

/** Reads an account; `now`: the moment of the verdicts. */
export async function readAccountDetails(tx: Kysely<Schema>, accountId: number, now: number): Promise<AccountDetails> {
  const settings = await tx
    .selectFrom('accounts')
    .select(['mail_refused_at as mailRefusedAt', 'usage_mails as usageMails', 'language as mailLanguage'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const stored = await subscriptionsOf(tx, accountId);
  const orders = await tx
    .selectFrom('billing_subscriptions')
    .innerJoin('orders', 'orders.id', 'billing_subscriptions.order_id')
    .select(['billing_subscriptions.id', 'order_id', 'orders.consented_at', 'orders.ended_at'])
    .where('billing_subscriptions.account_id', '=', accountId)
    .where('billing_subscriptions.withdrawn_at', 'is', null)
    .execute();
  const withdrawable = new Map(
    orders
      .filter(({ consented_at, ended_at }) => now <= withdrawalEndsAt(ended_at ?? consented_at))
      .map(({ id, order_id }) => [id, order_id]),
  );
  return {
    ...settings,
    subscriptions: stored.map((each) => asShown(each, withdrawable.get(each.id) ?? null, now)),
    keys: await keysOf(tx, accountId),
    revokedKeys: await revokedKeysOf(tx, accountId),
  };
}

function asShown(
  { id, keyId, facts }: StoredSubscription,
  withdrawableOrder: string | null,
  now: number,
): AccountSubscription {
  const { plan, trialEnd, periodEnd, cancelAt, pastDueSince } = facts;
  return {
    ...{ id, plan, standing: standing(facts, now), trialEnd, periodEnd, cancelAt, withdrawableOrder, keyId },
    endsAt: endsAt(facts),
    graceUntil: pastDueSince === null ? null : pastDueSince + PAYMENT_GRACE_MS,
  };
}

type KeyRow = { id: number; plan: string; quota: number | null; cap: number | null };

async function keysOf(tx: Kysely<Schema>, accountId: number): Promise<AccountKey[]> {
  const rows: KeyRow[] = await tx
    .selectFrom('api_keys')
    .select(['id', 'plan', 'quota', 'cap'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute();
  const keys: AccountKey[] = [];
  for (const row of rows) keys.push(await keyOf(tx, row));
  return keys;
}

function revokedKeysOf(tx: Kysely<Schema>, accountId: number): Promise<AccountDetails['revokedKeys']> {
  return tx
    .selectFrom('api_keys')
    .select(['id', 'plan'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is not', null)
    .orderBy('id')
    .execute();
}

async function keyOf(tx: Kysely<Schema>, { id, plan, quota, cap }: KeyRow): Promise<AccountKey> {
  const report = await readKeyReportIn(tx, id);
  const secrets = await tx
    .selectFrom('key_secrets')
    .select(['last4', 'slot', 'expires_at'])
    .where('key_id', '=', id)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<number>`clock_timestamp()`)]),
    )
    .orderBy('created_at', 'desc')
    .execute();
  return {
    ...{ id, plan, allowed: effectiveQuota(plan, quota), cap, ...cappedQuota(plan, quota, cap) },
    ...{ used: report?.month ?? 0, days: report?.days ?? [] },
    secrets: secrets.map(({ last4, slot, expires_at }) => ({ last4, slot: slot === 2 ? 2 : 1, until: expires_at })),
  };
}
