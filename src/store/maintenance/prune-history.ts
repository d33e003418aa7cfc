/**
 * Deletes expired history and alerts. Daily prices and current facts stay forever; other tables are pruned next to
 * their queries (`prune-*.ts`).
 */
import { type Kysely, sql } from 'kysely';
import { ALERTS_DAYS, WEBHOOK_DELIVERIES_DAYS } from '../../domain/access/retention.ts';
import type { Schema } from '../connection/schema.ts';

/** Single price changes are kept for two years, in addition to the daily prices made from them. */
export const OBSERVATIONS_DAYS = 730;
const RUNS_DAYS = 400;
/**
 * Served changes: longer than the feed gives them, so that a month, and the one before it, are still whole when the
 * files of open data are made.
 */
export const CHANGES_DAYS = 100;
/** The source of each trusted price: as far back as alerts are simulated, plus the period that those compare with. */
const DAILY_TRUSTED_SOURCES_DAYS = 125;

/** Deletes expired rows, a bounded number per statement; returns their number. */
export async function pruneHistoryAndAlerts(db: Kysely<Schema>, now: number): Promise<number> {
  const before = (days: number) => new Date(now - days * 86_400_000);
  // The latest row before that time stays, however old: it holds the price with which the kept rows begin.
  const observations = sql`
    delete from observations where id in (
      select o.id from observations o
      where o.seen_at < ${before(OBSERVATIONS_DAYS)} and exists (
        select 1 from observations later
        where later.station_id = o.station_id and later.fuel = o.fuel and later.source = o.source
          and later.seen_at > o.seen_at and later.seen_at < ${before(OBSERVATIONS_DAYS)})
      limit 50000)`;
  const runs = sql`
    delete from runs where id in (select id from runs where at < ${before(RUNS_DAYS)} limit 50000)`;
  const dailyTrustedSources = sql`
    delete from daily_reliance where ctid = any (array(
      select ctid from daily_reliance where day < ${before(DAILY_TRUSTED_SOURCES_DAYS)}::date limit 50000))`;
  const deliveries = sql`
    delete from alert_deliveries where ctid = any (array(
      select d.ctid from alert_deliveries d join alerts a on a.id = d.alert_id
      where a.at < ${before(ALERTS_DAYS)} limit 50000))`;
  const alerts = sql`delete from alerts where id in (select id from alerts where at < ${before(ALERTS_DAYS)} limit 50000)`;
  const changes = sql`
    delete from served_changes where seq in (
      select seq from served_changes where told_at < ${before(CHANGES_DAYS)} order by seq limit 50000)`;
  // The last state stays, however old: the next one is compared with it.
  const states = sql`
    delete from served_states where number in (
      select number from served_states where told_at < ${before(CHANGES_DAYS)}
        and number < (select states from change_feed) limit 50000)`;
  const webhooks = sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries
      where created_at < ${before(WEBHOOK_DELIVERIES_DAYS)} and state <> 'waiting' limit 50000)`;
  const oldSecrets = sql`
    delete from webhook_old_secrets where ctid = any (array(
      select ctid from webhook_old_secrets where until < ${new Date(now)} limit 50000))`;
  let removed = 0;
  for (const statement of [
    observations,
    runs,
    dailyTrustedSources,
    deliveries,
    alerts,
    webhooks,
    oldSecrets,
    changes,
    states,
  ]) {
    for (;;) {
      const deleted = Number((await statement.execute(db)).numAffectedRows ?? 0n);
      removed += deleted;
      if (deleted < 50_000) break;
    }
  }
  return removed;
}
