/** Statistics of past days, one row a day, kind of scope and fuel. */
import { type Kysely, sql } from 'kysely';
import { type DayNumber, dayNumber, dayText } from '../../domain/days.ts';
import { FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { type ScopeKind, STATISTICS, type StatisticsLists } from '../../domain/prices/day-statistics.ts';
import type { Schema } from '../connection/schema.ts';

/** The columns of the percentiles have older names. */
const COLUMN_OF: Readonly<Record<(typeof STATISTICS)[number], string>> = {
  ...{ stations: 'stations', min: 'min', p10: 'low', median: 'median', mean: 'mean', p90: 'high', max: 'max' },
};
const COLUMNS = sql.raw(STATISTICS.map((name) => `${COLUMN_OF[name]} as ${name}`).join(', '));

/** Replaces what is stored of one day. A day without prices has lists too, empty ones: it was computed. */
export async function writeDayStatistics(
  db: Kysely<Schema>,
  day: DayNumber,
  ofDay: readonly StatisticsLists[],
): Promise<void> {
  await db.deleteFrom('day_statistics').where('day', '=', dayText(day)).execute();
  const rows = ofDay.map((lists) => ({
    kind: lists.kind,
    day: dayText(day),
    fuel: FUELS.indexOf(lists.fuel),
    names: [...lists.names],
    stations: [...lists.stations],
    min: [...lists.min],
    low: [...lists.p10],
    median: [...lists.median],
    mean: [...lists.mean],
    high: [...lists.p90],
    max: [...lists.max],
  }));
  if (rows.length > 0) await db.insertInto('day_statistics').values(rows).execute();
}

/** The stored lists of the days from `first` to `last`, of these kinds, in no order. */
export async function readDayStatistics(
  db: Kysely<Schema>,
  first: DayNumber,
  last: DayNumber,
  kinds: readonly ScopeKind[],
): Promise<{ day: DayNumber; lists: StatisticsLists }[]> {
  type Row = Omit<StatisticsLists, 'fuel'> & { day: string; fuel: number };
  const { rows } = await sql<Row>`
    select day, kind, fuel, names, ${COLUMNS} from day_statistics
    where day between ${dayText(first)}::date and ${dayText(last)}::date and kind = any(${[...kinds]})`.execute(db);
  return rows.map(({ day, fuel, ...lists }) => ({
    day: dayNumber(day),
    lists: { ...lists, fuel: FUELS[fuel] as RoadFuel },
  }));
}

/** The first day with statistics; `null` = none. */
export async function firstDayOfStatistics(db: Kysely<Schema>): Promise<DayNumber | null> {
  const first = await db.selectFrom('day_statistics').select('day').orderBy('day').limit(1).executeTakeFirst();
  return first === undefined ? null : dayNumber(first.day);
}

/** The latest days before `today` that have daily prices and no statistics, at most `limit`. */
export async function daysWithoutStatistics(db: Kysely<Schema>, today: DayNumber, limit: number): Promise<DayNumber[]> {
  // Steps from day to day through the index: `distinct` would read every row of the table.
  const { rows } = await sql<{ day: string }>`
    with recursive known as (
      select max(day) as day from daily_prices where day < ${dayText(today)}::date
      union all
      select (select max(day) from daily_prices where day < known.day) from known where known.day is not null)
    select day from known
    where day is not null and not exists (select from day_statistics s where s.day = known.day)
    limit ${limit}`.execute(db);
  return rows.map(({ day }) => dayNumber(day));
}
