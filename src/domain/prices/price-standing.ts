/** How a price compares with the past: standings, changes and records. Days without statistics are left out. */
import type { DayNumber } from '../days.ts';
import type { MilliPrice } from '../fuel.ts';
import type { DayStatistics } from './day-statistics.ts';

/** One day's price in a series. */
export type DayPrice = { readonly day: DayNumber; readonly price: MilliPrice };

/** A price of each day, such as the minimum or the mean. */
export type PriceFigure = Exclude<keyof DayStatistics, 'day' | 'stations'>;

/** One figure of each day of a series. */
export function pricesOf(series: readonly DayStatistics[], figure: PriceFigure): DayPrice[] {
  return series.map((statistics) => ({ day: statistics.day, price: statistics[figure] }));
}

/**
 * Shares of past days, from 0 to 1: on which the price was higher, and on which it was lower. The rest had the same.
 */
export type PriceStanding = { readonly dearer: number; readonly cheaper: number };

/** How `price` stands among those of the `days` days before `today`; `null` when fewer than half of them are known. */
export function standingOf(
  price: MilliPrice,
  series: readonly DayPrice[],
  days: number,
  today: DayNumber,
): PriceStanding | null {
  const known = series.filter(({ day }) => day >= today - days && day < today);
  if (known.length === 0 || known.length < days / 2) return null;
  const shareOf = (isCounted: (earlier: MilliPrice) => boolean) =>
    known.filter((earlier) => isCounted(earlier.price)).length / known.length;
  return { dearer: shareOf((earlier) => earlier > price), cheaper: shareOf((earlier) => earlier < price) };
}

/** Today's price minus the price `days` days ago; `null` when either is unknown. */
export function changeSince(series: readonly DayPrice[], days: number, today: DayNumber): MilliPrice | null {
  const now = priceOn(series, today);
  const then = priceOn(series, today - days);
  return now === null || then === null ? null : now - then;
}

/** The price of one day; `null` = unknown. */
export function priceOn(series: readonly DayPrice[], day: DayNumber): MilliPrice | null {
  return series.findLast((known) => known.day === day)?.price ?? null;
}

/** The lowest and the highest price of a series in ascending order, each on its first day; `null` without any price. */
export function records(series: readonly DayPrice[]): { readonly lowest: DayPrice; readonly highest: DayPrice } | null {
  const [first, ...later] = series;
  if (first === undefined) return null;
  let [lowest, highest] = [first, first];
  for (const day of later) {
    if (day.price < lowest.price) lowest = day;
    if (day.price > highest.price) highest = day;
  }
  return { lowest, highest };
}
