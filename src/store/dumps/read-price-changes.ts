/** The changes of prices that sources told, in the order in which they were seen. */
import { type Kysely, sql } from 'kysely';
import { FUELS, type Fuel, type MilliPrice } from '../../domain/fuel.ts';
import type { PriceChange } from '../../domain/prices/price-change.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import type { Schema } from '../connection/schema.ts';
import { OBSERVATIONS_DAYS } from '../maintenance/prune-history.ts';

type Row = Omit<PriceChange, 'fuel'> & { readonly fuel: number; readonly before: MilliPrice | null };

/**
 * The changes of these sources from one instant to before another, epoch ms. A row that is missing has no price, so a
 * price that vanishes and comes back is two changes.
 */
export async function* readPriceChanges(
  tx: Kysely<Schema>,
  { from, to, sources }: { readonly from: number; readonly to: number; readonly sources: readonly string[] },
): AsyncGenerator<PriceChange[], void, void> {
  const query = sql<Row>`
    select * from (
      select told.seen_at as at, told.station_id as station, told.fuel, told.source, earlier.price as before,
        case when not told.missing then told.price end as after, earlier.known is null as "isFirst",
        told.observed_day as "observedDay", told.id
      from observations told
      left join lateral (
        select case when not e.missing then e.price end as price, true as known
        from observations e
        where e.station_id = told.station_id and e.fuel = told.fuel and e.source = told.source
          and e.seen_at <= told.seen_at and (e.seen_at, e.id) < (told.seen_at, told.id)
        order by e.seen_at desc, e.id desc limit 1) earlier on true
      where told.seen_at >= ${new Date(from)} and told.seen_at < ${new Date(to)}
        and told.source = any(${[...sources]}::text[])) change
    where before is distinct from after
    order by at, station, fuel, source, id`;
  for await (const rows of fetchBatches(tx, query))
    yield rows.map(({ at, station, fuel, source, before, after, isFirst, observedDay }) => ({
      ...{ at, station, fuel: FUELS[fuel] as Fuel, source, before, after, isFirst, observedDay },
    }));
}

/**
 * When the first change was seen, epoch ms; where older ones are deleted, when the first was seen of which all later
 * ones are kept. `null` = there is none.
 */
export async function firstKeptChange(
  tx: Kysely<Schema>,
  now: number,
): Promise<{ readonly at: number; readonly isPruned: boolean } | null> {
  const kept = now - OBSERVATIONS_DAYS * 86_400_000;
  const { rows } = await sql<{ at: number | null }>`select min(seen_at) as at from observations`.execute(tx);
  const first = rows[0]?.at ?? null;
  return first === null ? null : { at: Math.max(first, kept), isPruned: first < kept };
}
