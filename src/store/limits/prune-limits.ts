/** Counters that no longer matter go, a bounded number of rows a statement. Rule 43: addresses are kept 7 days at most. */
import type pg from 'pg';

const BATCH_ROWS = 20_000;

/**
 * A row that a request takes at the same moment is its own: it is skipped, or looked at again once it is locked. A
 * moment that is read once can be looked for in an index.
 */
const DELETE_EXPIRED = [
  `delete from weekly_caps where ctid = any (array(
    select ctid from weekly_caps where accepted_at < (select clock_timestamp()) - interval '168 hours'
    limit ${BATCH_ROWS} for update skip locked))`,
  `with m as materialized (select extract(epoch from clock_timestamp()) * 1000 as now)
  delete from minute_windows where ctid = any (array(
    select ctid from minute_windows
    where recent = '{}' or abs((select now from m) - recent[cardinality(recent)]) > 3600000
    limit ${BATCH_ROWS} for update skip locked))`,
];

/** Of a clock that was set back: what lies ahead of it would be kept for too long. */
const RESET_FUTURE_CAPS = `update weekly_caps set accepted_at = date_trunc('milliseconds', clock_timestamp())
  where ctid = any (array(select ctid from weekly_caps
    where accepted_at > (select clock_timestamp()) limit ${BATCH_ROWS} for update skip locked))`;

/** Removes what ended; returns how many rows went. */
export async function pruneLimits(database: Pick<pg.Pool, 'query'>): Promise<number> {
  await database.query(RESET_FUTURE_CAPS);
  let removed = 0;
  for (const text of DELETE_EXPIRED) {
    for (;;) {
      const gone = (await database.query(text)).rowCount ?? 0;
      removed += gone;
      if (gone < BATCH_ROWS) break;
    }
  }
  return removed;
}
