/**
 * What Stripe last said of each subscription, and the key that it pays for. One transaction stores a fetch with all
 * that follows from it, so that whatever is killed leaves either all of it or nothing. Instants are epoch milliseconds.
 */

import { type Kysely, sql } from 'kysely';
import type { PaidPlan } from '../../domain/billing/paid-plans.ts';
import { nextCheckAt, PAYMENT_GRACE_MS, standing } from '../../domain/billing/standing.ts';
import {
  type FetchedSubscription,
  FINAL_STATUSES,
  mergeFetched,
  type SubscriptionFacts,
  termOf,
  type UndatedSubscription,
} from '../../domain/billing/subscription.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { announceKeyChange, insertKey, lockKeyChanges } from '../keys/keys.ts';
import { decidingFactsOf } from '../keys/subscription-facts.ts';
import { type MailTo, queueMail } from './mails.ts';
import { queueNews, queueTrialEnding } from './subscription-news.ts';

/** A fetch of one subscription, and what its metadata say of our order. */
export type SubscriptionFetch = {
  readonly id: string;
  readonly customer: string;
  readonly orderId: string | null;
  readonly fetched: FetchedSubscription;
};

/** The same as Stripe answers it. */
export type UndatedFetch = Omit<SubscriptionFetch, 'fetched'> & { readonly fetched: UndatedSubscription };

/**
 * What came of a fetch; `unrecognized`: a status or price that we do not know, so that the one before stays. `unknown
 * order`: nobody ordered it here, so an operator must look at it.
 */
export type FetchOutcome =
  | { readonly kind: 'stored'; readonly keyId: number | null; readonly unrecognized?: string }
  | { readonly kind: 'unknown order' };

export type StoredSubscription = {
  readonly id: string;
  readonly customer: string;
  readonly accountId: number;
  readonly keyId: number | null;
  readonly language: Language;
  readonly facts: SubscriptionFacts;
};

type Transactions = Pick<DatabaseConnection, 'transaction'>;

/** What an operator is told of a subscription that our key of Stripe does not find. */
const MISSING = 'not found at Stripe';
/** Stores one fetch with what follows: the order is done, the key exists once and has the plan, mails are due. */
export function storeFetch(database: Transactions, fetch: SubscriptionFetch): Promise<FetchOutcome> {
  return database.transaction(async (tx) => {
    // Taken first in every transaction that changes keys, so that no two wait for each other.
    await lockKeyChanges(tx);
    const stored = await lockSubscription(tx, fetch.id);
    return stored === null ? insertSubscription(tx, fetch) : updateSubscription(tx, stored, fetch);
  });
}

/**
 * Stores that Stripe knows no such subscription. It keeps those that ended, so this is most likely our key of another
 * account: it closes nothing, an operator is told, and the last verdict stands for 72 hours past its end.
 */
export async function storeMissing(database: Transactions, id: string): Promise<FetchOutcome> {
  const row = await database.transaction((tx) =>
    tx
      .updateTable('billing_subscriptions')
      .set({
        unrecognized: sql<string>`case when status in (${sql.join(FINAL_STATUSES)}) then unrecognized else ${MISSING} end`,
      })
      .where('id', '=', id)
      .returning('key_id')
      .executeTakeFirst(),
  );
  return row === undefined ? { kind: 'unknown order' } : { kind: 'stored', keyId: row.key_id };
}

async function insertSubscription(tx: Kysely<Schema>, fetch: SubscriptionFetch): Promise<FetchOutcome> {
  const { id, customer, orderId, fetched } = fetch;
  const order = orderId === null ? undefined : await lockOrder(tx, orderId);
  // The end of what a deleted account had, or of what was pruned since, is no news to anybody.
  const isOver = FINAL_STATUSES.some((each) => each === fetched.status);
  const isForgotten = order !== undefined && (order.account_id === null || order.state === 'done');
  if (isForgotten && isOver) return { kind: 'stored', keyId: null };
  // Whoever copies the metadata of another subscription has ordered nothing.
  if (order?.account_id == null || order.state === 'done') return { kind: 'unknown order' };
  const accountId = order.account_id;
  const facts = mergeFetched(null, fetched, order.plan);
  const mailTo = { accountId, language: order.language };
  if (isOver) return insertEnded(tx, fetch, order.id, mailTo, facts);
  const keyId = await insertKey(tx, { plan: facts.plan, quota: null, email: null, subscription: id, accountId });
  await tx
    .insertInto('billing_subscriptions')
    .values({ id, customer, account_id: accountId, order_id: order.id, key_id: keyId, ...columnsOf(facts) })
    .execute();
  await completeOrder(tx, order.id);
  const content = {
    ...({ kind: 'key', keyId, plan: facts.plan, orderId: order.id } as const),
    ...{ term: termOf(facts), terms: order.terms_version },
  };
  await queueMail(tx, mailTo, content, { occasion: id });
  await queueTrialEnding(tx, mailTo, id, facts);
  await announceKeyChange(tx, keyId);
  return { kind: 'stored', keyId };
}

/** A subscription that had ended before we first saw it needs no key. */
async function insertEnded(
  tx: Kysely<Schema>,
  { id, customer }: SubscriptionFetch,
  orderId: string,
  mailTo: MailTo,
  facts: SubscriptionFacts,
): Promise<FetchOutcome> {
  const owner = { account_id: mailTo.accountId, order_id: orderId, key_id: null };
  await tx
    .insertInto('billing_subscriptions')
    .values({ id, customer, ...owner, ...columnsOf(facts) })
    .execute();
  await completeOrder(tx, orderId);
  await queueMail(tx, mailTo, { kind: 'ended', plan: facts.plan }, { occasion: id });
  return { kind: 'stored', keyId: null };
}

