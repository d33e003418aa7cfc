/** The vertical scale of a chart: which prices it spans, and which of them have a grid line. */
import type { MilliPrice } from '../../domain/fuel.ts';

export type PriceScale = {
  readonly bottom: MilliPrice;
  readonly top: MilliPrice;
  /** Round prices, ascending. */
  readonly gridPrices: readonly MilliPrice[];
};

/** A smaller range is drawn in the middle of this one, so that a change of 1 ban never looks like a jump. */
const LEAST_SPAN: MilliPrice = 200;
const MOST_GRID_LINES = 6;
/** Room for the label below the lowest point, and above the highest line, as parts of the span. */
const ROOM = { below: 0.14, above: 0.05 };

/** A scale with room for all prices and for the label below the lowest; whole bani at both ends. */
export function priceScale(lowest: MilliPrice, highest: MilliPrice): PriceScale {
  const span = Math.max(highest - lowest, LEAST_SPAN);
  const low = (lowest + highest - span) / 2;
  const bottom = Math.max(0, 10 * Math.floor((low - ROOM.below * span) / 10));
  const top = 10 * Math.ceil((low + (1 + ROOM.above) * span) / 10);
  const step = gridSteps().find((each) => multiples(each, bottom, top).length <= MOST_GRID_LINES) as MilliPrice;
  return { bottom, top, gridPrices: multiples(step, bottom, top) };
}

/** Where a price lies on the scale: 0 = top, 1 = bottom. */
export function positionOf(price: MilliPrice, { bottom, top }: PriceScale): number {
  return (top - price) / (top - bottom);
}

/** 1, 2, 5, 10, 20, 50 … bani. */
function* gridSteps(): Generator<MilliPrice, never> {
  for (let power = 10; ; power *= 10) yield* [power, 2 * power, 5 * power];
}

function multiples(step: MilliPrice, bottom: MilliPrice, top: MilliPrice): MilliPrice[] {
  const first = Math.ceil(bottom / step);
  return Array.from({ length: Math.floor(top / step) - first + 1 }, (_, index) => (first + index) * step);
}
