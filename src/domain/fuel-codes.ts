/** The contract's names for fuels. `docs/CONTRACT.md` is the word table. */
import { FUELS, type Fuel, ROAD_FUELS, type RoadFuel } from './fuel.ts';

/** Fuels at national, county and station level. */
export const FUEL_CODE = {
  petrol: 'benzina_standard',
  petrol_premium: 'benzina_premium',
  diesel: 'motorina_standard',
  diesel_premium: 'motorina_premium',
  lpg: 'gpl',
  adblue: 'adblue',
} as const satisfies Record<Fuel, string>;

/** Fuels in city and network objects. */
export const SHORT_FUEL_CODE = {
  petrol: 'benzina',
  petrol_premium: 'benzina_premium',
  diesel: 'motorina',
  diesel_premium: 'motorina_premium',
  lpg: 'gpl',
} as const satisfies Record<RoadFuel, string>;

export type FuelCode = (typeof FUEL_CODE)[Fuel];
export type RoadFuelCode = (typeof FUEL_CODE)[RoadFuel];

export const FUEL_CODES: readonly FuelCode[] = FUELS.map((fuel) => FUEL_CODE[fuel]);
export const ROAD_FUEL_CODES: readonly RoadFuelCode[] = ROAD_FUELS.map((fuel) => FUEL_CODE[fuel]);

/** An object with one member per fuel, keyed by its code, in the contract's order. */
export function byFuelCode<F extends Fuel, const C extends Readonly<Record<F, string>>, V>(
  fuels: readonly F[],
  codes: C,
  member: (fuel: F) => V,
): Record<C[F], V> {
  return Object.fromEntries(fuels.map((fuel) => [codes[fuel], member(fuel)])) as Record<C[F], V>;
}
