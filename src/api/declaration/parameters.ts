/**
 * Parameters of an endpoint: one table gives the parsing and the OpenAPI description. Parsed at the door, trusted
 * inside.
 */
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { EXPECTED, MESSAGES, PARAMETER } from '../contract/messages.ts';
import type { Query } from '../request/request-target.ts';
import { type Problem, problem } from '../response/problem.ts';

/** A value, or what would have been right in words that end "se așteaptă …". */
type Read<V> = { readonly value: V } | { readonly expected: string };

export type Parameter<V> = {
  readonly in: 'query' | 'path';
  /** A second name for the same value; both at once are refused. */
  readonly alias?: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: string | number;
  /** Whether a request without it is refused. */
  readonly required?: true;
  /** `undefined` = not sent. */
  readonly read: (sent: string | undefined) => Read<V>;
};

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;
export type Values<T extends ParameterTable> = { readonly [K in keyof T]: T[K] extends Parameter<infer V> ? V : never };

type Description = { description: string; example?: string | number };

/** Free text; `''` when not sent. */
export function text({ description, example }: Description): Parameter<string> {
  const read = (sent: string | undefined) => ({ value: sent ?? '' });
  return { in: 'query', description, schema: Type.String(), ...(example !== undefined && { example }), read };
}

/** A segment of the path. */
export function segment({ description, example }: Description): Parameter<string> {
  return { ...text({ description, ...(example !== undefined && { example }) }), in: 'path' };
}

/** One of a few words; empty or not sent = `undefined`. */
export function choice<V>(
  words: ReadonlyMap<string, V>,
  { description, example }: Description,
): Parameter<V | undefined> {
  const values = [...words.keys()];
  return {
    in: 'query',
    description,
    schema: Type.Unsafe<string>({ type: 'string', enum: values }),
    ...(example !== undefined && { example }),
    read(sent) {
      if (sent === undefined || sent === '') return { value: undefined };
      const value = words.get(sent);
      return value === undefined ? { expected: EXPECTED.oneOf(values) } : { value };
    },
  };
}

type Range = { readonly min: number; readonly max: number };

/** A decimal number; out of range it is refused. `null` = not sent. */
export function decimal({ min, max }: Range, about: Description & { alias?: string }): Parameter<number | null> {
  return {
    ...about,
    in: 'query',
    schema: Type.Number({ minimum: min, maximum: max }),
    read(sent) {
      if (sent === undefined) return { value: null };
      const value = readDecimal(sent);
      if (value === null) return { expected: EXPECTED.number };
      return value < min || value > max ? { expected: EXPECTED.between(min, max) } : { value };
    },
  };
}

/** A decimal number that must be sent; out of range it is refused. */
export function requiredDecimal(range: Range, about: Description): Parameter<number> {
  const expected = EXPECTED.between(range.min, range.max);
  const { read, ...optional } = decimal(range, about);
  return {
    ...optional,
    required: true,
    read(sent) {
      const done = read(sent);
      if ('expected' in done) return done;
      return done.value === null ? { expected } : { value: done.value };
    },
  };
}

/** A decimal number; out of range it is brought to the nearer end. */
export function clampedDecimal({ min, max }: Range, fallback: number, about: Description): Parameter<number> {
  return {
    ...about,
    in: 'query',
    schema: Type.Number({ default: fallback }),
    read(sent) {
      if (sent === undefined) return { value: fallback };
      const value = readDecimal(sent);
      return value === null ? { expected: EXPECTED.number } : { value: Math.min(max, Math.max(min, value)) };
    },
  };
}

/** A whole number from `min` on; above `max` it is `max`. */
export function cappedWhole({ min, max }: Range, fallback: number, about: Description): Parameter<number> {
  return {
    ...about,
    in: 'query',
    schema: Type.Integer({ minimum: min, default: fallback }),
    read(sent) {
      if (sent === undefined) return { value: fallback };
      const value = /^-?\d+$/.test(sent) ? Number(sent) : null;
      return value === null || value < min ? { expected: EXPECTED.wholeFrom(min) } : { value: Math.min(max, value) };
    },
  };
}

/** Decision 13: `1e999`, `0x1F`, `nan`, empty and spaces are no numbers; digits enough to overflow neither. */
function readDecimal(sent: string): number | null {
  const value = /^-?\d+(\.\d+)?$/.test(sent) ? Number(sent) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** All values of a table, or the refusal of the first that is wrong. Names that are not ours are passed over. */
export function readParameters<T extends ParameterTable>(
  table: T,
  query: Query,
  segments: Readonly<Record<string, string>>,
): { values: Values<T> } | { problem: Problem } {
  const values: Record<string, unknown> = {};
  for (const name in table) {
    const parameter = table[name] as Parameter<unknown>;
    const { alias } = parameter;
    const own = query.get(name);
    const other = alias === undefined ? undefined : query.get(alias);
    if (parameter.in === 'query' && (own?.length ?? 0) + (other?.length ?? 0) > 1) {
      return { problem: problem(400, PARAMETER.sentTwice(alias === undefined ? [name] : [name, alias])) };
    }
    const sent = parameter.in === 'path' ? (segments[name] ?? '') : (own ?? other)?.[0];
    const read = parameter.read(sent);
    if ('expected' in read) {
      const sentAs = own === undefined && other !== undefined ? (alias as string) : name;
      const message =
        sent === undefined ? PARAMETER.notSent(name, read.expected) : PARAMETER.wrong(sentAs, sent, read.expected);
      return { problem: problem(400, message) };
    }
    values[name] = read.value;
  }
  return { values: values as Values<T> };
}

/** The refusal of a query that is not UTF-8 under its percent signs. */
export const UNDECODABLE: Problem = problem(400, MESSAGES.undecodable);
