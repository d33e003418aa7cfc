/**
 * What is posted to webhooks. The feed of changes is the queue: each webhook has a place in it, which moves only with a
 * delivery that arrived, in the same statement. A delivery is stored before it is tried first, so that every try of it,
 * by any process, says the same under the same id. Times are by the caller's clock, epoch ms.
 */
import { type Kysely, sql } from 'kysely';
import type { DeliveryFailure, StopReason, WebhookDelivery } from '../../domain/webhooks/webhook.ts';
import type { ToldChange } from '../changes/read-feed.ts';
import { toToldChange } from '../changes/read-feed.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { closedKeys } from './closed-keys.ts';
import {
  type DeliveryRow,
  deliveryOf,
  isSending,
  messageId,
  signingSecrets,
  type WebhookRow,
  webhookRow,
} from './webhook-rows.ts';

/** Webhooks whose next delivery is looked for in one transaction. */
const ENQUEUED_AT_ONCE = 200;

/** Everything that one try needs. */
export type DueWebhook = {
  readonly delivery: number;
  readonly webhook: number;
  readonly key: number;
  /** The header `webhook-id`. */
  readonly id: string;
  readonly event: DeliveryRow['event'];
  readonly url: string;
  /** The secrets that sign, the present one first. */
  readonly secrets: readonly Buffer[];
  /** The changes that it tells: those after one place, up to another. */
  readonly epoch: string;
  readonly after: number;
  readonly end: number;
  readonly createdAt: number;
  /** Number of earlier tries. */
  readonly tries: number;
};

/** Of a change `c`: whether the filter and kinds of a webhook `w` admit it. */
const ADMITTED = sql<boolean>`
  (w.fuel is null or c.fuel = w.fuel) and (w.county is null or c.county = w.county)
  and (w.city is null or c.city = w.city) and (w.network is null or c.network = w.network)
  and (w.stations is null or c.station_id = any (w.stations)) and c.kind = any (w.kinds)`;

type Found = {
  id: number;
  isNew: boolean;
  isRestart: boolean;
  position: number;
  epoch: string;
  head: number;
  /** The end of the told state with the first change that is admitted; `null` = none is. */
  end: number | null;
};

/**
 * Stores the next delivery of each webhook that has none waiting: the admitted changes of the first told state that has
 * any. Moves those without any to the end of the feed. Returns how many webhooks it looked at.
 */
export function enqueueDeliveries(db: Kysely<Schema>, now: number): Promise<number> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const closed = await closedKeys(tx, now);
      const { rows } = await sql<Found>`
        select w.id, w.epoch is null as "isNew", w.position, feed.epoch, feed.seq as head,
          w.epoch <> feed.epoch or w.position < feed.seq
            and not exists (select from served_changes c where c.seq = w.position + 1) as "isRestart",
          (select coalesce((select min(s.seq) from served_states s where s.seq >= first.seq), feed.seq)
            from served_changes first
            where first.seq = (select c.seq from served_changes c
              where c.seq > w.position and c.seq <= feed.seq and ${ADMITTED} order by c.seq limit 1)) as end
        from webhooks w, change_feed feed
        where ${isSending(closed)} and feed.epoch is not null
          and (w.epoch is distinct from feed.epoch or w.position < feed.seq)
          and not exists (select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting')
        order by w.position limit ${ENQUEUED_AT_ONCE}
        for no key update of w skip locked`.execute(tx);
      const told = rows.filter(({ isNew, isRestart, end }) => !isNew && (isRestart || end !== null));
      if (told.length > 0)
        await tx
          .insertInto('webhook_deliveries')
          .values(
            told.map(({ id, isRestart, epoch, position, head, end }) => ({
              ...{ webhook_id: id, epoch, after_seq: position, created_at: new Date(now), due_at: new Date(now) },
              ...{ event: isRestart ? ('restart' as const) : ('changes' as const), state: 'waiting' as const },
              end_seq: isRestart ? head : (end as number),
            })),
          )
          .execute();
      const told_ids = new Set(told.map(({ id }) => id));
      const others = rows.filter(({ id }) => !told_ids.has(id)).map(({ id }) => id);
      if (others.length > 0)
        await sql`
          update webhooks set epoch = feed.epoch, position = feed.seq from change_feed feed
          where id = any (${others}::bigint[])`.execute(tx);
      return rows.length;
    });
}

/** Deliveries to try now, those that never failed first; none of those whose numbers are given. */
export async function dueWebhooks(
  db: Kysely<Schema>,
  now: number,
  { limit, underWay }: { readonly limit: number; readonly underWay: readonly number[] },
): Promise<DueWebhook[]> {
  type Row = DeliveryRow & Pick<WebhookRow, 'key_id' | 'url'> & { secrets: Buffer[] };
  const closed = await closedKeys(db, now);
  const { rows } = await sql<Row>`
    select d.*, w.key_id, w.url, ${signingSecrets(now)} as secrets
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state = 'waiting' and d.due_at <= ${instant(now)} and ${isSending(closed)} and d.id <> all (${underWay}::bigint[])
    order by d.tries > 0, d.due_at, d.id limit ${limit}`.execute(db);
  return rows.map((row) => ({
    ...{ delivery: row.id, webhook: row.webhook_id, key: row.key_id, id: messageId(row), event: row.event },
    ...{ url: row.url, secrets: row.secrets, epoch: row.epoch ?? '', after: row.after_seq, end: row.end_seq },
    ...{ createdAt: row.created_at, tries: row.tries },
  }));
}

