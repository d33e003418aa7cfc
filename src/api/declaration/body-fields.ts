/** Fields of a JSON body: as with parameters, one table defines both the parsing and the OpenAPI description. */

import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { cleanVisitorText } from '../../domain/review.ts';
import { Type } from '../../json/json-schema.ts';
import { tryParseJsonBytes } from '../../json/try-parse-json.ts';
import { described } from '../contract/localized-schema.ts';
import { EXPECTED_VALUES, FIELD_MESSAGES, MESSAGES } from '../contract/messages.ts';
import { type Problem, problem } from '../response/problem.ts';

/** A value, or what would have been correct, worded to complete "se așteaptă …". */
type FieldResult<V> = { readonly value: V } | { readonly expected: string };

export type BodyField<V> = {
  readonly required?: boolean;
  readonly schema: TSchema;
  /** `undefined` = not sent. */
  readonly parse: (sent: unknown) => FieldResult<V>;
};

export type FieldTable = Readonly<Record<string, BodyField<unknown>>>;
export type FieldValues<T extends FieldTable> = {
  readonly [K in keyof T]: T[K] extends BodyField<infer V> ? V : never;
};

/** What was sent instead of a query: the body's bytes with their headers, or why there are none. */
export type RequestBody =
  | { readonly bytes: Buffer; readonly type: string | undefined; readonly coding?: string | undefined }
  | { readonly problem: Problem };

/** JSON with any parameters, of which `charset` may only be UTF-8. */
const JSON_TYPE = /^application\/json\s*(?:;(?!\s*charset\s*=)[^;]*|;\s*charset\s*=\s*"?utf-?8"?\s*)*$/i;

/** All values of a table, or the refusal of the first wrong field. Unknown ones are ignored, or refused if `strict`. */
export function parseBody<T extends FieldTable>(
  table: T,
  body: RequestBody,
  { strict = false } = {},
): { values: FieldValues<T> } | { problem: Problem } {
  if ('problem' in body) return body;
  if (!JSON_TYPE.test(body.type ?? '')) return { problem: problem(415, MESSAGES.bodyType) };
  // A body with a Content-Encoding is either encoded, which we do not decode, or labelled wrongly. Source: RFC 9110,
  // 15.5.16.
  if (!/^(identity)?$/i.test(body.coding ?? '')) {
    return { problem: problem(415, MESSAGES.bodyCompressed) };
  }
  const object = tryParseJsonBytes(body.bytes);
  if (object === undefined) return { problem: problem(400, MESSAGES.bodyNotJson) };
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { problem: problem(400, MESSAGES.bodyNotObject) };
  }
  const unknown = strict ? Object.keys(object).find((name) => !Object.hasOwn(table, name)) : undefined;
  if (unknown !== undefined) return { problem: problem(400, FIELD_MESSAGES.unknown(unknown, Object.keys(table))) };
  return parseFields(table, object as Readonly<Record<string, unknown>>);
}

/** All values of a table from an object, or the refusal of the first wrong field. Unknown fields are ignored. */
export function parseFields<T extends FieldTable>(
  table: T,
  object: Readonly<Record<string, unknown>>,
): { values: FieldValues<T> } | { problem: Problem } {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    const sent = Object.hasOwn(object, name) ? object[name] : undefined;
    const result = field.parse(sent);
    if ('expected' in result) {
      return {
        problem: problem(
          400,
          (sent === undefined ? FIELD_MESSAGES.missing : FIELD_MESSAGES.wrong)(name, result.expected),
        ),
      };
    }
    values[name] = result.value;
  }
  return { values: values as FieldValues<T> };
}

type FieldOptions = { readonly description: LocalizedText; readonly example?: string | number };

const exampleOf = ({ example }: FieldOptions) => (example === undefined ? {} : { examples: [example] });

/** A required text that is not blank; trimmed. */
export function requiredText(about: FieldOptions): BodyField<string> {
  return {
    required: true,
    schema: Type.String({ minLength: 1, ...described(about.description), ...exampleOf(about) }),
    parse: (sent) =>
      typeof sent === 'string' && sent.trim() !== '' ? { value: sent.trim() } : { expected: EXPECTED_VALUES.text },
  };
}

/** An optional text, cleaned for display; `''` = it has no visible characters. */
export function cleanedText(maxLength: number, fallback: string, about: FieldOptions): BodyField<string> {
  return {
    schema: Type.String({ maxLength, default: fallback, ...described(about.description), ...exampleOf(about) }),
    parse(sent = '') {
      const text = typeof sent === 'string' ? cleanVisitorText(sent, maxLength) : null;
      return text === null ? { expected: EXPECTED_VALUES.textUpTo(maxLength) } : { value: text };
    },
  };
}

/** A text as sent; `''` = not sent. */
export function rawText(about: FieldOptions): BodyField<string> {
  return {
    schema: Type.String({ ...described(about.description), ...exampleOf(about) }),
    parse: (sent = '') => (typeof sent === 'string' ? { value: sent } : { expected: EXPECTED_VALUES.text }),
  };
}

/** A required whole number. */
export function integerField(min: number, max: number, about: FieldOptions): BodyField<number> {
  return {
    required: true,
    schema: Type.Integer({ minimum: min, maximum: max, ...described(about.description), ...exampleOf(about) }),
    parse: (sent) =>
      typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max
        ? { value: sent }
        : { expected: EXPECTED_VALUES.integerBetween(min, max) },
  };
}

/** A required base64url value of this many bytes. */
export function bytesField(bytes: number, about: FieldOptions): BodyField<Buffer> {
  return {
    required: true,
    schema: Type.String({ pattern: BASE64URL.source, ...described(about.description), ...exampleOf(about) }),
    parse(sent) {
      const value = typeof sent === 'string' && BASE64URL.test(sent) ? Buffer.from(sent, 'base64url') : null;
      return value?.length === bytes ? { value } : { expected: EXPECTED_VALUES.bytes(bytes) };
    },
  };
}

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** A retired field: any value is accepted and ignored. */
export function ignoredField(description: LocalizedText): BodyField<undefined> {
  return { schema: Type.Unknown({ deprecated: true, ...described(description) }), parse: () => ({ value: undefined }) };
}

/** One of several fixed strings. */
export function choiceField<V>(words: ReadonlyMap<string, V>, fallback: string, about: FieldOptions): BodyField<V> {
  const values = [...words.keys()];
  return {
    schema: Type.Unsafe<string>({
      type: 'string',
      enum: values,
      default: fallback,
      ...described(about.description),
    }),
    parse(sent) {
      const value = sent === undefined ? fallback : sent;
      const known = typeof value === 'string' ? words.get(value) : undefined;
      return known === undefined ? { expected: EXPECTED_VALUES.oneOf(values) } : { value: known };
    },
  };
}

/** A number above 0, capped at `max`. */
export function positiveUpTo(max: number, fallback: number, about: FieldOptions): BodyField<number> {
  return {
    schema: Type.Number({ exclusiveMinimum: 0, default: fallback, ...described(about.description) }),
    parse(sent) {
      const value = sent === undefined ? fallback : sent;
      return typeof value === 'number' && Number.isFinite(value) && value > 0
        ? { value: Math.min(max, value) }
        : { expected: EXPECTED_VALUES.positive };
    },
  };
}
