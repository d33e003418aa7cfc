/**
 * The words by which answers, the operator's files and its settings name fuels, in one table. `docs/CONTRACT.md`
 * explains those of answers; `pages/fuel-slug.ts` has those of page addresses.
 */
import { FUELS, type Fuel, ROAD_FUELS, type RoadFuel } from './fuel.ts';

type FuelWords = {
  /** At national, county and station level, and in the operator's files. */
  readonly code: string;
  /** Sets the range of the fuel in `PRICE_RANGES`; a family of fuels shares one word. */
  readonly range: string;
};
type RoadFuelWords = FuelWords & {
  /** In city and network objects. */
  readonly short: string;
};

const WORDS = {
  petrol: { code: 'benzina_standard', short: 'benzina', range: 'benzina' },
  petrol_premium: { code: 'benzina_premium', short: 'benzina_premium', range: 'benzina' },
  diesel: { code: 'motorina_standard', short: 'motorina', range: 'motorina' },
  diesel_premium: { code: 'motorina_premium', short: 'motorina_premium', range: 'motorina' },
  lpg: { code: 'gpl', short: 'gpl', range: 'gpl' },
  adblue: { code: 'adblue', range: 'adblue' },
} as const satisfies Record<Fuel, FuelWords> & Record<RoadFuel, RoadFuelWords>;

/** Fuels at national, county and station level, in import files and in price lists. */
export const FUEL_CODE = Object.fromEntries(FUELS.map((fuel) => [fuel, WORDS[fuel].code])) as {
  readonly [F in Fuel]: (typeof WORDS)[F]['code'];
};

/** Fuels in city and network objects. */
export const SHORT_FUEL_CODE = Object.fromEntries(ROAD_FUELS.map((fuel) => [fuel, WORDS[fuel].short])) as {
  readonly [F in RoadFuel]: (typeof WORDS)[F]['short'];
};

export type FuelCode = (typeof FUEL_CODE)[Fuel];
export type RoadFuelCode = (typeof FUEL_CODE)[RoadFuel];

export const FUEL_CODES: readonly FuelCode[] = FUELS.map((fuel) => FUEL_CODE[fuel]);
export const ROAD_FUEL_CODES: readonly RoadFuelCode[] = ROAD_FUELS.map((fuel) => FUEL_CODE[fuel]);

/** The fuel of a code; `undefined` = it is none. */
export function fuelOfCode(code: string): Fuel | undefined {
  return FUELS.find((fuel) => FUEL_CODE[fuel] === code);
}

/** The fuels whose range a word sets; empty = it is none. */
export function fuelsOfRange(word: string): Fuel[] {
  return FUELS.filter((fuel) => WORDS[fuel].range === word);
}

/** An object with one member per fuel, keyed by its code, in the contract's order. */
export function byFuelCode<F extends Fuel, const C extends Readonly<Record<F, string>>, V>(
  fuels: readonly F[],
  codes: C,
  member: (fuel: F) => V,
): Record<C[F], V> {
  return Object.fromEntries(fuels.map((fuel) => [codes[fuel], member(fuel)])) as Record<C[F], V>;
}
