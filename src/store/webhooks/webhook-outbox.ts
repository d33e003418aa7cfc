/**
 * What is posted to webhooks. A delivery is stored before it is tried first, so that every try of it, by any process,
 * says the same under the same id. The place of its webhook moves only with a delivery that arrived, in the same
 * statement. What is recorded of a try locks the webhook first, as all that changes webhooks, and counts only while the
 * address is the one that answered. Times are by the caller's clock, epoch ms.
 */
import { type Kysely, sql } from 'kysely';
import {
  type DeliveryFailure,
  MAX_CHANGES_SENT,
  type StopReason,
  type WebhookDelivery,
} from '../../domain/webhooks/webhook.ts';
import type { ToldChange } from '../changes/read-feed.ts';
import { toToldChange } from '../changes/read-feed.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { ADMITTED, isReached, SCANNED_FOR_ONE } from './find-deliveries.ts';
import {
  type DeliveryRow,
  deliveryOf,
  isSending,
  messageId,
  signingSecrets,
  type WebhookRow,
  webhookRow,
} from './webhook-rows.ts';

/** Everything that one try needs. */
export type Delivery = {
  readonly delivery: number;
  readonly webhook: number;
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
  readonly total: number;
  /** When the last of them was told. */
  readonly toldAt: number;
  /** `null` = they are too many, or too far apart, to be sent themselves. */
  readonly changes: readonly ToldChange[] | null;
  /** Since when it is tried. */
  readonly createdAt: number;
  /** Number of earlier tries. */
  readonly tries: number;
};

/**
 * Reads a delivery when it is to be sent. `null` = nothing is to be sent: it ended, or its webhook was changed, or the
 * feed no longer has what it tells, of which the receiver will be told instead.
 */
