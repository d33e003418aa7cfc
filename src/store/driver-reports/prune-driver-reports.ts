/** Removes expired data of drivers' reports. */
import type pg from 'pg';
import { DRIVER_REPORT_DAYS, REPORT_CLIENT_HOURS } from '../../domain/access/retention.ts';

const DELETE_EXPIRED = [
  `update driver_reports set client = null, network = null
    where client is not null and created_at < clock_timestamp() - interval '${REPORT_CLIENT_HOURS} hours'`,
  `delete from driver_reports
    where coalesce(decided_at, created_at) < clock_timestamp() - interval '${DRIVER_REPORT_DAYS} days'`,
];

/** Removes old addresses and old reports; returns how many rows it changed. */
export async function pruneDriverReports(database: Pick<pg.Pool, 'query'>): Promise<number> {
  let touched = 0;
  for (const text of DELETE_EXPIRED) touched += (await database.query(text)).rowCount ?? 0;
  return touched;
}
