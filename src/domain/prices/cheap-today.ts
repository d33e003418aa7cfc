/** Whether today's mean price is cheap, usual or dear, measured against the days before. */
import type { DayNumber } from '../days.ts';
import type { MilliPrice } from '../fuel.ts';
import type { DayStatistics } from './day-statistics.ts';
import { type PriceStanding, pricesOf, standingOf } from './price-standing.ts';

/** The periods that today's price is compared with. */
const WINDOWS = [7, 30, 90, 365] as const;
/** The verdict is that of the longest known period up to this one. */
const LONGEST_DECIDING_DAYS = 90;
/** From this share of dearer days on, today is cheap; from this share of cheaper ones on, dear. */
const DECIDING_SHARE = 0.7;

export type DayStanding = PriceStanding & { readonly days: number };

export type CheapToday = {
  readonly verdict: 'cheap' | 'usual' | 'dear';
  /** Today's mean. */
  readonly mean: MilliPrice;
  /** Days of the period that decided. */
  readonly days: number;
  /** One for each period of which enough days are known, shortest first. */
  readonly standings: readonly DayStanding[];
};

/** Judges today's mean against the last 7, 30, 90 and 365 days; `null` where too few days are known. */
export function judgeToday(series: readonly DayStatistics[], today: DayNumber): CheapToday | null {
  const prices = pricesOf(series, 'mean');
  const mean = prices.find(({ day }) => day === today)?.price;
  if (mean === undefined) return null;
  const standings = WINDOWS.flatMap((days) => {
    const standing = standingOf(mean, prices, days, today);
    return standing === null ? [] : [{ days, ...standing }];
  });
  const longest = standings.findLast(({ days }) => days <= LONGEST_DECIDING_DAYS);
  if (longest === undefined) return null;
  const isDear = longest.cheaper >= DECIDING_SHARE;
  const verdict = longest.dearer >= DECIDING_SHARE ? 'cheap' : isDear ? 'dear' : 'usual';
  return { verdict, mean, days: longest.days, standings };
}
