/** What a key has used, as its owner is told. */

import type { Queryable } from '../connection/database-connection.ts';

/** Whoever asks has waited for the verification and the pace of the key before. */
const LIMIT = { withinMs: 500 };
/** Days of the daily counts, today included. */
const REPORTED_DAYS = 30;

export type KeyReport = {
  /** Requests of this calendar month in UTC. */
  readonly month: number;
  readonly total: number;
  /** Epoch ms; `null` = never. */
  readonly lastUsed: number | null;
  /** The last days in UTC, `YYYY-MM-DD`, oldest first, quiet ones included. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
};

const READ_REPORT = {
  name: 'pompa-key-report',
  // Days of a clock that was set back lie ahead: they are told under today.
  text: `with m as (
    select (t at time zone 'UTC')::date as today,
      (extract(year from t at time zone 'UTC') * 12 + extract(month from t at time zone 'UTC'))::int as month
    from (select clock_timestamp() as t) as clock)
  select case when u.month >= m.month then u.used else 0 end as month, u.total, u.last_used as "lastUsed",
    greatest(m.today - u.day, 0) as quiet, u.days, to_char(m.today, 'YYYY-MM-DD') as today
  from key_usage u, m where u.key_id = $1`,
};

type KeyReportRow = {
  month: number;
  total: number;
  lastUsed: number | null;
  quiet: number;
  days: number[];
  today: string;
};

/** Reads it by the database's clock; `null` = there is no such key. */
export async function readKeyReport(database: Queryable, key: number): Promise<KeyReport | null> {
  const [row] = await database.query<KeyReportRow>({ ...READ_REPORT, values: [key] }, LIMIT);
  if (row === undefined) return null;
  const { month, total, lastUsed, quiet, today } = row;
  const counts = [...row.days, ...Array<number>(Math.min(quiet, REPORTED_DAYS)).fill(0)].slice(-REPORTED_DAYS);
  const last = Date.parse(today);
  const dayBefore = (days: number) => new Date(last - days * 86_400_000).toISOString().slice(0, 10);
  const days = counts.map((count, index) => ({ day: dayBefore(REPORTED_DAYS - 1 - index), count }));
  return { month, total, lastUsed, days };
}
