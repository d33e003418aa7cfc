/** Orders of plans: open until Stripe says that their checkout is finished or over. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** Ends an order whose checkout is over; one that is done stays done. */
export async function expireOrder(tx: Kysely<Schema>, id: string): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ state: 'expired', ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

/** Checkouts of orders that have been open for longer than a customer needs, oldest first. */
export async function openCheckouts(db: Kysely<Schema>, olderThanMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('session')
    .where('state', '=', 'open')
    .where('session', 'is not', null)
    .where('consented_at', '<', sql<number>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
    .orderBy('consented_at')
    .limit(limit)
    .execute();
  return rows.map(({ session }) => session as string);
}
