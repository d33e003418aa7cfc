/** The pieces that the shapes of the API's answers are made of. */
import { type TSchema, Type } from 'typebox';

/** Prices and texts that may be missing; a missing price is `null`, never 0, but for the legacy mode of `zeros`. */
export const nullable = {
  number: (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description }),
  integer: (description: string) => Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description }),
  string: (description: string, format?: string) =>
    Type.Unsafe<string | null>({ type: ['string', 'null'], ...(format && { format }), description }),
};

/** One of a few words. */
export function oneOf<const W extends string>(words: readonly W[], description: string) {
  return Type.Unsafe<W>({ type: 'string', enum: [...words], description });
}

/** `true`, and absent otherwise. */
export const trueFlag = (description: string) =>
  Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true, description }));

/** An object with no other fields than these. `$id` makes it a named component of the OpenAPI document. */
export function strictObject<P extends Record<string, TSchema>>(properties: P, $id?: string) {
  return Type.Object(properties, { additionalProperties: false, ...($id && { $id }) });
}

export const FUEL_CODES = [
  'benzina_standard',
  'benzina_premium',
  'motorina_standard',
  'motorina_premium',
  'gpl',
  'adblue',
] as const;
export const ROAD_FUEL_CODES = FUEL_CODES.slice(0, 5) as readonly Exclude<(typeof FUEL_CODES)[number], 'adblue'>[];
export const DOUBT_CODES = ['blocat', 'observatie_veche', 'orfan_anpc'] as const;

export const nullablePrice = (what: string) => nullable.number(`${what}, RON per litre; null = no such price.`);

export const shortPriceFields = {
  benzina: nullablePrice('Standard petrol'),
  benzina_premium: nullablePrice('Premium petrol'),
  motorina: nullablePrice('Standard diesel'),
  motorina_premium: nullablePrice('Premium diesel'),
  gpl: nullablePrice('LPG'),
};
export const longPriceFields = {
  benzina_standard: nullablePrice('Standard petrol'),
  benzina_premium: nullablePrice('Premium petrol'),
  motorina_standard: nullablePrice('Standard diesel'),
  motorina_premium: nullablePrice('Premium diesel'),
  gpl: nullablePrice('LPG'),
};
