/** Deletes expired counters, a bounded number of rows per statement. Rule 43: hashed addresses go after 7 days. */
import type pg from 'pg';
import { WEEKLY_CAP_MS } from '../../domain/access/request-limits.ts';
import { MINUTE_WINDOW_HOURS } from '../../domain/access/retention.ts';

const BATCH_ROWS = 20_000;
const CAP = `interval '${WEEKLY_CAP_MS} milliseconds'`;

/**
 * `skip locked` leaves rows that a request is changing. The sub-select reads the clock once, so that the condition can
 * use an index.
 */
const DELETE_EXPIRED = [
  `delete from weekly_caps where ctid = any (array(
    select ctid from weekly_caps where accepted_at < (select clock_timestamp()) - ${CAP}
    limit ${BATCH_ROWS} for update skip locked))`,
  `with moment as materialized (select extract(epoch from clock_timestamp()) * 1000 as now)
  delete from minute_windows where ctid = any (array(
    select ctid from minute_windows
    where recent = '{}' or abs((select now from moment) - recent[cardinality(recent)]) > ${MINUTE_WINDOW_HOURS * 3_600_000}
    limit ${BATCH_ROWS} for update skip locked))`,
];

/** After a clock was set back, acceptances in the future would be kept too long. */
const RESET_FUTURE_CAPS = `update weekly_caps set accepted_at = date_trunc('milliseconds', clock_timestamp())
  where ctid = any (array(select ctid from weekly_caps
    where accepted_at > (select clock_timestamp()) limit ${BATCH_ROWS} for update skip locked))`;

/** Deletes expired rows; returns their number. */
export async function pruneLimits(database: Pick<pg.Pool, 'query'>): Promise<number> {
  await database.query(RESET_FUTURE_CAPS);
  let removed = 0;
  for (const text of DELETE_EXPIRED) {
    for (;;) {
      const deleted = (await database.query(text)).rowCount ?? 0;
      removed += deleted;
      if (deleted < BATCH_ROWS) break;
    }
  }
  return removed;
}
