/** How the feed of changes and webhooks stand, for `doctor`. Instants are epoch ms by the database's clock. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';
import { closedKeys } from './closed-keys.ts';
import { isSending } from './webhook-rows.ts';

export type WebhookStatus = {
  readonly feed: {
    /** Number of the last change. */
    readonly seq: number;
    /** When the last state was told; `null` = none was. */
    readonly toldAt: number | null;
    /** Since when what is served differs from what is told; `null` = it does not. */
    readonly behindSince: number | null;
  };
  /** Webhooks that are sent changes, those that their holders paused, those that we stopped, and those not verified. */
  readonly sending: number;
  readonly paused: number;
  readonly stopped: number;
  readonly unverified: number;
  /** Of those that are sending: deliveries that failed and are tried again, and since when the oldest is tried. */
  readonly failing: number;
  readonly oldestFailingAt: number | null;
  /** Since when the one that waits longest could have been tried first, or been queued; `null` = none waits. */
  readonly lateSince: number | null;
  readonly now: number;
};

/** Reads it. */
export async function readWebhookStatus(db: Kysely<Schema>): Promise<WebhookStatus> {
  const closed = await closedKeys(db, Date.now());
  type Row = Omit<WebhookStatus, 'feed'> & WebhookStatus['feed'];
  const { rows } = await sql<Row>`
    with sending as materialized (select w.id, w.epoch, w.position from webhooks w where ${isSending(closed)}),
    waiting as materialized (
      select d.* from webhook_deliveries d join sending on sending.id = d.webhook_id where d.state = 'waiting')
    select feed.seq, feed.told_at as "toldAt",
      case when publication.version > feed.version then publication.published_at
        when feed.until < clock_timestamp() then feed.until end as "behindSince",
      (select count(*) from sending)::int as sending,
      (select count(*) from webhooks where stopped_at is null and paused_at is not null)::int as paused,
      (select count(*) from webhooks where stopped_at is not null)::int as stopped,
      (select count(*) from webhooks where verified_at is null and stopped_at is null and paused_at is null)::int as unverified,
      (select count(*) from waiting where tries > 0)::int as failing,
      (select min(created_at) from waiting where tries > 0) as "oldestFailingAt",
      least(
        (select min(due_at) from waiting where tries = 0),
        (select min(greatest(next.told_at, (
            select max(coalesce(d.tried_at, d.created_at)) from webhook_deliveries d where d.webhook_id = sending.id)))
          from sending
          cross join lateral (
            select told_at from served_changes c where c.seq > sending.position order by c.seq limit 1) next
          where sending.epoch = feed.epoch and sending.position < feed.seq
            and not exists (select from waiting where waiting.webhook_id = sending.id))) as "lateSince",
      clock_timestamp() as now
    from change_feed feed cross join publication`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the row of the change feed is missing');
  const { seq, toldAt, behindSince, ...webhooks } = row;
  return { feed: { seq, toldAt, behindSince }, ...webhooks };
}
