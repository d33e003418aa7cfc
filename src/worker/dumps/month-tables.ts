/** The tables of which there is a file a month, with their rows from the database. */
import type { Kysely } from 'kysely';
import type { PublishedChange } from '../../domain/changes/published-change.ts';
import { bucharestDay, type DayNumber, dayNumber, startOfBucharestDay } from '../../domain/days.ts';
import type { PriceChange } from '../../domain/prices/price-change.ts';
import { type SoleSourceOf, type SourcedDay, splitBySource } from '../../domain/prices/sourced-day.ts';
import { firstDayOf, monthOf, monthsBetween, nextMonth } from '../../dumps/months.ts';
import type { Table } from '../../dumps/table.ts';
import { DAILY_PRICE_TABLE } from '../../dumps/tables/daily-price-table.ts';
import { PRICE_CHANGE_TABLE } from '../../dumps/tables/price-change-table.ts';
import { SERVED_CHANGE_TABLE } from '../../dumps/tables/served-change-table.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { firstKeptChange, readPriceChanges } from '../../store/dumps/read-price-changes.ts';
import { firstServedChange, readServedChanges } from '../../store/dumps/read-served-changes.ts';
import { firstStoredDay, readSoleSources, readStationDays } from '../../store/dumps/read-station-days.ts';

export type MonthlyTable<Row> = {
  readonly table: Table<Row>;
  /** The months of which the database has all rows, in order. */
  readonly months: readonly string[];
  /** The rows of a month that are allowed, in the order of the file. */
  readonly read: (month: string) => AsyncIterable<Row[]>;
};

/** @param now epoch ms */
export async function priceChangeMonths(
  tx: Kysely<Schema>,
  allowed: readonly string[],
  now: number,
): Promise<MonthlyTable<PriceChange>> {
  return {
    table: PRICE_CHANGE_TABLE,
    months: wholeMonths(await firstKeptChange(tx, now), now),
    read: (month) => readPriceChanges(tx, { ...instantsOf(month), sources: allowed }),
  };
}

/** @param now epoch ms */
export async function servedChangeMonths(
  tx: Kysely<Schema>,
  allowed: readonly string[],
  now: number,
): Promise<MonthlyTable<PublishedChange>> {
  return {
    table: SERVED_CHANGE_TABLE,
    months: wholeMonths(await firstServedChange(tx, now), now),
    read: (month) => readServedChanges(tx, { ...instantsOf(month), sources: allowed }),
  };
}

/** The months since the first change that is kept; the one of that change only if nothing was deleted. */
function wholeMonths(first: { readonly at: number; readonly isPruned: boolean } | null, now: number): string[] {
  if (first === null) return [];
  const month = monthOf(dayNumber(bucharestDay(first.at)));
  return monthsBetween(first.isPruned ? nextMonth(month) : month, monthOf(dayNumber(bucharestDay(now))));
}

const instantsOf = (month: string) => ({
  from: startOfBucharestDay(firstDayOf(month)),
  to: startOfBucharestDay(firstDayOf(nextMonth(month))),
});

/** Up to the day before `today`, which has not ended. */
export async function dailyPriceMonths(
  tx: Kysely<Schema>,
  allowed: readonly string[],
  today: DayNumber,
): Promise<MonthlyTable<SourcedDay>> {
  const first = await firstStoredDay(tx);
  let soleSources: Promise<SoleSourceOf> | undefined;
  return {
    table: DAILY_PRICE_TABLE,
    months: first === null || first >= today ? [] : monthsBetween(monthOf(first), monthOf(today - 1)),
    async *read(month) {
      const [from, to] = [firstDayOf(month), Math.min(firstDayOf(nextMonth(month)), today)];
      for await (const days of readStationDays(tx, from, to)) {
        // Only days from before the sources were kept need it.
        if (days.some(({ reliedOn, facts }) => reliedOn === null && facts > 0)) soleSources ??= readSoleSources(tx);
        const soleSourceOf = (await soleSources) ?? (() => undefined);
        yield days.flatMap((day) => splitBySource(day, soleSourceOf)).filter(({ source }) => allowed.includes(source));
      }
    },
  };
}
