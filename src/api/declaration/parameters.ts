/**
 * Parameters of an endpoint: one table defines both the parsing and the OpenAPI description. Values are parsed once, at
 * the boundary, and trusted afterwards.
 */
import type { TSchema } from 'typebox';
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { Type } from '../../json/json-schema.ts';
import { EXPECTED_VALUES, MESSAGES, PARAMETER_MESSAGES } from '../contract/messages.ts';
import { parseQuery, type Query } from '../request/request-target.ts';
import { type Problem, problem } from '../response/problem.ts';

/** A value, or what would have been correct, worded to complete "se așteaptă …". */
type ParameterResult<V> = { readonly value: V } | { readonly expected: string };

export type Parameter<V> = {
  readonly in: 'query' | 'path';
  /** A second name for the same value; a request with both is refused. */
  readonly alias?: string;
  readonly description: LocalizedText;
  readonly schema: TSchema;
  readonly example?: string | number;
  /** Whether it holds several values, separated by commas. */
  readonly isList?: true;
  /** Whether a request without it is refused. */
  readonly required?: true;
  /** `undefined` = not sent. */
  readonly parse: (sent: string | undefined) => ParameterResult<V>;
};

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;
export type ParameterValues<T extends ParameterTable> = {
  readonly [K in keyof T]: T[K] extends Parameter<infer V> ? V : never;
};

export type ParameterDescription = { description: LocalizedText; example?: string | number };

/** Free text; `''` when not sent. */
export function text({ description, example }: ParameterDescription): Parameter<string> {
  const parse = (sent: string | undefined) => ({ value: sent ?? '' });
  return { in: 'query', description, schema: Type.String(), ...(example !== undefined && { example }), parse };
}

/** A segment of the path. */
export function segment({ description, example }: ParameterDescription): Parameter<string> {
  return { ...text({ description, ...(example !== undefined && { example }) }), in: 'path' };
}

/** One of several fixed strings; empty or not sent = `undefined`. */
export function choice<V>(
  words: ReadonlyMap<string, V>,
  { description, example }: ParameterDescription,
): Parameter<V | undefined> {
  const values = [...words.keys()];
  return {
    in: 'query',
    description,
    schema: Type.Unsafe<string>({ type: 'string', enum: values }),
    ...(example !== undefined && { example }),
    parse(sent) {
      if (sent === undefined || sent === '') return { value: undefined };
      const value = words.get(sent);
      return value === undefined ? { expected: EXPECTED_VALUES.oneOf(values) } : { value };
    },
  };
}

type NumberRange = { readonly min: number; readonly max: number };

/** A decimal number, refused if out of range. `null` = not sent. */
export function decimal(
  { min, max }: NumberRange,
  about: ParameterDescription & { alias?: string },
): Parameter<number | null> {
  return {
    ...about,
    in: 'query',
    schema: Type.Number({ minimum: min, maximum: max }),
    parse(sent) {
      if (sent === undefined) return { value: null };
      const value = parseDecimal(sent);
      if (value === null) return { expected: EXPECTED_VALUES.number };
      return value < min || value > max ? { expected: EXPECTED_VALUES.between(min, max) } : { value };
    },
  };
}

/** A required decimal number, refused if out of range. */
export function requiredDecimal(range: NumberRange, about: ParameterDescription): Parameter<number> {
  const expected = EXPECTED_VALUES.between(range.min, range.max);
  const { parse, ...optional } = decimal(range, about);
  return {
    ...optional,
    required: true,
    parse(sent) {
      const result = parse(sent);
      if ('expected' in result) return result;
      return result.value === null ? { expected } : { value: result.value };
    },
  };
}

/** A decimal number, clamped to the range. */
export function clampedDecimal(
  { min, max }: NumberRange,
  fallback: number,
  about: ParameterDescription,
): Parameter<number> {
  return {
    ...about,
    in: 'query',
    schema: Type.Number({ default: fallback }),
    parse: orFallback(fallback, (sent) => {
      const value = parseDecimal(sent);
      return value === null ? { expected: EXPECTED_VALUES.number } : { value: Math.min(max, Math.max(min, value)) };
    }),
  };
}

