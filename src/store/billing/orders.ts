/** Orders of plans: open until Stripe says that their checkout is finished or over. */
import { type Kysely, sql } from 'kysely';
import { TRIAL_DAYS } from '../../domain/access/plans.ts';
import type { PaidPlan } from '../../domain/billing/paid-plans.ts';
import type { Language } from '../../domain/localized-text.ts';
import { emailKey, mailboxKey } from '../../domain/mail/email-address.ts';
import { findOrCreateAccount, isFormerAddress } from '../accounts/accounts.ts';
import type { Schema } from '../connection/schema.ts';
import type { KeyedHash } from '../limits/address-hash.ts';
import { requireCurrentKey } from '../limits/address-keys.ts';
import type { MailEnd } from './mails.ts';

/** An order with the consent that was just given. */
export type NewOrder = {
  readonly id: string;
  /** As `parseEmailAddress` returns it. */
  readonly email: string;
  readonly plan: PaidPlan;
  readonly language: Language;
  /** As `termsAgreedTo` returns it. */
  readonly termsVersion: string;
  /** Of the client, under a key for orders. */
  readonly network: KeyedHash;
};

/**
 * Why an order is not opened: `too many` of its network, or of all customers. `former`: the address was an account's
 * until less than a day ago; no answer tells these apart.
 */
export type OrderRefusal = 'too many' | 'too many of all' | 'former';

/** What came of an order; `replaced`: checkouts of orders before it, which nobody may finish any more. */
export type OpenedOrder =
  | { readonly kind: 'opened'; readonly trialDays: number; readonly replaced: readonly string[] }
  | { readonly kind: OrderRefusal };

/** An order as the page after its checkout shows it. */
export type OrderAfterCheckout = {
  readonly id: string;
  readonly plan: PaidPlan;
  readonly state: 'open' | 'done' | 'expired';
  /** `null` = its account was deleted. */
  readonly email: string | null;
  /** When its checkout was over; of an open one, when it was made. Epoch ms. */
  readonly at: number;
  /** Of the mail with its key; `null` = not queued yet. */
  readonly mail: 'waiting' | MailEnd | null;
};

/** Orders of all within an hour, and of a network, whose holder may have 65,536 clients at no cost. */
const MAX_ORDERS = 1_000;
const MAX_ORDERS_OF_NETWORK = MAX_ORDERS / 10;
/** Names the lock under which orders are counted; any number that no other lock has. */
const ORDERS_LOCK = 1_502_201;

/**
 * Opens an order; the open ones of its account and of its mailbox end. The trial is given once to a mailbox: after an
 * order that was done, and to an account that has had a subscription, there is none. Rejects with
 * `AddressKeySuperseded`.
 */
export async function openOrder(tx: Kysely<Schema>, order: NewOrder): Promise<OpenedOrder> {
  await lockOrders(tx);
  await requireCurrentKey(tx, order.network.key);
  const mailbox = mailboxKey(order.email);
  const reached = await reachedLimit(tx, order.network);
  if (reached !== null) return { kind: reached };
  const accountId = await findOrCreateAccount(tx, order.email, order.language);
  if (accountId === 'former') return { kind: 'former' };
  const trialDays = (await hasOrderedBefore(tx, mailbox, accountId)) ? 0 : TRIAL_DAYS;
  const now = sql<Date>`clock_timestamp()`;
  const replaced = await tx
    .updateTable('orders')
    .set({ state: 'expired', ended_at: now })
    .where(({ or, eb }) => or([eb('account_id', '=', accountId), eb('mailbox', '=', mailbox)]))
    .where('state', '=', 'open')
    .returning('session')
    .execute();
  const { id, plan, language, termsVersion } = order;
  await tx
    .insertInto('orders')
    .values({
      ...{ id, account_id: accountId, mailbox, plan, trial_days: trialDays, language },
      ...{ terms_version: termsVersion, consented_at: now, state: 'open', network: order.network.current },
    })
    .execute();
  return { kind: 'opened', trialDays, replaced: replaced.flatMap(({ session }) => session ?? []) };
}

