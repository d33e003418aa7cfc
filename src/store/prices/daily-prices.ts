/** One price a day, station and fuel, for ever. Facts win over imported values. */
import { type Kysely, sql } from 'kysely';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { FUELS, type MilliPrice } from '../../domain/fuel.ts';
import type { Schema } from '../connection/schema.ts';

/** One day of one station: prices in the order of `FUELS`, and which of them (one bit each) come from facts. */
export type DayPrices = {
  readonly station: string;
  readonly prices: readonly (MilliPrice | null)[];
  readonly facts: number;
  /** The source of each trusted price, in the same order; `null` = a doubtful price, or none. */
  readonly sources?: readonly (string | null)[];
};

export type StoredDayPrices = DayPrices & { readonly day: DayNumber };

/** Of `daily_prices` and `daily_reliance`: one a fuel, by its name. */
const COLUMNS = sql.raw(FUELS.join(', '));
const FUEL_BITS = FUELS.map((fuel, index) => ({ fuel, bit: 1 << index }));

/** Writes the values that facts give for one day; imported values stay for fuels without facts. */
export async function writeDay(db: Kysely<Schema>, day: DayNumber, rows: readonly DayPrices[]): Promise<void> {
  const merged = FUEL_BITS.map(
    ({ fuel, bit }) =>
      `${fuel} = case when excluded.facts & ${bit} > 0 then excluded.${fuel} else daily_prices.${fuel} end`,
  );
  await insertDays(
    db,
    rows.map((row) => ({ ...row, day })),
    `${merged.join(', ')}, facts = daily_prices.facts | excluded.facts,
      trusted = coalesce(daily_prices.trusted, 0) & ~excluded.facts | excluded.trusted`,
  );
  await writeTrustedSources(db, day, rows);
}

/** Replaces all stored rows of one day by these. First known days stay. */
export async function replaceDay(db: Kysely<Schema>, day: DayNumber, rows: readonly DayPrices[]): Promise<void> {
  await db.deleteFrom('daily_prices').where('day', '=', dayText(day)).execute();
  await db.deleteFrom('daily_reliance').where('day', '=', dayText(day)).execute();
  await insertDays(
    db,
    rows.map((row) => ({ ...row, day })),
    'facts = excluded.facts',
  );
  await writeTrustedSources(db, day, rows);
}

/**
 * Stores which source's trusted price each value of a day is, where that changed, for values that are stored already.
 * Returns whether any of them became trusted, or is no longer.
 */
export async function updateTrust(db: Kysely<Schema>, day: DayNumber, rows: readonly DayPrices[]): Promise<boolean> {
  await writeTrustedSources(db, day, rows);
  const { rows: changed } = await sql`
    update daily_prices set trusted = row.trusted
    from unnest(${rows.map(({ station }) => station)}::text[], ${rows.map(trustedFuels)}::smallint[])
      as row (station_id, trusted)
    where day = ${dayText(day)}::date and daily_prices.station_id = row.station_id
      and daily_prices.trusted is distinct from row.trusted
    returning daily_prices.station_id`.execute(db);
  return changed.length > 0;
}

async function writeTrustedSources(db: Kysely<Schema>, day: DayNumber, all: readonly DayPrices[]): Promise<void> {
  const rows = all.flatMap(({ station, sources }) => (sources === undefined ? [] : [{ station, sources }]));
  const column = (index: number) => sql`unnest(${rows.map(({ sources }) => sources[index] ?? null)}::text[])`;
  const set = FUELS.map((fuel) => `${fuel} = excluded.${fuel}`).join(', ');
  const changed = FUELS.map((fuel) => `daily_reliance.${fuel}`).join(', ');
  const next = FUELS.map((fuel) => `excluded.${fuel}`).join(', ');
  await sql`
    insert into daily_reliance (day, station_id, ${COLUMNS})
    select ${dayText(day)}::date, unnest(${rows.map(({ station }) => station)}::text[]),
      ${sql.join(FUELS.map((_, index) => column(index)))}
    on conflict (day, station_id) do update set ${sql.raw(set)}
    where (${sql.raw(changed)}) is distinct from (${sql.raw(next)})`.execute(db);
}

/** Fills in imported values where no fact has spoken. */
export async function importDays(db: Kysely<Schema>, rows: readonly StoredDayPrices[]): Promise<void> {
  const merged = FUEL_BITS.map(
    ({ fuel, bit }) =>
      `${fuel} = case when daily_prices.facts & ${bit} > 0 then daily_prices.${fuel} else coalesce(excluded.${fuel}, daily_prices.${fuel}) end`,
  );
  await insertDays(db, rows, merged.join(', '));
}

