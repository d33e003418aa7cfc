/** What is noted of subscriptions beside what Stripe says of them: disputes and refunds, which name a customer. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Schema } from '../connection/schema.ts';
import { announceKeyChange, lockKeyChanges } from '../keys/keys.ts';

/**
 * Notes how a dispute about a charge of the subscription stands; false = unknown. The key is closed while any stands;
 * one that was won stays so, whichever look at it is stored last.
 */
export function noteDispute(
  database: Pick<DatabaseConnection, 'transaction'>,
  id: string,
  dispute: string,
  isWon: boolean,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockKeyChanges(tx);
    const { rows } = await sql<{ key_id: number | null }>`
      update billing_subscriptions as billed set disputes = changed.standing, disputes_won = changed.won,
        disputed_at = case when changed.standing = '{}' then null else coalesce(billed.disputed_at, clock_timestamp()) end
      from (
        select case when ${isWon} or ${dispute} = any(disputes_won) then array_remove(disputes, ${dispute})
            when ${dispute} = any(disputes) then disputes else disputes || ${dispute}::text end as standing,
          case when ${isWon} and not ${dispute} = any(disputes_won) then disputes_won || ${dispute}::text
            else disputes_won end as won
        from billing_subscriptions where id = ${id} for no key update) as changed
      where billed.id = ${id} returning billed.key_id`.execute(tx);
    const [row] = rows;
    if (row === undefined) return false;
    if (row.key_id !== null) await announceKeyChange(tx, row.key_id);
    return true;
  });
}

/**
 * Notes a full refund, for the operator: it closes nothing. False = there is no such order.
 *
 * @param id of a subscription, or of its order, which is left when the subscription is deleted.
 */
export async function noteRefund(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ refunded_at: sql<Date>`coalesce(refunded_at, clock_timestamp())` })
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('id', '=', id),
        eb('id', '=', selectFrom('billing_subscriptions').select('order_id').where('id', '=', id)),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Which of these subscriptions are stored. */
export async function knownSubscriptions(db: Kysely<Schema>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('billing_subscriptions').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The ids of a customer's subscriptions. */
export async function subscriptionIdsOf(db: Kysely<Schema>, customer: string): Promise<string[]> {
  const rows = await db
    .selectFrom('billing_subscriptions')
    .select('id')
    .where('customer', '=', customer)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