/** The changes that a delivery tells, the first `most` of them, and how many there are. */
export async function changesOf(
  db: Kysely<Schema>,
  { webhook, after, end }: Pick<DueWebhook, 'webhook' | 'after' | 'end'>,
  most: number,
): Promise<{ changes: ToldChange[]; total: number }> {
  const { rows } = await sql<Parameters<typeof toToldChange>[0] & { total: number }>`
    select c.*, (count(*) over ())::int as total from served_changes c, webhooks w
    where w.id = ${webhook} and c.seq > ${after} and c.seq <= ${end} and ${ADMITTED}
    order by c.seq limit ${most}`.execute(db);
  return { changes: rows.map(toToldChange), total: rows[0]?.total ?? 0 };
}

/** Records a delivery that arrived, and moves the webhook behind it. A replay begun meanwhile stays where it is. */
export async function recordArrival(
  db: Kysely<Schema>,
  { delivery }: Pick<DueWebhook, 'delivery'>,
  httpStatus: number | null,
  now: number,
): Promise<void> {
  await sql`
    with done as (
      update webhook_deliveries
      set state = 'delivered', tries = tries + 1, http_status = ${httpStatus}, failure = null,
        tried_at = ${instant(now)}, due_at = null
      where id = ${delivery} and state = 'waiting' returning webhook_id, epoch, end_seq)
    update webhooks set epoch = done.epoch, position = done.end_seq from done where id = done.webhook_id`.execute(db);
}

export type FailedTry = { readonly failure: DeliveryFailure; readonly httpStatus: number | null; readonly now: number };

/** Records a try that failed: the next one is at `dueAt`. */
export async function recordFailure(
  db: Kysely<Schema>,
  { delivery }: Pick<DueWebhook, 'delivery'>,
  { failure, httpStatus, now }: FailedTry,
  dueAt: number,
): Promise<void> {
  await sql`
    update webhook_deliveries
    set tries = tries + 1, failure = ${failure}, http_status = ${httpStatus}, tried_at = ${instant(now)},
      due_at = ${instant(dueAt)}
    where id = ${delivery} and state = 'waiting'`.execute(db);
}

/** Gives a delivery up, and stops its webhook, which keeps its place. */
export async function stopWebhook(
  db: Kysely<Schema>,
  { delivery }: Pick<DueWebhook, 'delivery'>,
  { failure, httpStatus, now }: FailedTry,
  reason: StopReason,
): Promise<void> {
  await sql`
    with ended as (
      update webhook_deliveries
      set state = 'given up', tries = tries + 1, failure = ${failure}, http_status = ${httpStatus},
        tried_at = ${instant(now)}, due_at = null
      where id = ${delivery} and state = 'waiting' returning webhook_id)
    update webhooks set stopped_at = ${instant(now)}, stop_reason = ${reason} from ended
    where id = ended.webhook_id`.execute(db);
}

export type PingTarget = {
  readonly delivery: number;
  readonly webhook: number;
  /** The header `webhook-id`. */
  readonly id: string;
  readonly url: string;
  readonly secrets: readonly Buffer[];
};

/** Begins a test in a transaction: what is sent to where. `null` = the key has no such webhook. */
export async function beginPing(tx: Kysely<Schema>, key: number, id: string, now: number): Promise<PingTarget | null> {
  const row = await webhookRow(tx, key, id);
  if (row === undefined) return null;
  const ping = await tx
    .insertInto('webhook_deliveries')
    .values({
      ...{ webhook_id: row.id, event: 'ping', epoch: null, after_seq: 0, end_seq: 0, created_at: new Date(now) },
      // Until its outcome is recorded; nothing else waits for it.
      ...{ state: 'given up', failure: 'timeout' },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ secrets: Buffer[] }>`
    select ${signingSecrets(now)} as secrets from webhooks w where w.id = ${row.id}`.execute(tx);
  return { delivery: ping.id, webhook: row.id, id: messageId(ping), url: row.url, secrets: rows[0]?.secrets ?? [] };
}

/**
 * Records, in a transaction, what came of a test; one that arrived verifies the address that it was sent to, and starts
 * the webhook again. `null` = the webhook was deleted meanwhile.
 */
export async function recordPing(
  tx: Kysely<Schema>,
  { delivery, webhook, url }: Pick<PingTarget, 'delivery' | 'webhook' | 'url'>,
  outcome: { readonly httpStatus: number | null; readonly failure: DeliveryFailure | null; readonly now: number },
): Promise<WebhookDelivery | null> {
  const { httpStatus, failure, now } = outcome;
  const row = await tx
    .updateTable('webhook_deliveries')
    .set({
      ...{ state: failure === null ? 'delivered' : 'given up', tries: 1, http_status: httpStatus, failure },
      tried_at: new Date(now),
    })
    .where('id', '=', delivery)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  if (failure === null)
    await tx
      .updateTable('webhooks')
      .set({ verified_at: sql<Date>`coalesce(verified_at, ${instant(now)})`, stopped_at: null, stop_reason: null })
      .where('id', '=', webhook)
      .where('url', '=', url)
      .execute();
  return deliveryOf(row);
}
