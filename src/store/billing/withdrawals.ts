/** Withdrawals from the contract, as the law lets a consumer declare them. Instants are epoch milliseconds. */
import { type Kysely, sql } from 'kysely';
import type { PaidPlan } from '../../domain/billing/paid-plans.ts';
import { FINAL_STATUSES } from '../../domain/billing/subscription.ts';
import type { Language } from '../../domain/localized-text.ts';
import { emailKey, mailboxKey } from '../../domain/mail/email-address.ts';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Schema } from '../connection/schema.ts';
import { announceKeyChange, lockKeyChanges } from '../keys/keys.ts';
import { queueMail, queueMailTo } from './mails.ts';

/** The contract that an order led to. */
export type Contract = {
  readonly orderId: string;
  /** `null` = its account was deleted, and it has ended; the right to the money stays. */
  readonly subscription: string | null;
  readonly plan: PaidPlan;
  readonly concludedAt: number;
  readonly withdrawnAt: number | null;
};

/** Whoever declares a withdrawal; `name`: one line. */
export type Declarant = { readonly name: string; readonly email: string; readonly language: Language };

/**
 * The contract of an order, if the address is the one that ordered it or that of its account now, in upper or lower
 * case; `null` = there is none.
 */
export async function findContract(db: Kysely<Schema>, orderId: string, email: string): Promise<Contract | null> {
  const row = await db
    .selectFrom('orders')
    .leftJoin('accounts', 'accounts.id', 'orders.account_id')
    .leftJoin('billing_subscriptions as billed', 'billed.order_id', 'orders.id')
    .select(['orders.id', 'orders.consented_at', 'orders.ended_at', 'orders.withdrawn_at', 'billed.id as subscription'])
    .select(sql<PaidPlan>`coalesce(billed.plan, orders.plan)`.as('plan'))
    .where('orders.id', '=', orderId)
    .where('orders.state', '=', 'done')
    .where(sql<boolean>`(lower(accounts.email) = ${emailKey(email)} or orders.mailbox = ${mailboxKey(email)})`)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, subscription, plan, consented_at, ended_at, withdrawn_at } = row;
  // After a deletion it ended then: the 14 days are counted from the order.
  const concludedAt = subscription === null ? consented_at : (ended_at ?? consented_at);
  return { orderId: id, subscription, plan, concludedAt, withdrawnAt: withdrawn_at };
}

/**
 * Stores a withdrawal with what follows at once: the key is closed, and the acknowledgement is due, to whoever declares
 * it and to the account where that has another address. The first one counts. A worker ends the subscription at Stripe.
 * False = there is no such subscription.
 */
export function withdraw(
  database: Pick<DatabaseConnection, 'transaction'>,
  subscription: string,
  declarant: Declarant,
  limit?: { readonly withinMs: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const row = await tx
      .updateTable('billing_subscriptions')
      .set({ withdrawn_at: sql<Date>`coalesce(withdrawn_at, clock_timestamp())` })
      .where('id', '=', subscription)
      .returning(['account_id', 'key_id', 'order_id', 'withdrawn_at'])
      .executeTakeFirst();
    if (row === undefined) return false;
    const { account_id: accountId, key_id: keyId, order_id: orderId, withdrawn_at: at } = row;
    if (keyId !== null) await announceKeyChange(tx, keyId);
    if (orderId !== null)
      await tx
        .updateTable('orders')
        .set({ withdrawn_at: new Date(at as number) })
        .where('id', '=', orderId)
        .execute();
    const account = await tx
      .selectFrom('accounts')
      .select(['email', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const { name, email, language } = declarant;
    const content = { kind: 'withdrawn', orderId: orderId ?? subscription, at: at as number, name } as const;
    await queueMail(tx, { accountId, language: account.language }, content, { occasion: subscription });
    if (emailKey(account.email) !== emailKey(email))
      await queueMailTo(tx, { recipient: email, language }, content, `${subscription} declarant`);
    return true;
  }, limit);
}

/** Stores the withdrawal from a contract whose account was deleted, and acknowledges it. The first one counts. */
export function withdrawDeleted(
  database: Pick<DatabaseConnection, 'transaction'>,
  orderId: string,
  { name, email, language }: Declarant,
  limit?: { readonly withinMs: number },
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await tx
      .updateTable('orders')
      .set({ withdrawn_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', orderId)
      .where('withdrawn_at', 'is', null)
      .returning('withdrawn_at')
      .executeTakeFirst();
    if (row === undefined) return;
    const content = { kind: 'withdrawn', orderId, at: row.withdrawn_at as number, name } as const;
    await queueMailTo(tx, { recipient: email, language }, content, orderId);
  }, limit);
}

/** Subscriptions whose customers have withdrawn, and which go on at Stripe. */
export async function withdrawnButRunning(db: Kysely<Schema>, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('billing_subscriptions')
    .select('id')
    .where('withdrawn_at', 'is not', null)
    .where('status', 'not in', [...FINAL_STATUSES])
    .orderBy('withdrawn_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