/** Why an order for an address would not be opened now; `null` = it would. Rejects with `AddressKeySuperseded`. */
export async function orderRefusal(
  tx: Kysely<Schema>,
  { email, network }: Pick<NewOrder, 'email' | 'network'>,
): Promise<OrderRefusal | null> {
  await requireCurrentKey(tx, network.key);
  return (await reachedLimit(tx, network)) ?? ((await isFormerAddress(tx, email)) ? 'former' : null);
}

/** Waits until no order is being opened, and lets none be opened until the transaction ends. */
export async function lockOrders(tx: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ORDERS_LOCK})`.execute(tx);
}

/** The limit that the orders of the last hour have used up; `null` = none. */
async function reachedLimit(
  tx: Kysely<Schema>,
  { current, earlier }: KeyedHash,
): Promise<'too many' | 'too many of all' | null> {
  const { rows } = await sql<{ ofAll: number; ofNetwork: number }>`
    select count(*)::int as "ofAll", count(*) filter (where network in (${current}, ${earlier}))::int as "ofNetwork"
    from orders where consented_at > clock_timestamp() - interval '1 hour'`.execute(tx);
  const { ofAll = 0, ofNetwork = 0 } = rows[0] ?? {};
  if (ofAll >= MAX_ORDERS) return 'too many of all';
  return ofNetwork >= MAX_ORDERS_OF_NETWORK ? 'too many' : null;
}

async function hasOrderedBefore(tx: Kysely<Schema>, mailbox: string, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from orders where mailbox = ${mailbox} and state = 'done')
      or exists (select from billing_subscriptions where account_id = ${accountId}) as known`.execute(tx);
  return rows[0]?.known === true;
}

/** The checkouts of the open orders of an address: those of its account, and of its mailbox with other tags. */
export async function openCheckoutsOf(db: Kysely<Schema>, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('accounts', 'accounts.id', 'orders.account_id')
    .select('orders.session')
    .where(({ or, eb }) =>
      or([eb(sql<string>`lower(accounts.email)`, '=', emailKey(email)), eb('orders.mailbox', '=', mailboxKey(email))]),
    )
    .where('orders.state', '=', 'open')
    .execute();
  return rows.flatMap(({ session }) => session ?? []);
}

/** Notes which checkout of Stripe an order has; false = another order has taken its place meanwhile. */
export async function setCheckout(tx: Kysely<Schema>, id: string, session: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ session })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The order of a checkout; `null` = it is none of ours. */
export async function findOrderOfCheckout(db: Kysely<Schema>, session: string): Promise<OrderAfterCheckout | null> {
  const row = await db
    .selectFrom('orders')
    .leftJoin('accounts', 'accounts.id', 'orders.account_id')
    .leftJoin('billing_subscriptions as billed', 'billed.order_id', 'orders.id')
    .leftJoin('mails', (join) => join.onRef('mails.occasion', '=', 'billed.id').on('mails.kind', '=', 'key'))
    .select(['orders.id', 'orders.plan', 'orders.state', 'accounts.email', 'mails.state as mail'])
    .select(sql<number>`coalesce(orders.ended_at, orders.consented_at)`.as('at'))
    .where('orders.session', '=', session)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends an order whose checkout is over; one that is done stays done. */
export async function expireOrder(tx: Kysely<Schema>, id: string): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ state: 'expired', ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

/** Checkouts of orders that have been open for longer than a customer needs; of very many, any. */
export async function openCheckouts(db: Kysely<Schema>, olderThanMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('session')
    .where('state', '=', 'open')
    .where('session', 'is not', null)
    .where('consented_at', '<', sql<number>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
    // Not the oldest: those that are abandoned stay open for a day, and would hide all others.
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return rows.map(({ session }) => session as string);
}