export async function loadDelivery(
  db: Kysely<Schema>,
  delivery: number,
  now: number,
  closed: readonly number[],
): Promise<Delivery | null> {
  type Row = DeliveryRow & Pick<WebhookRow, 'url'> & { secrets: Buffer[]; reached: boolean };
  const { rows } = await sql<Row>`
    select d.*, w.url, ${signingSecrets(now)} as secrets,
      d.epoch = feed.epoch and (d.event = 'restart' or (${isReached(sql`d.after_seq`)})) as reached
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id, change_feed feed
    where d.id = ${delivery} and d.state = 'waiting' and d.revision = w.revision and ${isSending(closed)}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const isWhole = row.total <= MAX_CHANGES_SENT && row.end_seq - row.after_seq <= SCANNED_FOR_ONE;
  const changes = isWhole && row.event === 'changes' ? await changesOf(db, row) : null;
  if (!row.reached || (changes !== null && changes.length !== row.total)) {
    await drop(db, row);
    return null;
  }
  return {
    ...{ delivery, webhook: row.webhook_id, id: messageId(row), event: row.event, url: row.url },
    ...{ secrets: row.secrets, epoch: row.epoch ?? '', after: row.after_seq, end: row.end_seq },
    ...{ total: row.total, toldAt: row.told_at ?? row.created_at, changes, createdAt: row.created_at },
    tries: row.tries,
  };
}

async function changesOf(
  db: Kysely<Schema>,
  { webhook_id, revision, after_seq, end_seq }: DeliveryRow,
): Promise<ToldChange[]> {
  const { rows } = await sql<Parameters<typeof toToldChange>[0]>`
    select c.* from served_changes c, webhooks w
    where w.id = ${webhook_id} and w.revision = ${revision} and c.seq > ${after_seq} and c.seq <= ${end_seq}
      and ${ADMITTED}
    order by c.seq limit ${MAX_CHANGES_SENT + 1}`.execute(db);
  return rows.map(toToldChange);
}

/** A delivery that waits: its webhook is looked at again. That of a changed webhook is gone already. */
async function drop(db: Kysely<Schema>, { id }: DeliveryRow): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('id', '=', id).where('state', '=', 'waiting').execute();
}

/** A delivery that was tried, and the address that answered. */
type Tried = Pick<Delivery, 'delivery' | 'webhook' | 'url' | 'createdAt'>;

/** `isSlow`: it took the address long to answer. */
export type Arrival = { readonly httpStatus: number; readonly isSlow: boolean; readonly now: number };

/** Records a delivery that arrived, and moves the webhook behind it. A replay begun meanwhile stays where it is. */
export async function recordArrival(
  db: Kysely<Schema>,
  tried: Tried,
  { httpStatus, isSlow, now }: Arrival,
): Promise<void> {
  await sql`
    with ${hookOf(tried)}, done as (
      update webhook_deliveries d
      set state = 'delivered', tries = d.tries + 1, http_status = ${httpStatus}, failure = null,
        tried_at = ${instant(now)}, due_at = null
      from hook where d.id = ${tried.delivery} and d.webhook_id = hook.id and d.state = 'waiting'
      returning d.webhook_id, d.epoch, d.end_seq)
    update webhooks w
    set epoch = done.epoch, position = done.end_seq, scanned = null, found = 0, sent_at = ${instant(now)},
      slow_at = case when ${isSlow} then ${instant(now)} else w.slow_at end
    from done where w.id = done.webhook_id`.execute(db);
}

export type FailedTry = { readonly failure: DeliveryFailure; readonly httpStatus: number | null; readonly now: number };

/** Records a try that failed: the next one is at `dueAt`. Ignores one from before the tries began anew. */
export async function recordFailure(
  db: Kysely<Schema>,
  tried: Tried,
  { failure, httpStatus, now }: FailedTry,
  dueAt: number,
): Promise<void> {
  await sql`
    with ${hookOf(tried)}, failed as (
      update webhook_deliveries d
      set tries = d.tries + 1, failure = ${failure}, http_status = ${httpStatus}, tried_at = ${instant(now)},
        due_at = ${instant(dueAt)}
      from hook where d.id = ${tried.delivery} and d.webhook_id = hook.id and d.state = 'waiting'
        and d.created_at = ${instant(tried.createdAt)} returning d.webhook_id)
    update webhooks w set slow_at = ${instant(now)} from failed where w.id = failed.webhook_id`.execute(db);
}

/** Gives a delivery up, and stops its webhook, which keeps its place. */
export async function stopWebhook(
  db: Kysely<Schema>,
  tried: Tried,
  { failure, httpStatus, now }: FailedTry,
  reason: StopReason,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with ${hookOf(tried)}, ended as (
      update webhook_deliveries d
      set state = 'given up', tries = d.tries + 1, failure = ${failure}, http_status = ${httpStatus},
        tried_at = ${instant(now)}, due_at = null
      from hook where d.id = ${tried.delivery} and d.webhook_id = hook.id and d.state = 'waiting'
        and d.created_at = ${instant(tried.createdAt)} returning d.webhook_id)
    update webhooks w set stopped_at = ${instant(now)}, stop_reason = ${reason} from ended
    where w.id = ended.webhook_id`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** The webhook, locked, unless it has another address now. */
const hookOf = ({ webhook, url }: Tried) => sql`
  hook as (select id from webhooks where id = ${webhook} and url = ${url} for no key update)`;

/**
 * In a transaction that has locked the webhook: what waits after failed tries is tried at once, as if it were new.
 * Whether there is such a delivery.
 */
export async function tryAgain(tx: Kysely<Schema>, webhook: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ tries: 0, failure: null, http_status: null, created_at: new Date(now), due_at: new Date(now) })
    .where('webhook_id', '=', webhook)
    .where('state', '=', 'waiting')
    .where('tries', '>', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In a transaction that has locked the webhook: what waits, or is under way, does not move its place any more. */
export async function dropWaiting(tx: Kysely<Schema>, webhook: number): Promise<void> {
  await tx.deleteFrom('webhook_deliveries').where('webhook_id', '=', webhook).where('state', '=', 'waiting').execute();
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
      // As it is if this process ends before the outcome is recorded; nothing else waits for it.
      ...{ state: 'given up', tries: 1, tried_at: new Date(now), failure: 'timeout' },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ secrets: Buffer[] }>`
    select ${signingSecrets(now)} as secrets from webhooks w where w.id = ${row.id}`.execute(tx);
  return { delivery: ping.id, webhook: row.id, id: messageId(ping), url: row.url, secrets: rows[0]?.secrets ?? [] };
}

/**
 * Records, in a transaction, what came of a test; one that arrived verifies the address that it was sent to, and starts
 * the webhook again, and what waits at once. `null` = the webhook was deleted meanwhile.
 */
export async function recordPing(
  tx: Kysely<Schema>,
  { delivery, webhook, url }: Pick<PingTarget, 'delivery' | 'webhook' | 'url'>,
  outcome: { readonly httpStatus: number | null; readonly failure: DeliveryFailure | null; readonly now: number },
): Promise<WebhookDelivery | null> {
  const { httpStatus, failure, now } = outcome;
  const isVerified = failure === null && (await verify(tx, { webhook, url }, now));
  const row = await tx
    .updateTable('webhook_deliveries')
    .set({
      ...{ state: failure === null ? 'delivered' : 'given up', tries: 1, http_status: httpStatus, failure },
      tried_at: new Date(now),
    })
    .where('id', '=', delivery)
    .returningAll()
    .executeTakeFirst();
  if (isVerified) await tryAgain(tx, webhook, now);
  return row === undefined ? null : deliveryOf(row);
}

/** Whether the webhook still has the address that answered. */
async function verify(tx: Kysely<Schema>, { webhook, url }: Pick<PingTarget, 'webhook' | 'url'>, now: number) {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ verified_at: sql<Date>`coalesce(verified_at, ${instant(now)})`, stopped_at: null, stop_reason: null })
    .where('id', '=', webhook)
    .where('url', '=', url)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
