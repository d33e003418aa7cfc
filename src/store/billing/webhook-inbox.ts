/**
 * The inbox of Stripe's events: ids only, since an event means no more than "look again". An event is stored once,
 * however often and in whatever order it comes, and stays until its object was fetched.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** An event as it came; `object` is the id of what it is about. */
export type WebhookEvent = { readonly id: string; readonly type: string; readonly object: string };

/**
 * An event whose object is to be fetched. `tries` counts earlier attempts; `takenAtUs`: µs since 1970 by the database's
 * clock, since several events come within one millisecond.
 */
export type DueEvent = WebhookEvent & { readonly tries: number; readonly takenAtUs: number };

/** How long an event that was taken is left to whoever took it. */
const CLAIM_MS = 120_000;

/** Stores an event; false = it was here before. */
export async function storeEvent(db: Kysely<Schema>, { id, type, object }: WebhookEvent): Promise<boolean> {
  const now = sql<Date>`clock_timestamp()`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('webhook_events')
    .values({ id, type, object, received_at: now, due_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Takes the oldest due event for this process alone; each taking counts as an attempt. Of several events about one
 * object the first is taken, since one fetch answers all (`finishEvents`). `null` = none is due.
 */
export async function takeDueEvent(db: Kysely<Schema>): Promise<DueEvent | null> {
  const { rows } = await sql<DueEvent>`
    update webhook_events set tries = tries + 1, due_at = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond'
    where id = (
      select id from webhook_events as due
      where done_at is null and due_at <= clock_timestamp() and not exists (
        select from webhook_events as earlier
        where earlier.object = due.object and earlier.done_at is null
          and (earlier.received_at, earlier.id) < (due.received_at, due.id))
      order by received_at, id limit 1 for update skip locked)
    returning id, type, object, tries - 1 as tries,
      (extract(epoch from clock_timestamp()) * 1000000)::float8 as "takenAtUs"`.execute(db);
  return rows[0] ?? null;
}

/**
 * Marks as done every event about an object that had come before its fetch began: `takenAtUs` of the one taken.
 *
 * @param about the subscription, customer or checkout that it concerns; `null` = of none.
 */
export async function finishEvents(
  db: Kysely<Schema>,
  { object, takenAtUs }: Pick<DueEvent, 'object' | 'takenAtUs'>,
  about: string | null,
): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ done_at: sql<Date>`clock_timestamp()`, about })
    .where('object', '=', object)
    .where('done_at', 'is', null)
    .where('received_at', '<=', sql<number>`timestamptz 'epoch' + ${takenAtUs}::float8 * interval '1 microsecond'`)
    .execute();
}

/** Leaves an event for another attempt after `afterMs`. */
export async function deferEvent(db: Kysely<Schema>, id: string, afterMs: number): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({ due_at: sql<Date>`clock_timestamp() + ${afterMs} * interval '1 millisecond'` })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute();
}
