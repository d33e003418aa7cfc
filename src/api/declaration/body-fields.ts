/** Fields of a JSON body: one table gives the parsing and the OpenAPI description, as with parameters. */
import { type TSchema, Type } from 'typebox';
import { cleanText } from '../../domain/review.ts';
import { EXPECTED, FIELD, MESSAGES } from '../contract/messages.ts';
import { type Problem, problem } from '../response/problem.ts';

/** A value, or what would have been right in words that end "se așteaptă …". */
type Read<V> = { readonly value: V } | { readonly expected: string };

export type Field<V> = {
  readonly required?: boolean;
  readonly schema: TSchema;
  /** `undefined` = not sent. */
  readonly read: (sent: unknown) => Read<V>;
};

export type FieldTable = Readonly<Record<string, Field<unknown>>>;
export type FieldValues<T extends FieldTable> = {
  readonly [K in keyof T]: T[K] extends Field<infer V> ? V : never;
};

/** What came in place of a query: the bytes of the body and how they are marked, or why there are none. */
export type SentBody =
  | { readonly bytes: Buffer; readonly type: string | undefined; readonly coding?: string | undefined }
  | { readonly problem: Problem };

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;.*)?$/i;

/** All values of a table, or the refusal of what is wrong first. Fields that are not ours are passed over. */
export function readBody<T extends FieldTable>(
  table: T,
  sent: SentBody,
): { values: FieldValues<T> } | { problem: Problem } {
  if ('problem' in sent) return sent;
  if (!JSON_TYPE.test(sent.type ?? '')) return { problem: problem(415, MESSAGES.bodyType) };
  // What is marked as coded is either coded, which we do not read, or marked wrongly. Source: RFC 9110, 15.5.16.
  if (!/^(identity)?$/i.test(sent.coding ?? '')) {
    return { problem: problem(415, MESSAGES.bodyCoded) };
  }
  const object = parsed(sent.bytes);
  if (object === undefined) return { problem: problem(400, MESSAGES.bodyBroken) };
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { problem: problem(400, MESSAGES.bodyNoObject) };
  }
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    const given = Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
    const read = field.read(given);
    if ('expected' in read) {
      return { problem: problem(400, (given === undefined ? FIELD.missing : FIELD.wrong)(name, read.expected)) };
    }
    values[name] = read.value;
  }
  return { values: values as FieldValues<T> };
}

/** The JSON value in the bytes; `undefined` = they are none, or not UTF-8. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

type About = { readonly description: string; readonly example?: string | number };

const exampleOf = ({ example }: About) => (example === undefined ? {} : { examples: [example] });

/** A text that must be there and not be blank; trimmed. */
export function requiredText(about: About): Field<string> {
  return {
    required: true,
    schema: Type.String({ minLength: 1, description: about.description, ...exampleOf(about) }),
    read: (sent) =>
      typeof sent === 'string' && sent.trim() !== '' ? { value: sent.trim() } : { expected: EXPECTED.text },
  };
}

/** A text that may be missing or empty, cleaned for being shown; `''` = nothing of it can be seen. */
export function cleanedText(most: number, fallback: string, about: About): Field<string> {
  return {
    schema: Type.String({ maxLength: most, default: fallback, description: about.description, ...exampleOf(about) }),
    read(sent = '') {
      const text = typeof sent === 'string' ? cleanText(sent, most) : null;
      return text === null ? { expected: EXPECTED.textUpTo(most) } : { value: text };
    },
  };
}

/** A text as it is; `''` = not sent. */
export function rawText(about: About): Field<string> {
  return {
    schema: Type.String({ description: about.description, ...exampleOf(about) }),
    read: (sent = '') => (typeof sent === 'string' ? { value: sent } : { expected: EXPECTED.text }),
  };
}

/** A whole number that must be there. */
export function wholeField(min: number, max: number, about: About): Field<number> {
  return {
    required: true,
    schema: Type.Integer({ minimum: min, maximum: max, description: about.description, ...exampleOf(about) }),
    read: (sent) =>
      typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max
        ? { value: sent }
        : { expected: EXPECTED.wholeBetween(min, max) },
  };
}

/** So many bytes in base64url, which must be there. */
export function bytesField(bytes: number, about: About): Field<Buffer> {
  return {
    required: true,
    schema: Type.String({ pattern: BASE64URL.source, description: about.description, ...exampleOf(about) }),
    read(sent) {
      const value = typeof sent === 'string' && BASE64URL.test(sent) ? Buffer.from(sent, 'base64url') : null;
      return value?.length === bytes ? { value } : { expected: EXPECTED.bytes(bytes) };
    },
  };
}

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** A field of earlier days: whatever it is, it changes nothing. */
export function ignoredField(description: string): Field<undefined> {
  return { schema: Type.Unknown({ deprecated: true, description }), read: () => ({ value: undefined }) };
}

/** One of a few words. */
export function choiceField<V>(words: ReadonlyMap<string, V>, fallback: string, about: About): Field<V> {
  const values = [...words.keys()];
  return {
    schema: Type.Unsafe<string>({
      type: 'string',
      enum: values,
      default: fallback,
      description: about.description,
    }),
    read(sent) {
      const value = sent === undefined ? fallback : sent;
      const known = typeof value === 'string' ? words.get(value) : undefined;
      return known === undefined ? { expected: EXPECTED.oneOf(values) } : { value: known };
    },
  };
}

/** A number above 0; above `max` it is `max`. */
export function positiveUpTo(max: number, fallback: number, about: About): Field<number> {
  return {
    schema: Type.Number({ exclusiveMinimum: 0, default: fallback, description: about.description }),
    read(sent) {
      const value = sent === undefined ? fallback : sent;
      return typeof value === 'number' && Number.isFinite(value) && value > 0
        ? { value: Math.min(max, value) }
        : { expected: EXPECTED.positive };
    },
  };
}
