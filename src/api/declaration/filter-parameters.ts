/** Parameters that narrow and order a list. */

import type { BoundingBox } from '../../domain/point.ts';
import { Type } from '../../json/json-schema.ts';
import { EXPECTED_VALUES } from '../contract/messages.ts';
import { type Parameter, type ParameterDescription, parseDecimal } from './parameters.ts';

/** What turns a switch on, compared exactly: `TRUE` is a different value. */
export const ON_WORDS: readonly string[] = ['1', 'true', 'yes', 'da'];
const OFF = ['0', 'false', 'no', 'nu'];

/** A switch: off if empty or not sent. */
export function flag(about: ParameterDescription): Parameter<boolean> {
  return {
    ...about,
    in: 'query',
    schema: Type.Unsafe<string>({ type: 'string', enum: [...ON_WORDS, ...OFF] }),
    parse(sent = '') {
      if (ON_WORDS.includes(sent)) return { value: true };
      const isOff = sent === '' || OFF.includes(sent);
      return isOff ? { value: false } : { expected: EXPECTED_VALUES.oneOf([...ON_WORDS, ...OFF]) };
    },
  };
}

/** More is as good as without a bound, and as long a number as a client likes. */
const MOST = 999_999_999;

/** A whole number from `min` on, capped at 999,999,999; `null` = not sent. */
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
      const value = /^\d+$/.test(sent) ? Math.min(MOST, Number(sent)) : null;
      return value === null || value < min ? { expected: EXPECTED_VALUES.integerFrom(min) } : { value };
    },
  };
}

/**
 * Different texts separated by commas, at most `most`; `null` = not sent. An empty list is one of nothing, so that a
 * client whose list became empty does not get everything.
 */
export function list(
  { most }: { readonly most: number },
  about: ParameterDescription,
): Parameter<readonly string[] | null> {
  return {
    ...about,
    in: 'query',
    isList: true,
    schema: Type.Array(Type.String(), { maxItems: most }),
    parse(sent) {
      if (sent === undefined) return { value: null };
      const parts = new Set(sent.split(',').map((part) => part.trim()));
      parts.delete('');
      return parts.size > most ? { expected: EXPECTED_VALUES.listUpTo(most) } : { value: [...parts] };
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
      const numbers = sent.split(',', 5).map((part) => parseDecimal(part.trim()));
      const [west, south, east, north] = numbers;
      const expected = { expected: EXPECTED_VALUES.boundingBox };
      if (numbers.length !== 4 || west == null || south == null || east == null || north == null) return expected;
      const isOnEarth = west >= -180 && east <= 180 && south >= -90 && north <= 90;
      return isOnEarth && west <= east && south <= north ? { value: { west, south, east, north } } : expected;
    },
  };
}
