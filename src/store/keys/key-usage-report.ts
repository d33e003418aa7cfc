/** The usage of a key, for its owner. */

import type { Kysely } from 'kysely';
import type { Queryable } from '../connection/database-connection.ts';
import { runRaw } from '../connection/raw-statement.ts';
import type { Schema } from '../connection/schema.ts';

/** Short, because the request has already waited for the verification and the limits of its key. */
const REPORT_TIMEOUT = { withinMs: 500 };
/** Days of the daily counts, today included. */
const REPORTED_DAYS = 30;

export type KeyReport = {
  /** Requests of this calendar month in UTC. */
  readonly month: number;
  readonly total: number;
  /** Epoch ms; `null` = never. */
  readonly lastUsed: number | null;
  /** The last days in UTC, `YYYY-MM-DD`, oldest first, days without requests included. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
};

const READ_REPORT = {
  name: 'pompa-key-report',
  // After the clock was set back, the counts of days in the future appear under today.
  text: `with moment as (
    select (t at time zone 'UTC')::date as today,
      (extract(year from t at time zone 'UTC') * 12 + extract(month from t at time zone 'UTC'))::int as month
    from (select clock_timestamp() as t) as clock)
  select case when u.month >= moment.month then u.used else 0 end as month, u.total, u.last_used as "lastUsed",
    greatest(moment.today - u.day, 0) as "idleDays", u.days, to_char(moment.today, 'YYYY-MM-DD') as today
  from key_usage u, moment where u.key_id = $1`,
};

type KeyReportRow = {
  month: number;
  total: number;
  lastUsed: number | null;
  idleDays: number;
  days: number[];
  today: string;
};

/** Reads the usage by the database's clock; `null` = there is no such key. */
export async function readKeyReport(database: Queryable, key: number): Promise<KeyReport | null> {
  const [row] = await database.query<KeyReportRow>({ ...READ_REPORT, values: [key] }, REPORT_TIMEOUT);
  return row === undefined ? null : reportOf(row);
}

/** The same within a transaction. */
export async function readKeyReportIn(tx: Kysely<Schema>, key: number): Promise<KeyReport | null> {
  const [row] = await runRaw<KeyReportRow>(tx, READ_REPORT.text, [key]);
  return row === undefined ? null : reportOf(row);
}

function reportOf(row: KeyReportRow): KeyReport {
  const { month, total, lastUsed, idleDays, today } = row;
  const counts = [...row.days, ...Array<number>(Math.min(idleDays, REPORTED_DAYS)).fill(0)].slice(-REPORTED_DAYS);
  const last = Date.parse(today);
  const dayBefore = (days: number) => new Date(last - days * 86_400_000).toISOString().slice(0, 10);
  const days = counts.map((count, index) => ({ day: dayBefore(REPORTED_DAYS - 1 - index), count }));
  return { month, total, lastUsed, days };
}
