/** Parameters that narrow and order a list. */
import { Type } from 'typebox';
import type { BoundingBox } from '../../domain/point.ts';
import { EXPECTED_VALUES } from '../contract/messages.ts';
import { type Parameter, type ParameterDescription, parseDecimal } from './parameters.ts';

const ON = ['1', 'true', 'yes', 'da'];
const OFF = ['0', 'false', 'no', 'nu'];

/** A switch: off if empty or not sent. */
export function flag(about: ParameterDescription): Parameter<boolean> {
  return {
    ...about,
    in: 'query',
    schema: Type.Unsafe<string>({ type: 'string', enum: [...ON, ...OFF] }),
    parse(sent = '') {
      if (ON.includes(sent)) return { value: true };
      const isOff = sent === '' || OFF.includes(sent);
      return isOff ? { value: false } : { expected: EXPECTED_VALUES.oneOf([...ON, ...OFF]) };
    },
  };
}

/** A whole number from `min` on; `null` = not sent. */
export function optionalInteger(
  { min }: { readonly min: number },
  about: ParameterDescription,
): Parameter<number | null> {
  return {
    ...about,
    in: 'query',
    schema: Type.Integer({ minimum: min }),
    parse(sent) {
      if (sent === undefined) return { value: null };
      const value = /^\d{1,9}$/.test(sent) ? Number(sent) : null;
      return value === null || value < min ? { expected: EXPECTED_VALUES.integerFrom(min) } : { value };
    },
  };
}

/** Texts separated by commas, at most `most`; `null` = not sent or empty. */
export function list(
  { most }: { readonly most: number },
  about: ParameterDescription,
): Parameter<readonly string[] | null> {
  return {
    ...about,
    in: 'query',
    isList: true,
    schema: Type.Array(Type.String(), { maxItems: most }),
    parse(sent = '') {
      if (sent.trim() === '') return { value: null };
      const parts = sent.split(',', most + 1).map((part) => part.trim());
      return parts.length > most
        ? { expected: EXPECTED_VALUES.listUpTo(most) }
        : { value: parts.filter((part) => part !== '') };
    },
  };
}

/** A bounding box in the order of GeoJSON (RFC 7946, 5): west, south, east, north; `null` = not sent or empty. */
export function boundingBox(about: ParameterDescription): Parameter<BoundingBox | null> {
  return {
    ...about,
    in: 'query',
    isList: true,
    schema: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
    parse(sent = '') {
      if (sent.trim() === '') return { value: null };
      const numbers = sent.split(',', 5).map(parseDecimal);
      const [west, south, east, north] = numbers;
      const expected = { expected: EXPECTED_VALUES.boundingBox };
      if (numbers.length !== 4 || west == null || south == null || east == null || north == null) return expected;
      const isOnEarth = west >= -180 && east <= 180 && south >= -90 && north <= 90;
      return isOnEarth && west <= east && south <= north ? { value: { west, south, east, north } } : expected;
    },
  };
}
