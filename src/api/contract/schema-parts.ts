/** The parts that the schemas of the API's answers are built from. */
import type { TSchema } from 'typebox';
import { FUEL_NAME, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import { byFuelCode, FUEL_CODE, SHORT_FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';

/** Prices and texts that may be missing; a missing price is `null`, and 0 only in the legacy mode of `zeros`. */
export const nullable = {
  number: (text: LocalizedText) => Type.Unsafe<number | null>({ type: ['number', 'null'], ...described(text) }),
  integer: (text: LocalizedText) =>
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, ...described(text) }),
  string: (text: LocalizedText, format?: string) =>
    Type.Unsafe<string | null>({ type: ['string', 'null'], ...(format && { format }), ...described(text) }),
};

/** One of several fixed strings. */
export function oneOf<const W extends string>(words: readonly W[], text: LocalizedText) {
  return Type.Unsafe<W>({ type: 'string', enum: [...words], ...described(text) });
}

/** `true`, or absent. */
export const trueFlag = (text: LocalizedText) =>
  Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true, ...described(text) }));

/** A non-negative integer. */
export const countOf = (text: LocalizedText) => Type.Integer({ minimum: 0, ...described(text) });

/** An object without additional fields. `$id` makes it a named component of the OpenAPI document. */
export function strictObject<P extends Record<string, TSchema>>(properties: P, $id?: string, text?: LocalizedText) {
  return Type.Object(properties, { additionalProperties: false, ...($id && { $id }), ...(text && described(text)) });
}

export const DOUBT_CODES = ['blocat', 'observatie_veche', 'orfan_anpc'] as const;

/** Why a record has no price. */
export const MISSING_CODES = [
  'nu_se_vinde',
  'expirat',
  'incoerent',
  'fara_pret_publicat',
  'pret_invalid',
  'orfan_anpc',
] as const;

export const nullablePrice = ({ ro, en }: LocalizedText) =>
  nullable.number({
    ro: `${ro}, lei pe litru; null = nu există un astfel de preț.`,
    en: `${en}, RON per litre; null = no such price.`,
  });

const priceOf = (fuel: RoadFuel) => nullablePrice(FUEL_NAME[fuel]);

export const shortPriceFields = byFuelCode(ROAD_FUELS, SHORT_FUEL_CODE, priceOf);
export const longPriceFields = byFuelCode(ROAD_FUELS, FUEL_CODE, priceOf);

const OK_TEXT: LocalizedText = { ro: 'Mereu `ok`.', en: 'Always `ok`.' };
const ERROR_TEXT: LocalizedText = { ro: 'Mereu `error`.', en: 'Always `error`.' };
const MESSAGE_TEXT: LocalizedText = {
  ro: 'Explicație în română; nu face parte din contract.',
  en: 'Explanation in Romanian; not part of the contract.',
};

/** The fields that many answers share. */
export const statusOk = oneOf(['ok'], OK_TEXT);
export const statusError = oneOf(['error'], ERROR_TEXT);
export const romanianMessage = Type.String(described(MESSAGE_TEXT));
export const englishMessage = Type.String(described({ ro: 'Același lucru în engleză.', en: 'The same in English.' }));
export const latitude = Type.Number({
  minimum: -90,
  maximum: 90,
  ...described({ ro: 'Latitudine, grade WGS84.', en: 'Latitude, WGS84 degrees.' }),
});
export const longitude = Type.Number({
  minimum: -180,
  maximum: 180,
  ...described({ ro: 'Longitudine, grade WGS84.', en: 'Longitude, WGS84 degrees.' }),
});