/** A whole number from `min` on, capped at `max`. */
export function cappedInteger(
  { min, max }: NumberRange,
  fallback: number,
  about: ParameterDescription,
): Parameter<number> {
  return {
    ...about,
    in: 'query',
    schema: Type.Integer({ minimum: min, default: fallback }),
    parse: orFallback(fallback, (sent) => {
      const value = /^-?\d+$/.test(sent) ? Number(sent) : null;
      return value === null || value < min
        ? { expected: EXPECTED_VALUES.integerFrom(min) }
        : { value: Math.min(max, value) };
    }),
  };
}

/** Parses what was sent; the fallback when nothing was. */
function orFallback(fallback: number, parse: (sent: string) => ParameterResult<number>): Parameter<number>['parse'] {
  return (sent) => (sent === undefined ? { value: fallback } : parse(sent));
}

/** Rule 13: `1e999`, `0x1F`, `nan`, empty and blank are not numbers; neither are digits that overflow. */
export function parseDecimal(sent: string): number | null {
  const value = /^-?\d+(\.\d+)?$/.test(sent) ? Number(sent) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/**
 * The queries of an endpoint whose values are remembered: pollers send the same one again and again, and parsing it
 * costs a fifth of a small answer (measured with the feed of changes).
 */
const REMEMBERED_QUERIES = { count: 100, maxLength: 256 };

/** Parses the query of each request, undecoded, and the segments of its path. */
export function createParameterParser<T extends ParameterTable>(
  table: T,
): (query: string, segments: Readonly<Record<string, string>>) => ParsedParameters<T> {
  const remembered = new BoundedMap<ParsedParameters<T>>(REMEMBERED_QUERIES.count);
  // The values of a path would depend on its segments as well.
  const isQueryAlone = Object.values(table).every((parameter) => parameter.in === 'query');
  return (text, segments) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const query = parseQuery(text);
    if (query === null) return { problem: UNDECODABLE_QUERY };
    const parsed = parseParameters(table, query, segments);
    if (isQueryAlone && text.length <= REMEMBERED_QUERIES.maxLength) remembered.set(text, parsed);
    return parsed;
  };
}

type ParsedParameters<T extends ParameterTable> =
  | { readonly values: ParameterValues<T> }
  | { readonly problem: Problem };

/** All values of a table, or the refusal of the first wrong one. Unknown names are ignored. */
export function parseParameters<T extends ParameterTable>(
  table: T,
  query: Query,
  segments: Readonly<Record<string, string>>,
): ParsedParameters<T> {
  const values: Record<string, unknown> = {};
  for (const name in table) {
    const parameter = table[name] as Parameter<unknown>;
    const { alias } = parameter;
    const own = query.get(name);
    const other = alias === undefined ? undefined : query.get(alias);
    if (parameter.in === 'query' && (own?.length ?? 0) + (other?.length ?? 0) > 1) {
      return { problem: problem(400, PARAMETER_MESSAGES.sentTwice(alias === undefined ? [name] : [name, alias])) };
    }
    const sent = parameter.in === 'path' ? (segments[name] ?? '') : (own ?? other)?.[0];
    const result = parameter.parse(sent);
    if ('expected' in result) {
      const sentAs = own === undefined && other !== undefined ? (alias as string) : name;
      const message =
        sent === undefined
          ? PARAMETER_MESSAGES.notSent(name, result.expected)
          : PARAMETER_MESSAGES.wrong(sentAs, sent, result.expected);
      return { problem: problem(400, message) };
    }
    values[name] = result.value;
  }
  return { values: values as ParameterValues<T> };
}

/** The refusal of a query whose percent-encoding is not UTF-8. */
const UNDECODABLE_QUERY: Problem = problem(400, MESSAGES.undecodable);
