/** How the documentation describes parameters and the fields of a posted body. */
import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { descriptionOf } from '../contract/localized-schema.ts';
import type { FieldTable } from './body-fields.ts';
import type { ParameterTable } from './parameters.ts';
import { typeOf } from './schema-description.ts';

export type InputDescription = {
  readonly name: string;
  /** Another name for the same value; `null` = none. */
  readonly alias: string | null;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly type: string;
  /** The smallest and the largest accepted value; `null` = no such bound. */
  readonly minimum: number | null;
  /** Whether the minimum itself is refused. */
  readonly minimumExcluded: boolean;
  readonly maximum: number | null;
  /** The default if it is not sent; `null` = none. */
  readonly fallback: string | null;
  /** The values of an enumeration; empty = any value. */
  readonly values: readonly string[];
  readonly description: LocalizedText;
};

/** Parameters first, in the order of their declaration. */
export function describeInputs(parameters: ParameterTable, fields: FieldTable): readonly InputDescription[] {
  const sent = Object.entries(parameters).map(([name, { alias, schema, description, ...parameter }]) => ({
    name,
    alias: alias ?? null,
    in: parameter.in,
    required: parameter.required ?? parameter.in === 'path',
    ...bounds(schema),
    description,
  }));
  const posted = Object.entries(fields).map(([name, { schema, required = false }]) => ({
    name,
    alias: null,
    in: 'body' as const,
    required,
    ...bounds(schema),
    description: descriptionOf(schema),
  }));
  return [...sent, ...posted];
}

function bounds(schema: TSchema) {
  const { minimum, exclusiveMinimum, maximum, default: fallback, enum: values = [] } = schema as Bounds;
  return {
    type: typeOf(schema),
    minimum: minimum ?? exclusiveMinimum ?? null,
    minimumExcluded: exclusiveMinimum !== undefined,
    maximum: maximum ?? null,
    fallback: fallback === undefined || fallback === '' ? null : String(fallback),
    values,
  };
}

/** The JSON Schema keywords that this module reads. */
type Bounds = {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
  readonly enum?: readonly string[];
};
