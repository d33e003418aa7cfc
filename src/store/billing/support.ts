/** What an operator sees of customers: orders, subscriptions, events and mails. Instants are epoch milliseconds. */
import { type Kysely, sql } from 'kysely';
import type { PaidPlan } from '../../domain/billing/paid-plans.ts';
import type { MailKind } from '../../domain/mail/mail-content.ts';
import { findAccount } from '../accounts/accounts.ts';
import { replaceAddress } from '../accounts/address-change.ts';
import type { Schema } from '../connection/schema.ts';
import { type StoredSubscription, subscriptionsOf } from './billing-subscriptions.ts';
import { KEY_NOT_ARRIVED, type MailEnd } from './mails.ts';

/** An order; `email`: `null` = its account was deleted. */
export type OrderRecord = {
  readonly id: string;
  readonly email: string | null;
  readonly plan: PaidPlan;
  readonly trialDays: number;
  readonly state: 'open' | 'done' | 'expired';
  readonly consentedAt: number;
  readonly endedAt: number | null;
  /** When its customer withdrew from the contract, and when a charge was refunded; `null` = never. */
  readonly withdrawnAt: number | null;
  readonly refundedAt: number | null;
  /** Of Stripe's checkout. */
  readonly session: string | null;
  readonly subscription: string | null;
};

/** A mail, without what it says. */
export type MailRecord = {
  readonly id: number;
  readonly kind: MailKind;
  readonly recipient: string | null;
  readonly state: 'waiting' | MailEnd;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly endedAt: number | null;
  readonly tries: number;
  readonly why: string | null;
};

export type EventRecord = {
  readonly id: string;
  readonly type: string;
  readonly object: string;
  readonly receivedAt: number;
  readonly doneAt: number | null;
  readonly tries: number;
};

/** All that is stored of a customer. */
export type CustomerRecord = {
  readonly account: number;
  readonly email: string;
  readonly language: string;
  readonly createdAt: number;
  readonly mailRefusedAt: number | null;
  readonly orders: readonly OrderRecord[];
  readonly subscriptions: readonly StoredSubscription[];
  readonly keys: readonly number[];
  readonly events: readonly EventRecord[];
  readonly mails: readonly MailRecord[];
};

const SHOWN = 20;

/** The latest orders, or those of an e-mail address in upper or lower case. */
export async function listOrders(db: Kysely<Schema>, email: string | null, limit: number): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('orders')
    .leftJoin('accounts', 'accounts.id', 'orders.account_id')
    .leftJoin('billing_subscriptions as billed', 'billed.order_id', 'orders.id')
    .select(['orders.id', 'accounts.email', 'orders.plan', 'orders.trial_days', 'orders.state', 'orders.consented_at'])
    .select(['orders.ended_at', 'orders.session', 'billed.id as subscription'])
    .select(['orders.withdrawn_at as withdrawnAt', 'orders.refunded_at as refundedAt'])
    .where(email === null ? sql<boolean>`true` : sql<boolean>`lower(accounts.email) = lower(${email})`)
    .orderBy('orders.consented_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ trial_days, consented_at, ended_at, ...row }) => ({
    ...row,
    trialDays: trial_days,
    consentedAt: consented_at,
    endedAt: ended_at,
  }));
}

/** The latest mails, or those of an e-mail address; `waiting`: only those that wait. */
export async function listMails(
  db: Kysely<Schema>,
  { email, waiting, limit }: { readonly email: string | null; readonly waiting: boolean; readonly limit: number },
): Promise<MailRecord[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'state', 'created_at', 'due_at', 'ended_at', 'tries', 'why'])
    .where(
      email === null
        ? sql<boolean>`true`
        : // The recipient is forgotten before the mail is.
          sql<boolean>`(lower(recipient) = lower(${email})
            or account_id = (select id from accounts where lower(email) = lower(${email})))`,
    )
    .where(waiting ? sql<boolean>`state = 'waiting'` : sql<boolean>`true`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ created_at, due_at, ended_at, ...row }) => ({
    ...row,
    createdAt: created_at,
    dueAt: due_at,
    endedAt: ended_at,
  }));
}

/**
 * Makes a mail due at once, also one that was sent or given up: keys, links and codes are made anew. False = there is
 * no such mail, or its recipient was forgotten and has no account.
 */
export async function resendMail(db: Kysely<Schema>, id: number): Promise<boolean> {
  const now = sql<Date>`clock_timestamp()`;
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ state: 'waiting', due_at: now, planned_at: now, ended_at: null, tries: 0, why: null })
    .set({ recipient: sql<string>`coalesce(recipient, (select email from accounts where accounts.id = account_id))` })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('recipient', 'is not', null), eb('account_id', 'is not', null)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * What came of a correction; `mails`: how many with keys had not arrived, and are due again; `customers`: who the
 * account is at Stripe, which still has the former address.
 */
export type CorrectedAddress =
  | { readonly kind: 'corrected'; readonly mails: number; readonly customers: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'unchanged' };

/**
 * Gives the account of an address that does not work another one, without a proof, and sends it the keys that did not
 * arrive: their secrets are made anew.
 *
 * @param to as `parseEmailAddress` returns it.
 */
export async function correctAddress(tx: Kysely<Schema>, email: string, to: string): Promise<CorrectedAddress> {
  const account = await findAccount(tx, email);
  if (account === null) return { kind: 'unknown' };
  const result = await replaceAddress(tx, account.id, to);
  if (result !== 'replaced') return { kind: result };
  const { rows } = await sql`
    update mails set state = 'waiting', recipient = ${to}, due_at = clock_timestamp(), planned_at = clock_timestamp(),
      ended_at = null, tries = 0, why = null
    where account_id = ${account.id} and ${sql.raw(KEY_NOT_ARRIVED)} returning id`.execute(tx);
  const customers = (await subscriptionsOf(tx, account.id)).map(({ customer }) => customer);
  return { kind: 'corrected', mails: rows.length, customers: [...new Set(customers)] };
}

/** All that is stored of the customer who has a key; `null` = it is of no account. */
export async function readCustomerOfKey(db: Kysely<Schema>, keyId: number): Promise<CustomerRecord | null> {
  const account = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select('accounts.email')
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst();
  return account === undefined ? null : readCustomer(db, account.email);
}

/** All that is stored of the customer with an e-mail address; `null` = there is none. */
export async function readCustomer(db: Kysely<Schema>, email: string): Promise<CustomerRecord | null> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  if (account === undefined) return null;
  const stored = await subscriptionsOf(db, account.id);
  const orders = await listOrders(db, email, SHOWN);
  const objects = [...stored.flatMap(({ id, customer }) => [id, customer]), ...orders.map(({ session }) => session)];
  const keys = await db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute();
  return {
    account: account.id,
    email: account.email,
    language: account.language,
    createdAt: account.created_at,
    mailRefusedAt: account.mail_refused_at,
    orders,
    subscriptions: stored,
    keys: keys.map(({ id }) => id),
    events: await eventsAbout(
      db,
      objects.filter((each) => each !== null),
    ),
    mails: await listMails(db, { email, waiting: false, limit: SHOWN }),
  };
}

async function eventsAbout(db: Kysely<Schema>, objects: readonly string[]): Promise<EventRecord[]> {
  if (objects.length === 0) return [];
  const rows = await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'object', 'received_at', 'done_at', 'tries'])
    .where(({ or, eb }) => or([eb('object', 'in', objects), eb('about', 'in', objects)]))
    .orderBy('received_at', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map(({ received_at, done_at, ...row }) => ({ ...row, receivedAt: received_at, doneAt: done_at }));
}