async function completeOrder(tx: Kysely<Schema>, id: string): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ state: 'done', ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

async function updateSubscription(
  tx: Kysely<Schema>,
  stored: StoredSubscription,
  { id, fetched }: SubscriptionFetch,
): Promise<FetchOutcome> {
  const { facts: before, keyId } = stored;
  const facts = mergeFetched(before, fetched, before.plan);
  if (facts === before) return { kind: 'stored', keyId };
  await tx.updateTable('billing_subscriptions').set(columnsOf(facts)).where('id', '=', id).execute();
  if (keyId !== null) {
    const corrected = await tx
      .updateTable('api_keys')
      .set({ plan: facts.plan, quota: null })
      .where('id', '=', keyId)
      .where('plan', '<>', facts.plan)
      .executeTakeFirst();
    if (corrected.numUpdatedRows > 0n || changesVerdict(before, facts)) await announceKeyChange(tx, keyId);
  }
  await queueNews(tx, stored, facts);
  return { kind: 'stored', keyId, ...(facts.unrecognized !== null && { unrecognized: facts.unrecognized }) };
}

/** Most looks find nothing new: the caches of keys need not be told. */
function changesVerdict(before: SubscriptionFacts, facts: SubscriptionFacts): boolean {
  const now = facts.fetchedAt;
  return JSON.stringify(standing(before, now)) !== JSON.stringify(standing(facts, now));
}

/** The subscriptions of an account, newest fetch first. */
export async function subscriptionsOf(db: Kysely<Schema>, accountId: number): Promise<StoredSubscription[]> {
  const rows = await selectSubscriptions(db)
    .where('account_id', '=', accountId)
    .orderBy('fetched_at', 'desc')
    .execute();
  return rows.map(asSubscription);
}

/**
 * Subscriptions of which the trial, the period, the grace or the chosen end is over, and of which nothing was fetched
 * since: each is a reason to look again, whether an event came or not.
 */
export async function subscriptionsToCheck(db: Kysely<Schema>, now: number, limit: number): Promise<string[]> {
  // As `nextCheckAt` has it, so that those with nothing to look for take no place of the others.
  const ends = [
    `case status when 'trialing' then trial_end end`,
    'period_end',
    'cancel_at',
    `past_due_since + ${PAYMENT_GRACE_MS} * interval '1 millisecond'`,
  ];
  const ahead = ends.map((end) => sql.raw(`case when ${end} > fetched_at then ${end} end`));
  const rows = await selectSubscriptions(db)
    .where('status', 'in', ['trialing', 'active', 'past_due'])
    .where('withdrawn_at', 'is', null)
    .where('disputed_at', 'is', null)
    .where(sql<boolean>`unrecognized is distinct from ${MISSING}`)
    .where(sql<number>`least(${sql.join(ahead)})`, '<=', instant(now))
    // Not the oldest: some that cannot be looked at would hide all others.
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return rows.map(asSubscription).flatMap(({ id, facts }) => {
    return (nextCheckAt(facts) ?? Number.POSITIVE_INFINITY) <= now ? [id] : [];
  });
}

/** A subscription of an account; `null` = it is none of theirs. */
export async function findSubscriptionOf(
  db: Kysely<Schema>,
  accountId: number,
  id: string,
): Promise<StoredSubscription | null> {
  return (await subscriptionsOf(db, accountId)).find((each) => each.id === id) ?? null;
}

async function lockSubscription(tx: Kysely<Schema>, id: string): Promise<StoredSubscription | null> {
  const row = await selectSubscriptions(tx).where('billing_subscriptions.id', '=', id).executeTakeFirst();
  return row === undefined ? null : asSubscription(row);
}

function lockOrder(tx: Kysely<Schema>, id: string) {
  return tx
    .selectFrom('orders')
    .select(['id', 'account_id', 'plan', 'language', 'state', 'terms_version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

function selectSubscriptions(db: Kysely<Schema>) {
  return db
    .selectFrom('billing_subscriptions')
    .innerJoin('accounts', 'accounts.id', 'billing_subscriptions.account_id')
    .selectAll('billing_subscriptions')
    .select('accounts.language');
}

type SubscriptionRow = Awaited<ReturnType<ReturnType<typeof selectSubscriptions>['executeTakeFirstOrThrow']>>;

function asSubscription(row: SubscriptionRow): StoredSubscription {
  return {
    id: row.id,
    customer: row.customer,
    accountId: row.account_id,
    keyId: row.key_id,
    language: row.language,
    facts: {
      ...decidingFactsOf(row),
      ...{ plan: row.plan, statusSince: row.status_since, unrecognized: row.unrecognized },
    },
  };
}

/** The columns that a fetch decides; disputes and withdrawals are noted by themselves. */
function columnsOf(facts: SubscriptionFacts) {
  return {
    status: facts.status,
    status_since: new Date(facts.statusSince),
    plan: facts.plan satisfies PaidPlan,
    trial_end: dateOf(facts.trialEnd),
    period_end: new Date(facts.periodEnd),
    cancel_at: dateOf(facts.cancelAt),
    fetched_at: new Date(facts.fetchedAt),
    past_due_since: dateOf(facts.pastDueSince),
    unrecognized: facts.unrecognized,
  };
}

const dateOf = (epochMs: number | null): Date | null => (epochMs === null ? null : new Date(epochMs));
