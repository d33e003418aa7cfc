/** What changed in what was served, month by month, for the files of open data. */
import { type Kysely, sql } from 'kysely';
import { type PublishedChange, PublishedChanges } from '../../domain/changes/published-change.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { type ChangeRow, toToldChange } from '../changes/read-feed.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import type { Schema } from '../connection/schema.ts';
import { CHANGES_DAYS } from '../maintenance/prune-history.ts';

const DAY_MS = 86_400_000;
/**
 * How long before a month its earlier prices are looked for, always the same, so that the files of a month are the same
 * bytes whenever they are made.
 */
const EARLIER_MS = 31 * DAY_MS;

/** The changes from one instant to before another, epoch ms, of what these sources told. */
export async function* readServedChanges(
  tx: Kysely<Schema>,
  { from, to, sources }: { readonly from: number; readonly to: number; readonly sources: readonly string[] },
): AsyncGenerator<PublishedChange[], void, void> {
  const published = new PublishedChanges(new Set(sources), await readOnlyAllowed(tx, sources));
  for (const earlier of await readEarlier(tx, from)) published.remember(earlier);
  const query = sql<ChangeRow>`
    select * from served_changes
    where told_at >= ${new Date(from)} and told_at < ${new Date(to)} and fuel is not null
    order by seq`;
  for await (const rows of fetchBatches(tx, query))
    yield rows.map((row) => published.next(toToldChange(row))).filter((change) => change !== null);
}

/** The last source of each price that was told before an instant. */
async function readEarlier(
  tx: Kysely<Schema>,
  from: number,
): Promise<{ readonly station: string; readonly fuel: Fuel; readonly source: string | null }[]> {
  const { rows } = await sql<{ station: string; fuel: number; source: string | null }>`
    select distinct on (station_id, fuel) station_id as station, fuel, source from served_changes
    where told_at >= ${new Date(from - EARLIER_MS)} and told_at < ${new Date(from)} and fuel is not null
    order by station_id, fuel, seq desc`.execute(tx);
  return rows.map(({ station, fuel, source }) => ({ station, fuel: FUELS[fuel] as Fuel, source }));
}

/**
 * Tells of which fuels at a station every source that had a price up to an instant is one of these. What comes later
 * changes nothing, so that the files of a month are the same bytes whenever they are made. Locators have no prices.
 */
async function readOnlyAllowed(
  tx: Kysely<Schema>,
  sources: readonly string[],
): Promise<(station: string, fuel: Fuel, at: number) => boolean> {
  const list = sql`${[...sources]}::text[]`;
  type Row = { station: string; fuel: number; allowed: number | null; withheld: number | null };
  const { rows } = await sql<Row>`
    select station_id as station, fuel, min(first_at) filter (where source = any(${list})) as allowed,
      min(first_at) filter (where source <> all(${list})) as withheld
    from (
      select station_id, fuel, source, coalesce(
        (select seen_at from observations o
          where o.station_id = f.station_id and o.fuel = f.fuel and o.source = f.source order by seen_at limit 1),
        to_timestamp(0)) as first_at
      from price_facts f where source not like 'locator:%') as known
    group by station_id, fuel`.execute(tx);
  const known = new Map(rows.map((row) => [`${row.station} ${FUELS[row.fuel]}`, row]));
  return (station, fuel, at) => {
    const { allowed = null, withheld = null } = known.get(`${station} ${fuel}`) ?? {};
    return allowed !== null && allowed <= at && (withheld === null || withheld > at);
  };
}

/**
 * From when on all changes are there, with those that came before them, epoch ms; `isPruned` if older ones are deleted.
 * `null` = there is none.
 */
export async function firstServedChange(
  tx: Kysely<Schema>,
  now: number,
): Promise<{ readonly at: number; readonly isPruned: boolean } | null> {
  const kept = now - CHANGES_DAYS * DAY_MS;
  const { rows } = await sql<{ at: number | null }>`select min(told_at) as at from served_changes`.execute(tx);
  const first = rows[0]?.at ?? null;
  if (first === null) return null;
  return first < kept ? { at: kept + EARLIER_MS, isPruned: true } : { at: first, isPruned: false };
}
