/** The price of one product row, and the choice among several rows of one fuel at one pump. */
import { type Fuel, isInRange, type MilliPrice, type PriceRanges, toMilliPrice } from '../../domain/fuel.ts';
import { plainNumber } from './fields.ts';

export type PriceResult = { readonly price: MilliPrice | null; readonly refused: string | null };

/**
 * A price as sent → thousandths. Plain dot decimals only, as a number or a text: `"7,25"` is refused and named, since a
 * guess at another convention could be a wrong price. A price outside the believable range is kept as a fact.
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

/** The lowest believable price; without one the lowest number there is. */
export function lowestPrice(
  prices: readonly (MilliPrice | null)[],
  fuel: Fuel,
  ranges: PriceRanges,
): MilliPrice | null {
  const numbers = prices.filter((price) => price !== null).sort((a, b) => a - b);
  return numbers.find((price) => isInRange(price, fuel, ranges)) ?? numbers[0] ?? null;
}
