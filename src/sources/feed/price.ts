/** Parses the price of a product row, and picks one among several rows for the same fuel at a station. */
import { type Fuel, isInRange, type MilliPrice, type PriceRanges, toMilliPrice } from '../../domain/fuel.ts';
import { plainNumber } from './fields.ts';

export type PriceResult = { readonly price: MilliPrice | null; readonly refused: string | null };

/**
 * Converts a price as sent into thousandths. It accepts plain decimals with a dot, as a number or a text: `"7,25"` is
 * refused and counted, since guessing another convention could give a wrong price. A price out of range is kept as a
 * fact.
 */
export function readPrice(value: unknown, fuel: Fuel, ranges: PriceRanges): PriceResult {
  if (value === undefined || value === null || value === '') return { price: null, refused: 'no_price' };
  const ron = plainNumber(value);
  if (ron === null) return { price: null, refused: 'price_not_a_number' };
  if (ron === 0) return { price: null, refused: 'no_price' };
  if (ron < 0) return { price: null, refused: 'price_negative' };
  const price = toMilliPrice(ron);
  return { price, refused: price !== null && isInRange(price, fuel, ranges) ? null : 'out_of_range' };
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
