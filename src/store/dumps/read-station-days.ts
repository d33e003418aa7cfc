/** The stored prices of past days, with what is known of their sources. */
import { type Kysely, sql } from 'kysely';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { FUELS, type Fuel, type MilliPrice } from '../../domain/fuel.ts';
import type { SoleSourceOf, StoredStationDay } from '../../domain/prices/sourced-day.ts';
import { fetchBatches } from '../connection/fetch-batches.ts';
import type { Schema } from '../connection/schema.ts';

type Row = Pick<StoredStationDay, 'day' | 'station' | 'facts' | 'trusted'> & {
  readonly isKept: boolean;
} & { readonly [fuel in `price_${Fuel}`]: MilliPrice | null } & { readonly [fuel in `source_${Fuel}`]: string | null };

const COLUMNS = sql.raw(
  FUELS.map((fuel) => `prices.${fuel} as price_${fuel}, relied.${fuel} as source_${fuel}`).join(', '),
);

/** The days from one to before another, by day and station. */
export async function* readStationDays(
  tx: Kysely<Schema>,
  from: DayNumber,
  to: DayNumber,
): AsyncGenerator<StoredStationDay[], void, void> {
  const query = sql<Row>`
    select prices.day, prices.station_id as station, prices.facts, prices.trusted,
      relied.day is not null as "isKept", ${COLUMNS}
    from daily_prices prices
    left join daily_reliance relied on relied.day = prices.day and relied.station_id = prices.station_id
    where prices.day >= ${dayText(from)}::date and prices.day < ${dayText(to)}::date
    order by prices.day, prices.station_id`;
  for await (const rows of fetchBatches(tx, query)) yield rows.map(toStationDay);
}

function toStationDay(row: Row): StoredStationDay {
  const { day, station, facts, trusted, isKept } = row;
  return {
    ...{ day, station, facts, trusted },
    prices: FUELS.map((fuel) => row[`price_${fuel}`]),
    reliedOn: isKept ? FUELS.map((fuel) => row[`source_${fuel}`]) : null,
  };
}

/** The first day of which a price is stored; `null` = there is none. */
export async function firstStoredDay(tx: Kysely<Schema>): Promise<DayNumber | null> {
  const { rows } = await sql<{ day: string | null }>`select min(day) as day from daily_prices`.execute(tx);
  return rows[0]?.day == null ? null : dayNumber(rows[0].day);
}

/** Looks up the only source that ever told a price of a station's fuel. Locators tell none. */
export async function readSoleSources(tx: Kysely<Schema>): Promise<SoleSourceOf> {
  const { rows } = await sql<{ station: string; fuel: number; source: string }>`
    select station_id as station, fuel, min(source) as source from observations
    where source not like 'locator:%' group by station_id, fuel having min(source) = max(source)`.execute(tx);
  const sole = new Map(rows.map(({ station, fuel, source }) => [`${station} ${FUELS[fuel]}`, source]));
  return (station, fuel) => sole.get(`${station} ${fuel}`);
}
