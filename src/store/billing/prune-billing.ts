/** Deletes what selling needs no longer. Rule 43 and the page on privacy say how long each is kept. */
import { type Kysely, sql } from 'kysely';
import {
  ENDED_SUBSCRIPTION_DAYS,
  LOGIN_HOURS,
  MAIL_DAYS,
  MAIL_RECIPIENT_DAYS,
  ORDER_NETWORK_HOURS,
  ORDER_YEARS,
  UNFINISHED_ORDER_DAYS,
  WEBHOOK_EVENT_DAYS,
} from '../../domain/access/retention.ts';
import { FINAL_STATUSES } from '../../domain/billing/subscription.ts';
import type { Database } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { deleteKey, lockKeyChanges } from '../keys/keys.ts';
import { deleteSpentFreeKeys } from './free-keys.ts';
import { lockOrders } from './orders.ts';

/** The moment that is so long ago. */
const ago = (interval: string) => sql<number>`clock_timestamp() - ${interval}::interval`;

/** Deletes expired rows; returns how many. */
export async function pruneBilling(database: Database<Schema>): Promise<number> {
  const { kysely } = database;
  await forgetRecipients(kysely);
  await forgetFormerAddresses(kysely);
  await forgetNetworks(kysely);
  let removed = (await deleteEndedSubscriptions(database)) + (await deleteSpentFreeKeys(database));
  for (const statement of expiredRows(kysely)) removed += Number((await statement.executeTakeFirst()).numDeletedRows);
  return removed + (await deleteUnusedAccounts(database));
}

async function forgetRecipients(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('mails')
    .set({ recipient: null })
    .where('recipient', 'is not', null)
    .where('ended_at', '<', ago(`${MAIL_RECIPIENT_DAYS} days`))
    .execute();
}

/** They may take their account back no longer. */
async function forgetFormerAddresses(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ undo_email: null, undo_until: null })
    .where('undo_until', '<', sql<number>`clock_timestamp()`)
    .execute();
}

/** Those of logins go with their rows. An order that is locked, by the deletion of its account, waits for an hour. */
async function forgetNetworks(db: Kysely<Schema>): Promise<void> {
  const due = db
    .selectFrom('orders')
    .select('id')
    .where('network', 'is not', null)
    .where('consented_at', '<', ago(`${ORDER_NETWORK_HOURS} hours`))
    .forNoKeyUpdate()
    .skipLocked();
  await db.updateTable('orders').set({ network: null }).where('id', 'in', due).execute();
}

/** The keys go with their subscriptions, and every process learns of it. */
async function deleteEndedSubscriptions(database: Database<Schema>): Promise<number> {
  const ended = await database.kysely
    .selectFrom('billing_subscriptions')
    .select(['id', 'key_id', 'order_id', 'fetched_at'])
    .where('status', 'in', [...FINAL_STATUSES])
    .where('fetched_at', '<', ago(`${ENDED_SUBSCRIPTION_DAYS} days`))
    .execute();
  for (const { id, key_id, order_id, fetched_at } of ended) {
    if (key_id !== null) await deleteKey(database, key_id);
    // For how long the order is kept is counted from the end of its contract.
    await database.kysely
      .updateTable('orders')
      .set({ ended_at: new Date(fetched_at) })
      .where('id', '=', order_id)
      .execute();
    await database.kysely.deleteFrom('billing_subscriptions').where('id', '=', id).execute();
  }
  return ended.length;
}

function expiredRows(db: Kysely<Schema>) {
  return [
    db.deleteFrom('mails').where('ended_at', '<', ago(`${MAIL_DAYS} days`)),
    db
      .deleteFrom('webhook_events')
      .where('done_at', 'is not', null)
      .where('received_at', '<', ago(`${WEBHOOK_EVENT_DAYS} days`)),
    db
      .deleteFrom('logins')
      .where('created_at', '<', ago(`${LOGIN_HOURS} hours`))
      .where('expires_at', '<', sql<number>`clock_timestamp()`),
    db.deleteFrom('login_sessions').where('expires_at', '<', sql<number>`clock_timestamp()`),
    db
      .deleteFrom('orders')
      .where('state', '<>', 'done')
      .where('consented_at', '<', ago(`${UNFINISHED_ORDER_DAYS} days`)),
    db
      .deleteFrom('orders')
      .where(sql<number>`coalesce(ended_at, consented_at)`, '<', ago(`${ORDER_YEARS} years`))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('billing_subscriptions').select('id').whereRef('order_id', '=', 'orders.id'))),
      ),
  ];
}

/** Orders and free keys make accounts, too: none may come to one that is being deleted. */
function deleteUnusedAccounts(database: Database<Schema>): Promise<number> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    await lockOrders(tx);
    const { numDeletedRows } = await tx
      .deleteFrom('accounts')
      .where('created_at', '<', ago(`${UNFINISHED_ORDER_DAYS} days`))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('billing_subscriptions').select('id').whereRef('account_id', '=', 'accounts.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('api_keys').select('id').whereRef('account_id', '=', 'accounts.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('login_sessions').select('sha256').whereRef('account_id', '=', 'accounts.id'))),
      )
      // A checkout may be under way, and what came of it must find its account.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('orders').select('id').whereRef('account_id', '=', 'accounts.id').where('state', '=', 'open'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('mails').select('id').whereRef('account_id', '=', 'accounts.id').where('state', '=', 'waiting'),
          ),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
