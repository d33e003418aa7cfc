/**
 * Parses the price of a product row, and picks one among several rows for the same fuel at a station. A price out of
 * range passes through here and is stored; `judgeFuel` of `domain/prices/price-verdict.ts` stops it.
 */
import { type Fuel, isInRange, type MilliPrice, type PriceRanges, toMilliPrice } from '../../domain/fuel.ts';
import { plainNumber } from './fields.ts';

/**
 * `price` is the fact to store; `rejected` the reason under which the row is counted, `null` = none. Both can be set: a
 * price `out_of_range` is counted among the rejected rows and yet stored.
 */
export type PriceResult = { readonly price: MilliPrice | null; readonly rejected: string | null };

/**
 * Converts a price as sent into thousandths. It accepts plain decimals with a dot, as a number or a text: `"7,25"` is
 * rejected and counted, since guessing another convention could give a wrong price. A price out of range is kept as a
 * fact, unless it exceeds 1,000 RON.
 */
export function readPrice(value: unknown, fuel: Fuel, ranges: PriceRanges): PriceResult {
  if (value === undefined || value === null || value === '') return { price: null, rejected: 'no_price' };
  const ron = plainNumber(value);
  if (ron === null) return { price: null, rejected: 'price_not_a_number' };
  if (ron === 0) return { price: null, rejected: 'no_price' };
  if (ron < 0) return { price: null, rejected: 'price_negative' };
  const price = toMilliPrice(ron);
  return { price, rejected: price !== null && isInRange(price, fuel, ranges) ? null : 'out_of_range' };
}

/** The lowest price in range; if none is, the lowest of all. */
export function lowestPrice(
  prices: readonly (MilliPrice | null)[],
  fuel: Fuel,
  ranges: PriceRanges,
): MilliPrice | null {
  const numbers = prices.filter((price) => price !== null).sort((a, b) => a - b);
  return numbers.find((price) => isInRange(price, fuel, ranges)) ?? numbers[0] ?? null;
}