async function insertDays(db: Kysely<Schema>, rows: readonly StoredDayPrices[], onConflict: string): Promise<void> {
  const CHUNK = 20_000;
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = rows.slice(start, start + CHUNK);
    const column = (index: number) => sql`unnest(${chunk.map(({ prices }) => prices[index] ?? null)}::int[])`;
    await sql`
      insert into daily_prices (day, station_id, ${COLUMNS}, facts, trusted)
      select unnest(${chunk.map(({ day }) => dayText(day))}::date[]), unnest(${chunk.map(({ station }) => station)}::text[]),
        ${sql.join(FUELS.map((_, index) => column(index)))}, unnest(${chunk.map(({ facts }) => facts)}::smallint[]),
        unnest(${chunk.map(trustedFuels)}::smallint[])
      on conflict (day, station_id) do update set ${sql.raw(onConflict)}`.execute(db);
    await recordFirstDays(db, chunk);
  }
}

/** The fuels with a trusted price, one bit each. */
function trustedFuels({ sources = [] }: DayPrices): number {
  return sources.reduce((bits, source, index) => (source === null ? bits : bits | (1 << index)), 0);
}

async function recordFirstDays(db: Kysely<Schema>, rows: readonly StoredDayPrices[]): Promise<void> {
  const first = new Map<string, { id: string; day: DayNumber; fuels: number }>();
  for (const { station, day, prices } of rows) {
    const fuels = prices.reduce<number>((bits, price, index) => (price === null ? bits : bits | (1 << index)), 0);
    if (fuels === 0) continue;
    const known = first.get(station);
    first.set(station, { id: station, day: Math.min(day, known?.day ?? day), fuels: fuels | (known?.fuels ?? 0) });
  }
  const known = [...first.values()].map(({ id, day, fuels }) => ({ id, day: dayText(day), fuels }));
  await sql`
    update stations set first_day = least(first_day, row.day), fuels = stations.fuels | row.fuels
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as row (id text, day date, fuels smallint)
    where stations.id = row.id
      and (first_day is null or row.day < first_day or stations.fuels | row.fuels <> stations.fuels)`.execute(db);
}

/** First known day and fuels of every station that has a history. */
export async function loadFirstDays(
  db: Kysely<Schema>,
): Promise<{ station: string; firstDay: DayNumber; fuels: number }[]> {
  const rows = await db
    .selectFrom('stations')
    .select(['id', 'first_day', 'fuels'])
    .where('first_day', 'is not', null)
    .execute();
  return rows.map(({ id, first_day, fuels }) => ({ station: id, firstDay: dayNumber(first_day as string), fuels }));
}

/** The stored values of one day. */
export async function readDay(db: Kysely<Schema>, day: DayNumber): Promise<DayPrices[]> {
  const rows = await db.selectFrom('daily_prices').selectAll().where('day', '=', dayText(day)).execute();
  return rows.map((row) => ({ station: row.station_id, prices: FUELS.map((fuel) => row[fuel]), facts: row.facts }));
}

/**
 * The stored values of one day that count in statistics: trusted prices, and imported ones, which the operator vouches
 * for. The others are `null`, and so are values of which it is not known whether they were trusted.
 */
export async function readCountedDay(
  db: Kysely<Schema>,
  day: DayNumber,
): Promise<{ station: string; prices: (MilliPrice | null)[] }[]> {
  const rows = await db.selectFrom('daily_prices').selectAll().where('day', '=', dayText(day)).execute();
  return rows.map((row) => {
    const counted = ~row.facts | (row.trusted ?? 0);
    return { station: row.station_id, prices: FUEL_BITS.map(({ fuel, bit }) => (counted & bit ? row[fuel] : null)) };
  });
}

/** Notes which values of these days are trusted, where an earlier version stored only whose they are. */
export async function fillTrust(db: Kysely<Schema>, days: readonly DayNumber[]): Promise<void> {
  const bits = FUEL_BITS.map(({ fuel, bit }) => `case when source.${fuel} is null then 0 else ${bit} end`).join(' | ');
  await sql`
    update daily_prices set trusted = ${sql.raw(bits)}
    from daily_reliance source
    where daily_prices.day = any(${days.map(dayText)}::date[]) and daily_prices.trusted is null
      and source.day = daily_prices.day and source.station_id = daily_prices.station_id`.execute(db);
}
