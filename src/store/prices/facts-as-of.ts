/** Rebuilds what was known at an earlier moment from the observations: for runs dated in the past. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { factKey, type KnownPrice } from '../../domain/prices/apply-collection.ts';
import { MAX_PRICE_AGE_MS } from '../../domain/prices/price-verdict.ts';
import { instant, type Schema } from '../connection/schema.ts';
import { toKnownPrice } from './observations.ts';

/** A run may have taken this long. */
const SLACK_MS = 3_600_000;

type KnownPriceRowAsOf = Parameters<typeof toKnownPrice>[0];
type PriceKey = Pick<KnownPrice, 'station' | 'fuel'>;

/**
 * The facts of one source as of `at`. The price, since when, and whether it had vanished are exact; the day of the
 * last observation is that of the last change (a report that repeats a price leaves no row).
 */
export async function loadKnownPricesAsOf(db: Kysely<Schema>, source: string, at: number): Promise<KnownPrice[]> {
  const { rows } = await priceRowsAsOf(db, source, at);
  return rows.map(toKnownPrice);
}

/** Updates current facts to agree with all their observations, after older observations were added. */
export async function recomputeKnownPrices(
  db: Kysely<Schema>,
  source: string,
  touched: readonly PriceKey[],
): Promise<void> {
  const { rows } = await priceRowsAsOf(db, source, null, touched);
  const instants = ({ observed_at, missing_since }: KnownPriceRowAsOf) => ({
    observed_at: observed_at === null ? null : new Date(observed_at),
    missing_since: missing_since === null ? null : new Date(missing_since),
  });
  const recomputed = JSON.stringify(rows.map((row) => ({ ...row, ...instants(row) })));
  // The fact itself has the more exact day of the last observation, as long as it has the same price.
  const own = (column: string) =>
    sql.raw(`${column} = case when fact.price is distinct from row.price then row.${column} else fact.${column} end`);
  await sql`
    update price_facts fact set price = row.price, since_day = row.since_day, changed = row.changed,
      missing_since = row.missing_since, ${own('observed_day')}, ${own('observed_at')}, ${own('observed_text')}
    from jsonb_to_recordset(${recomputed}::jsonb) as row (station_id text, fuel smallint, price int, since_day date,
      changed boolean, missing_since timestamptz, observed_day date, observed_at timestamptz, observed_text text)
    where fact.station_id = row.station_id and fact.fuel = row.fuel and fact.source = ${source}`.execute(db);
}

/** When each of these prices was first observed again after a moment, epoch ms; absent if it never was. */
export async function nextObservations(
  db: Kysely<Schema>,
  source: string,
  keys: readonly PriceKey[],
  at: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ station_id: string; fuel: number; seen_at: number }>`
    select wanted.station_id, wanted.fuel, min(o.seen_at) as seen_at
    from ${unnestKeys(keys)} join observations o
      on o.station_id = wanted.station_id and o.fuel = wanted.fuel and o.source = ${source}
      and o.seen_at > ${instant(at)}
    group by 1, 2`.execute(db);
  return new Map(rows.map((row) => [factKey(row.station_id, FUELS[row.fuel] as Fuel), row.seen_at]));
}

/**
 * The latest run that delivered before `at`, by unit, leaving out units that the run failed to read. Runs after which
 * every price has expired are left out, with an hour to spare for a run that took long.
 */
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
    .where('at', '>=', instant(at - MAX_PRICE_AGE_MS - SLACK_MS))
    .orderBy('at', 'desc')
    .execute();
  const reads = runs.map((run) => ({ at: run.at, failed: new Set(run.failed_units) }));
  return (unit) => reads.find(({ failed }) => !failed.has(unit))?.at ?? null;
}

function unnestKeys(keys: readonly PriceKey[]): RawBuilder<unknown> {
  const stations = keys.map(({ station }) => station);
  const fuels = keys.map(({ fuel }) => FUELS.indexOf(fuel));
  return sql`unnest(${stations}::text[], ${fuels}::smallint[]) as wanted (station_id, fuel)`;
}

/**
 * As of `at` (`null` = of all observations). Of rows seen at the same instant, the last stored one counts; a "missing"
 * row says nothing about the price.
 */
function priceRowsAsOf(db: Kysely<Schema>, source: string, at: number | null, keys?: readonly PriceKey[]) {
  const until = at === null ? sql`'infinity'::timestamptz` : instant(at);
  const wanted =
    keys && sql`join ${unnestKeys(keys)} on wanted.station_id = fact.station_id and wanted.fuel = fact.fuel`;
  // A subquery per value: as an anti-join it would run over all rows of a price at once.
  const own = sql`o.station_id = fact.station_id and o.fuel = fact.fuel and o.source = fact.source
    and o.seen_at <= ${until} and o.id = (
      select max(redone.id) from observations redone
      where redone.station_id = o.station_id and redone.fuel = o.fuel and redone.source = o.source
        and redone.seen_at = o.seen_at)`;
  return sql<KnownPriceRowAsOf>`
    select fact.station_id, fact.fuel, fact.source, fact.unit, last.price, last.observed_day, last.observed_at,
      last.observed_text, coalesce(since.observed_day, (since.seen_at at time zone 'Europe/Bucharest')::date) as since_day,
      other.price is not null as changed, case when last.missing then last.seen_at else gone.seen_at end as missing_since
    from price_facts fact ${wanted ?? sql``}
    cross join lateral (
      select * from (
        (select * from observations o where ${own} and not o.missing order by o.seen_at desc limit 1)
        union all (select * from observations o where ${own} order by o.seen_at desc limit 1)) newest
      order by missing limit 1) last
    left join lateral (
      select o.seen_at from observations o where ${own} and o.seen_at > last.seen_at
      order by o.seen_at limit 1) gone on true
    left join lateral (
      select o.price, o.seen_at from observations o
      where ${own} and not o.missing and o.price is distinct from last.price
      order by o.seen_at desc limit 1) other on true
    cross join lateral (
      select o.observed_day, o.seen_at from observations o
      where ${own} and o.missing = last.missing and o.seen_at > coalesce(other.seen_at, '-infinity')
      order by o.seen_at limit 1) since
    where fact.source = ${source}`.execute(db);
}
