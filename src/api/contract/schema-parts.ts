/** The pieces that the shapes of the API's answers are made of. */
import { type TSchema, Type } from 'typebox';

/** Prices and texts that may be missing; a missing price is `null`, never 0, but for the legacy mode of `zeros`. */
export const orNull = {
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
export const flag = (description: string) =>
  Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true, description }));

/** An object with no other fields than these. `$id` makes it a named component of the OpenAPI document. */
export function closed<P extends Record<string, TSchema>>(properties: P, $id?: string) {
  return Type.Object(properties, { additionalProperties: false, ...($id && { $id }) });
}

export const FUEL_WORDS = [
  'benzina_standard',
  'benzina_premium',
  'motorina_standard',
  'motorina_premium',
  'gpl',
  'adblue',
] as const;
export const ROAD_FUEL_WORDS = FUEL_WORDS.slice(0, 5) as readonly Exclude<(typeof FUEL_WORDS)[number], 'adblue'>[];
export const DOUBT_WORDS = ['blocat', 'observatie_veche', 'orfan_anpc'] as const;

export const price = (what: string) => orNull.number(`${what}, RON per litre; null = no such price.`);

export const shortPrices = {
  benzina: price('Standard petrol'),
  benzina_premium: price('Premium petrol'),
  motorina: price('Standard diesel'),
  motorina_premium: price('Premium diesel'),
  gpl: price('LPG'),
};
export const longPrices = {
  benzina_standard: price('Standard petrol'),
  benzina_premium: price('Premium petrol'),
  motorina_standard: price('Standard diesel'),
  motorina_premium: price('Premium diesel'),
  gpl: price('LPG'),
};
