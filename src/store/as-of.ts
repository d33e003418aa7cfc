/** What was known at an earlier moment, rebuilt from the observations: for runs dated in the past. */
import { type Kysely, sql } from 'kysely';
import type { KnownPrice } from '../domain/collection.ts';
import { FUELS } from '../domain/fuel.ts';
import { asKnown } from './observations.ts';
import { instant, type Schema } from './schema.ts';

type PastRow = Parameters<typeof asKnown>[0];

/**
 * The facts of one source as of `at`. The price, since when, and whether it had vanished are exact; the day of the
 * last observation is the one of the last change (a report that repeats a price leaves no row of its own).
 */
export async function loadKnownAsOf(db: Kysely<Schema>, source: string, at: number): Promise<KnownPrice[]> {
  const { rows } = await pastRows(db, source, at);
  return rows.map(asKnown);
}

/** Sets "since when" of current facts anew after older observations came in. */
export async function refreshSince(
  db: Kysely<Schema>,
  source: string,
  touched: readonly Pick<KnownPrice, 'station' | 'fuel'>[],
): Promise<void> {
  const { rows } = await pastRows(db, source, 8.64e15);
  const keys = new Set(touched.map(({ station, fuel }) => `${station} ${FUELS.indexOf(fuel)}`));
  const changed = rows
    .filter(({ station_id, fuel }) => keys.has(`${station_id} ${fuel}`))
    .map(({ station_id, fuel, since_day, changed }) => ({ station_id, fuel, since_day, changed }));
  await sql`
    update price_facts set since_day = row.since_day, changed = row.changed
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      as row (station_id text, fuel smallint, since_day date, changed boolean)
    where price_facts.station_id = row.station_id and price_facts.fuel = row.fuel
      and price_facts.source = ${source}`.execute(db);
}

/** Latest run that delivered within 24 hours before `at`, by unit: the units a run failed to read are left out. */
export async function readTimesAsOf(
  db: Kysely<Schema>,
  source: string,
  at: number,
): Promise<(unit: string) => number | null> {
  const runs = await db
    .selectFrom('runs')
    .select(['at', 'failed_units'])
    .where('source', '=', source)
    .where('outcome', '=', 'delivered')
    .where('at', '<=', instant(at))
    .where('at', '>=', instant(at - 90_000_000))
    .orderBy('at', 'desc')
    .execute();
  const reads = runs.map((run) => ({ at: run.at, failed: new Set(run.failed_units) }));
  return (unit) => reads.find(({ failed }) => !failed.has(unit))?.at ?? null;
}

function pastRows(db: Kysely<Schema>, source: string, at: number) {
  const until = at >= 8.64e15 ? sql`'infinity'::timestamptz` : sql`${new Date(at)}::timestamptz`;
  return sql<PastRow>`
    select fact.station_id, fact.fuel, fact.source, fact.unit, last.price, last.observed_day, last.observed_at,
      last.observed_text, coalesce(since.observed_day, (since.seen_at at time zone 'Europe/Bucharest')::date) as since_day,
      other.price is not null as changed, case when last.missing then last.seen_at end as missing_since
    from price_facts fact
    cross join lateral (
      select * from observations o
      where o.station_id = fact.station_id and o.fuel = fact.fuel and o.source = fact.source and o.seen_at <= ${until}
      order by o.seen_at desc, o.id desc limit 1) last
    left join lateral (
      select o.price, o.seen_at from observations o
      where o.station_id = fact.station_id and o.fuel = fact.fuel and o.source = fact.source and o.seen_at <= ${until}
        and o.price is distinct from last.price
      order by o.seen_at desc, o.id desc limit 1) other on true
    cross join lateral (
      select o.observed_day, o.seen_at from observations o
      where o.station_id = fact.station_id and o.fuel = fact.fuel and o.source = fact.source and o.seen_at <= ${until}
        and (other.seen_at is null or o.seen_at > other.seen_at)
      order by o.seen_at, o.id limit 1) since
    where fact.source = ${source}`.execute(db);
}
