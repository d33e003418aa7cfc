/** How long rows are kept. Daily prices and current facts stay forever. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../connection/schema.ts';

/** Single price changes are kept for two years, beside the daily prices made from them. */
const OBSERVATIONS_DAYS = 730;
const RUNS_DAYS = 400;
/** Which prices were trusted: as far back as alerts are simulated, plus the period that those alerts compare with. */
const TRUSTED_SOURCES_DAYS = 125;
/** What was sent, so that the operator can see what a subscriber received. */
const ALERTS_DAYS = 30;

/** Removes expired rows, a bounded number per statement; returns how many it removed. */
export async function pruneHistory(db: Kysely<Schema>, now: number): Promise<number> {
  const before = (days: number) => new Date(now - days * 86_400_000);
  // The latest row before that time stays, however old: it says what held when the kept ones begin.
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
  const reliance = sql`
    delete from daily_reliance where ctid = any (array(
      select ctid from daily_reliance where day < ${before(TRUSTED_SOURCES_DAYS)}::date limit 50000))`;
  const alerts = sql`
    delete from alert_deliveries where ctid = any (array(
      select d.ctid from alert_deliveries d join alerts a on a.id = d.alert_id
      where a.at < ${before(ALERTS_DAYS)} limit 50000))`;
  const sentAlerts = sql`delete from alerts where id in (select id from alerts where at < ${before(ALERTS_DAYS)} limit 50000)`;
  let removed = 0;
  for (const statement of [observations, runs, reliance, alerts, sentAlerts]) {
    for (;;) {
      const gone = Number((await statement.execute(db)).numAffectedRows ?? 0n);
      removed += gone;
      if (gone < 50_000) break;
    }
  }
  return removed;
}
