/** The outbox of alerts: the messages to send, and their outcome. Times are by the caller's clock, epoch ms. */
import { type Kysely, sql } from 'kysely';
import { FUELS, type MilliPrice, type RoadFuel } from '../../domain/fuel.ts';
import { instant, type Schema } from '../connection/schema.ts';
import type { AlertDetails } from './alerts.ts';

export type DeliveryOutcome = 'delivered' | 'gone' | 'refused' | 'expired';

export type Delivery = {
  readonly alert: number;
  readonly subscription: number;
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  /** Number of earlier attempts. */
  readonly tries: number;
  /** The content. */
  readonly at: number;
  readonly city: string | null;
  readonly fuel: RoadFuel;
  readonly price: MilliPrice;
  readonly details: AlertDetails;
};

/** Origins of the push services with due messages, those that wait longest first. */
export async function dueOrigins(db: Kysely<Schema>, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_deliveries')
    .select('origin')
    .where('done_at', 'is', null)
    .where('due_at', '<=', instant(now))
    .groupBy('origin')
    .orderBy((row) => row.fn.min('due_at'))
    .orderBy('origin')
    .limit(limit)
    .execute();
  return rows.map(({ origin }) => origin);
}

/** The due messages for one push service, oldest alerts first. */
export async function dueDeliveries(
  db: Kysely<Schema>,
  origin: string,
  now: number,
  limit: number,
): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('alert_deliveries as d')
    .innerJoin('alerts as a', 'a.id', 'd.alert_id')
    .innerJoin('push_subscriptions as s', 's.id', 'd.subscription_id')
    .select(['d.alert_id', 'd.subscription_id', 'd.tries', 'a.at', 'a.city', 'a.fuel', 'a.price', 'a.facts'])
    .select(['s.endpoint', 's.p256dh', 's.auth'])
    .where('d.origin', '=', origin)
    .where('d.done_at', 'is', null)
    .where('d.due_at', '<=', instant(now))
    .orderBy('d.due_at')
    .orderBy('d.alert_id')
    .orderBy('d.subscription_id')
    .limit(limit)
    .execute();
  return rows.map(({ alert_id, subscription_id, fuel, facts, ...row }) => ({
    ...row,
    alert: alert_id,
    subscription: subscription_id,
    fuel: FUELS[fuel] as RoadFuel,
    details: facts as AlertDetails,
  }));
}

type DeliveryKey = Pick<Delivery, 'alert' | 'subscription'>;

/**
 * Records that messages were delivered. Locks the subscriptions first, in the order in which whoever saves several of
 * them does: two processes never deadlock.
 */
export async function recordDelivered(
  db: Kysely<Schema>,
  delivered: readonly DeliveryKey[],
  now: number,
): Promise<void> {
  const subscriptions = delivered.map(({ subscription }) => subscription);
  await sql`
    with held as materialized (
      select from push_subscriptions where id = any (${subscriptions}::int[])
      order by endpoint_sha256 for no key update),
    done as (
      update alert_deliveries d set done_at = ${instant(now)}, outcome = 'delivered'
      from unnest(${delivered.map(({ alert }) => alert)}::bigint[], ${subscriptions}::int[]) as each (alert, subscription)
      where d.alert_id = each.alert and d.subscription_id = each.subscription and (select count(*) from held) > 0
      returning d.subscription_id)
    update push_subscriptions set alerted_at = ${instant(now)}
    where id in (select subscription_id from done)`.execute(db);
}

/**
 * Records that a message is not sent any more. Removes a subscription that no longer exists, with its unsent messages.
 */
export async function recordNotDelivered(
  db: Kysely<Schema>,
  { alert, subscription }: DeliveryKey,
  outcome: Exclude<DeliveryOutcome, 'delivered'>,
  now: number,
): Promise<void> {
  if (outcome === 'gone') {
    await db.deleteFrom('push_subscriptions').where('id', '=', subscription).execute();
    return;
  }
  await db
    .updateTable('alert_deliveries')
    .set({ done_at: new Date(now), outcome })
    .where('alert_id', '=', alert)
    .where('subscription_id', '=', subscription)
    .execute();
}

/** Schedules another attempt of a delivery at `dueAt`. */
export async function rescheduleDelivery(
  db: Kysely<Schema>,
  { alert, subscription }: DeliveryKey,
  dueAt: number,
): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set((row) => ({ due_at: new Date(dueAt), tries: row('tries', '+', 1) }))
    .where('alert_id', '=', alert)
    .where('subscription_id', '=', subscription)
    .execute();
}

/** Pauses a push service: nothing is sent to it before that moment. */
export async function backOffOrigin(db: Kysely<Schema>, origin: string, until: number): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({ due_at: new Date(until) })
    .where('origin', '=', origin)
    .where('done_at', 'is', null)
    .where('due_at', '<', instant(until))
    .execute();
}
