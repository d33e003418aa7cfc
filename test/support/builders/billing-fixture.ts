/** Accounts with subscriptions, as Stripe's answers leave them. */
import type { FetchedSubscription } from '../../../src/domain/billing/subscription.ts';
import { storeFetch } from '../../../src/store/billing/billing-subscriptions.ts';
import type { Database } from '../../../src/store/connection/database.ts';
import type { CreatedKey } from '../../../src/store/keys/keys.ts';
import { rotateKey } from '../../../src/store/keys/keys.ts';

const DAY_MS = 24 * 3_600_000;

/** A subscription to Pro whose trial began at `now`; `change` replaces parts of it. */
export const aFetch = (now: number, change: Partial<FetchedSubscription> = {}): FetchedSubscription => ({
  ...{ status: 'trialing', plan: 'pro', cancelAt: null, fetchedAt: now },
  ...{ trialEnd: now + 3 * DAY_MS, periodEnd: now + 3 * DAY_MS },
  ...change,
});

/** Creates an account and its open order of Pro; returns the account's id. */
export async function anOrder(database: Database, orderId: string, email = 'ana@exemplu.ro'): Promise<number> {
  const at = new Date();
  const { id } = await database.kysely
    .insertInto('accounts')
    .values({ email, language: 'ro', created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database.kysely
    .insertInto('orders')
    .values({
      ...{ id: orderId, account_id: id, mailbox: email, plan: 'pro', trial_days: 3, language: 'ro' },
      ...{ terms_version: '2026-11', consented_at: at, state: 'open' },
    })
    .execute();
  return id;
}

/** The key of a subscription as of a fetch, with the secret that its mail would have. */
export async function aSubscribedKey(
  database: Database,
  id: string,
  fetched: FetchedSubscription,
): Promise<CreatedKey> {
  await anOrder(database, `order of ${id}`, `${id}@exemplu.ro`);
  const stored = await storeFetch(database, { id, customer: `cus ${id}`, orderId: `order of ${id}`, fetched });
  if (stored.kind !== 'stored' || stored.keyId === null) throw new Error('the subscription has no key');
  const key = await rotateKey(database, stored.keyId, 0);
  if (typeof key === 'string') throw new Error(key);
  await database.kysely.updateTable('key_secrets').set({ is_mailed: true }).where('key_id', '=', key.id).execute();
  return key;
}
