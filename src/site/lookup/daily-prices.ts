/** Prices day by day, of the last days with today last; `null` = none is known. */
import type { DayNumber } from '../../domain/days.ts';
import type { Fuel, MilliPrice } from '../../domain/fuel.ts';
import type { DayStatistics } from '../../domain/prices/day-statistics.ts';
import type { PriceFigure } from '../../domain/prices/price-standing.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

type DailyPrices = (MilliPrice | null)[];

/** Those of a station; at most 90 days are known. */
export function dailyPrices(stationId: string, fuel: Fuel, days: number, { history, today }: Snapshot): DailyPrices {
  const known = history(stationId);
  return lastDays(days, today, (day) => known?.price(fuel, day));
}

/** One figure of a place's statistics. */
export function dailyFigure(
  series: readonly DayStatistics[],
  figure: PriceFigure,
  days: number,
  today: DayNumber,
): DailyPrices {
  const byDay = new Map(series.map((each) => [each.day, each[figure]]));
  return lastDays(days, today, (day) => byDay.get(day));
}

function lastDays(
  days: number,
  today: DayNumber,
  priceOn: (day: DayNumber) => MilliPrice | null | undefined,
): DailyPrices {
  return Array.from({ length: days }, (_, index) => priceOn(today - days + 1 + index) ?? null);
}
