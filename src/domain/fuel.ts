/** The fuels of the trade, in the contract's order, and the prices that are believable for each. */

export const FUELS = ['petrol', 'petrol_premium', 'diesel', 'diesel_premium', 'lpg', 'adblue'] as const;
export type Fuel = (typeof FUELS)[number];

/** The five fuels that are aggregated by city, county, network and country; AdBlue is served per station only. */
export const ROAD_FUELS = ['petrol', 'petrol_premium', 'diesel', 'diesel_premium', 'lpg'] as const;
export type RoadFuel = (typeof ROAD_FUELS)[number];

/** A price in thousandths of a RON per litre, a whole number: sums and means stay exact. */
export type MilliPrice = number;

export type PriceRange = { readonly min: MilliPrice; readonly max: MilliPrice };
export type PriceRanges = Readonly<Record<Fuel, PriceRange>>;

const PETROL: PriceRange = { min: 5_500, max: 12_000 };
const DIESEL: PriceRange = { min: 5_500, max: 13_000 };

/** Valid ranges, both ends included. Source: API contract, "Missing-price convention" 1; AdBlue: rule 24. */
export const DEFAULT_RANGES: PriceRanges = {
  petrol: PETROL,
  petrol_premium: PETROL,
  diesel: DIESEL,
  diesel_premium: DIESEL,
  lpg: { min: 2_500, max: 6_000 },
  adblue: { min: 1_000, max: 20_000 },
};

/** The standard fuel that a premium one may not undercut at the same pump. */
export const STANDARD_GRADE_OF: Partial<Record<Fuel, Fuel>> = { petrol_premium: 'petrol', diesel_premium: 'diesel' };

/** Whether a price is believable for a fuel: both ends of the range belong to it. */
export function isInRange(price: MilliPrice, fuel: Fuel, ranges: PriceRanges): boolean {
  return price >= ranges[fuel].min && price <= ranges[fuel].max;
}

/** Highest price kept as a fact, in thousandths; beyond it a number is garbage, not a price. */
const MAX_PRICE: MilliPrice = 1_000_000;

/**
 * RON per litre as a number → thousandths, rounded half up; `null` when it is no price at all
 * (not finite, zero, negative or absurd). Zero means "no price" in every source known.
 */
export function toMilliPrice(ron: number): MilliPrice | null {
  const milli = Math.floor(ron * 1000 + 0.5 + 1e-7);
  return Number.isFinite(milli) && milli > 0 && milli <= MAX_PRICE ? milli : null;
}

/** Mean of prices rounded half up to whole bani (2 decimals), in thousandths; `null` over nothing. Rule 23. */
export function meanToBani(sum: MilliPrice, count: number): MilliPrice | null {
  return count === 0 ? null : Math.floor((2 * sum + 10 * count) / (20 * count)) * 10;
}
