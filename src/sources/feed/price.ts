/** The price of one product row, and the choice among several rows of one fuel at one pump. */
import { type Fuel, inRange, type Milli, type PriceRanges, toMilli } from '../../domain/fuel.ts';
import { plainNumber } from './fields.ts';

export type PriceRead = { readonly price: Milli | null; readonly refused: string | null };

/**
 * A price as sent → thousandths. Plain dot decimals only, as a number or a text: `"7,25"` is refused and named, since a
 * guess at another convention could be a wrong price. A price outside the believable range is kept as a fact.
 */
export function readPrice(value: unknown, fuel: Fuel, ranges: PriceRanges): PriceRead {
  if (value === undefined || value === null || value === '') return { price: null, refused: 'no_price' };
  const ron = plainNumber(value);
  if (ron === null) return { price: null, refused: 'price_not_a_number' };
  if (ron === 0) return { price: null, refused: 'no_price' };
  if (ron < 0) return { price: null, refused: 'price_negative' };
  const price = toMilli(ron);
  return { price, refused: price !== null && inRange(price, fuel, ranges) ? null : 'out_of_range' };
}

/** The lowest believable price; without one the lowest number there is. */
export function lowest(prices: readonly (Milli | null)[], fuel: Fuel, ranges: PriceRanges): Milli | null {
  const numbers = prices.filter((price) => price !== null).sort((a, b) => a - b);
  return numbers.find((price) => inRange(price, fuel, ranges)) ?? numbers[0] ?? null;
}
