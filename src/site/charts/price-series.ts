/** Prices of consecutive days, their extremes, and their reduction to as many columns as a chart has room for. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice } from '../../domain/fuel.ts';

/** One price a day; `null` = the day has none. */
export type DailyPrices = readonly (MilliPrice | null)[];

/** Consecutive days: the first one, and how many there are. */
export type Period = { readonly firstDay: DayNumber; readonly length: number };

/** A price and its position in the series. */
export type PricePoint = { readonly index: number; readonly price: MilliPrice };

export type SeriesSummary = {
  readonly lowest: PricePoint;
  readonly highest: PricePoint;
  readonly last: PricePoint;
  /** The middle of the first stretch of days at the lowest price, in days from the start of the series. */
  readonly lowestCentre: number;
  /** Whether the last price and the lowest one belong to the same stretch of days. */
  readonly endsAtLowest: boolean;
};

/**
 * The lowest and highest price, each on the first of its days as in the records of the statistics, and the last price;
 * `null` = no day has a price.
 */
export function summarize(prices: DailyPrices): SeriesSummary | null {
  const points = prices.flatMap((price, index) => (price === null ? [] : [{ index, price }]));
  const last = points.at(-1);
  if (last === undefined) return null;
  const lowest = points.reduce((best, point) => (point.price < best.price ? point : best));
  const highest = points.reduce((best, point) => (point.price > best.price ? point : best));
  const afterLowest = prices.findIndex((price, index) => index > lowest.index && price !== lowest.price);
  const endOfLowest = afterLowest === -1 ? prices.length : afterLowest;
  return {
    ...{ lowest, highest, last },
    lowestCentre: (lowest.index + endOfLowest) / 2,
    endsAtLowest: endOfLowest > last.index,
  };
}

/** One day, or a few that share a column of the chart. */
export type Column = {
  readonly start: number;
  readonly days: number;
  /** What a line must touch in this column, in the order of time: lowest, highest and last price; empty = a gap. */
  readonly prices: readonly MilliPrice[];
};

/** A chart has about this many pixels: two years are drawn day by day. */
const MOST_DAYS = 732;
/** Of longer series each column has two pixels, which halves the path of ten years. */
const MOST_COLUMNS = 366;

/** The columns of a series: no day's extreme is lost. */
export function columnsOf(prices: DailyPrices): Column[] {
  const width = Math.ceil(prices.length / MOST_COLUMNS);
  if (prices.length <= MOST_DAYS)
    return prices.map((price, start) => ({ start, days: 1, prices: price === null ? [] : [price] }));
  return Array.from({ length: Math.ceil(prices.length / width) }, (_, column) => {
    const start = column * width;
    const days = prices.slice(start, start + width);
    return { start, days: days.length, prices: extremesInOrder(days) };
  });
}

function extremesInOrder(days: DailyPrices): MilliPrice[] {
  const summary = summarize(days);
  if (summary === null) return [];
  const { lowest, highest, last } = summary;
  const indexes = new Set([lowest.index, highest.index, last.index].sort((a, b) => a - b));
  return [...indexes].map((index) => days[index] as MilliPrice);
}
