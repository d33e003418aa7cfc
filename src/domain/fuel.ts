/** The fuels: one table of the properties of each, with its plausible price range. */
import type { LocalizedText } from './localized-text.ts';

/**
 * In the contract's order. Append only: the position of a fuel is stored, as a number and as a bit, and is the row of a
 * station's history.
 */
export const FUELS = ['petrol', 'petrol_premium', 'diesel', 'diesel_premium', 'lpg', 'adblue'] as const;
export type Fuel = (typeof FUELS)[number];

/** A price in thousandths of a RON per litre, a whole number: sums and means stay exact. */
export type MilliPrice = number;

export type PriceRange = { readonly min: MilliPrice; readonly max: MilliPrice };
export type PriceRanges = Readonly<Record<Fuel, PriceRange>>;

type FuelProperties = {
  /** As people call it. */
  readonly name: LocalizedText;
  /** Whether it is aggregated by city, county, network and country; another is served per station only. */
  readonly aggregated: boolean;
  /** Valid prices, both ends included. */
  readonly range: PriceRange;
  /** The standard fuel that this premium one may not undercut at the same pump. */
  readonly standardGrade?: Fuel;
};

const PETROL: PriceRange = { min: 5_500, max: 12_000 };
const DIESEL: PriceRange = { min: 5_500, max: 13_000 };

/** Ranges: API contract, "Missing-price convention" 1; AdBlue: rule 24. */
const FUEL_TABLE = {
  petrol: { name: { ro: 'Benzină standard', en: 'Standard petrol' }, aggregated: true, range: PETROL },
  petrol_premium: {
    name: { ro: 'Benzină premium', en: 'Premium petrol' },
    aggregated: true,
    range: PETROL,
    standardGrade: 'petrol',
  },
  diesel: { name: { ro: 'Motorină standard', en: 'Standard diesel' }, aggregated: true, range: DIESEL },
  diesel_premium: {
    name: { ro: 'Motorină premium', en: 'Premium diesel' },
    aggregated: true,
    range: DIESEL,
    standardGrade: 'diesel',
  },
  lpg: { name: { ro: 'GPL', en: 'LPG' }, aggregated: true, range: { min: 2_500, max: 6_000 } },
  adblue: { name: { ro: 'AdBlue', en: 'AdBlue' }, aggregated: false, range: { min: 1_000, max: 20_000 } },
} as const satisfies Record<Fuel, FuelProperties>;

/** The fuels that are aggregated by city, county, network and country. */
export type RoadFuel = { [F in Fuel]: (typeof FUEL_TABLE)[F]['aggregated'] extends true ? F : never }[Fuel];
export const ROAD_FUELS: readonly RoadFuel[] = FUELS.filter(isRoadFuel);

/** Whether a fuel is aggregated by city, county, network and country. */
export function isRoadFuel(fuel: Fuel): fuel is RoadFuel {
  return FUEL_TABLE[fuel].aggregated;
}

/** As people call them. */
export const FUEL_NAME: Readonly<Record<Fuel, LocalizedText>> = byFuel(({ name }) => name);

export const DEFAULT_RANGES: PriceRanges = byFuel(({ range }) => range);

/** The standard fuel that a premium one may not undercut at the same pump; `undefined` = it is not a premium fuel. */
export const STANDARD_GRADE_OF: Readonly<Record<Fuel, Fuel | undefined>> = byFuel(({ standardGrade }) => standardGrade);

function byFuel<V>(property: (properties: FuelProperties) => V): Record<Fuel, V> {
  return Object.fromEntries(FUELS.map((fuel) => [fuel, property(FUEL_TABLE[fuel])])) as Record<Fuel, V>;
}

/** Whether a price is in the fuel's range, both ends included. */
export function isInRange(price: MilliPrice, fuel: Fuel, ranges: PriceRanges): boolean {
  return price >= ranges[fuel].min && price <= ranges[fuel].max;
}

/** Highest price stored as a fact, in thousandths; a larger number is not a price. */
const MAX_PRICE: MilliPrice = 1_000_000;

/**
 * RON per litre as a number → thousandths, rounded half up; `null` when it is not a price
 * (not finite, zero, negative or absurd). Zero means "no price" in every known source.
 */
export function toMilliPrice(ron: number): MilliPrice | null {
  const milli = Math.floor(ron * 1000 + 0.5 + 1e-7);
  return Number.isFinite(milli) && milli > 0 && milli <= MAX_PRICE ? milli : null;
}

/** Mean of prices rounded half up to whole bani (2 decimals), in thousandths; `null` over nothing. Rule 23. */
export function meanToBani(prices: readonly MilliPrice[]): MilliPrice | null {
  const count = prices.length;
  const sum = prices.reduce((total, price) => total + price, 0);
  return count === 0 ? null : Math.floor((2 * sum + 10 * count) / (20 * count)) * 10;
}
