/**
 * Looks through the feed for what is to be posted next. The feed of changes is the queue: each webhook has a place in
 * it, and its next delivery tells all that was told after that place. One statement looks at few webhooks and goes
 * through a bounded number of changes, so that it locks no row for long: a backlog takes several, and those that are
 * nearly up to date come first.
 */
import { type Kysely, sql } from 'kysely';
import { FEED_CHANGES, FEED_DAYS } from '../../domain/changes/feed-reach.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { isSending } from './webhook-rows.ts';

/** Webhooks that one statement looks at. */
const LOOKED_AT = 200;
/** Changes that it goes through, and those of them for one webhook, whose last look may exceed the former. */
const SCANNED = 50_000;
export const SCANNED_FOR_ONE = 10_000;
/** From one delivery that arrived to the next: what is told meanwhile comes with that one. */
const PACE_MS = 10_000;
/** The receiver needs some time to read the feed from where a delivery says. */
const REACH_MS = FEED_DAYS * 86_400_000 - 3_600_000;

/** Of a change `c`: whether the filter and kinds of a webhook `w` admit it. */
export const ADMITTED = sql<boolean>`
  (w.fuel is null or c.fuel = w.fuel) and (w.county is null or c.county = w.county)
  and (w.city is null or c.city = w.city) and (w.network is null or c.network = w.network)
  and (w.stations is null or c.station_id = any (w.stations)) and c.kind = any (w.kinds)`;

/** Whether `feed` still has all that came after a place. */
export const isReached = (place: ReturnType<typeof sql>) => sql<boolean>`
  ${place} >= feed.seq - ${FEED_CHANGES} and (${place} >= feed.seq or exists (
    select from served_changes next where next.seq = ${place} + 1
      and next.told_at >= feed.told_at - ${REACH_MS} * interval '1 millisecond'))`;

/**
 * Stores the next delivery of webhooks that have none waiting: the admitted changes after their place, or that the feed
 * began anew, or no longer reaches back to it. Moves the place past changes of which none is admitted. Returns how many
 * webhooks it looked at; `closed` are keys that nothing is sent for.
 */
export async function findDeliveries(db: Kysely<Schema>, now: number, closed: readonly number[]): Promise<number> {
  // A row that is locked, or has a delivery meanwhile, waits for the next time.
  const { rows } = await sql<{ looked: number }>`
    with behind as (
      select w.id, sum(least(greatest(feed.seq - coalesce(w.scanned, w.position), 0), ${SCANNED_FOR_ONE}))
        over (order by w.position desc, w.id rows between unbounded preceding and 1 preceding) as earlier
      from webhooks w, change_feed feed
      where ${isSending(closed)} and ${IS_BEHIND} and (w.sent_at is null or w.sent_at <= ${instant(now - PACE_MS)})
        and not exists (select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting')
      order by w.position desc, w.id limit ${LOOKED_AT}),
    looked as (
      select w.*, feed.epoch as feed_epoch, feed.seq as head, feed.told_at as feed_told_at,
        w.epoch is null as is_new,
        w.epoch is not null and not (w.epoch = feed.epoch and ${isReached(sql`w.position`)}) as is_restart,
        coalesce(w.scanned, w.position) as begins,
        least(feed.seq, coalesce(w.scanned, w.position) + ${SCANNED_FOR_ONE}) as ends
      from webhooks w join behind on behind.id = w.id, change_feed feed
      where coalesce(behind.earlier, 0) < ${SCANNED} and ${isSending(closed)} and ${IS_BEHIND}
      for no key update of w skip locked),
    counted as (
      select w.*, case when w.is_new or w.is_restart then 0 else w.found + (
        select count(*)::int from served_changes c where c.seq > w.begins and c.seq <= w.ends and ${ADMITTED}) end as total
      from looked w),
    stored as (
      insert into webhook_deliveries
        (webhook_id, event, epoch, after_seq, end_seq, revision, total, told_at, state, created_at, due_at)
      select id, case when is_restart then 'restart' else 'changes' end, feed_epoch, position, head, revision, total,
        coalesce((select told_at from served_changes where seq = head), feed_told_at), 'waiting',
        ${instant(now)}, ${instant(now)}
      from counted where is_restart or (total > 0 and ends = head)
      on conflict (webhook_id) where state = 'waiting' do nothing),
    moved as (
      update webhooks w set
        epoch = case when is_restart then w.epoch else feed_epoch end,
        position = case when is_new then head when is_restart or total > 0 then w.position else ends end,
        scanned = case when total > 0 and ends < head then ends end,
        found = case when ends < head then total else 0 end
      from counted where w.id = counted.id)
    select count(*)::int as looked from looked`.execute(db);
  return rows[0]?.looked ?? 0;
}

/** Of a webhook `w`: whether `feed` has more for it. */
const IS_BEHIND = sql<boolean>`
  feed.epoch is not null and (w.epoch is distinct from feed.epoch or w.position < feed.seq)`;
