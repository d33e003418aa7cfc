/** How the documentation describes a schema: its type in short, and the fields of every object in it. */
import type { TSchema } from 'typebox';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { descriptionOf } from '../contract/localized-schema.ts';

/** Fields that share one meaning, e.g. one per fuel. */
export type FieldDescription = {
  readonly names: readonly string[];
  /** In JSON terms, e.g. `number | null`. */
  readonly type: string;
  readonly description: LocalizedText;
};

export type ObjectDescription = {
  /** The fields that contain such an object; empty = the body itself. */
  readonly heldBy: readonly string[];
  /** Whether those fields contain a list of such objects. */
  readonly list: boolean;
  readonly fields: readonly FieldDescription[];
};

/** The JSON Schema keywords that this module reads. */
type Schema = TSchema & {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
};

/** A type in short: `string[]`, `number | null`, `true`. */
export function typeOf(schema: TSchema): string {
  const { type, const: only, items } = schema as Schema;
  if (only !== undefined) return typeof only === 'string' ? `"${only}"` : String(only);
  if (type === 'array') {
    const item = items === undefined ? 'any' : typeOf(items);
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  return [type ?? 'any'].flat().join(' | ');
}

/** First the body's own fields, then those of each nested object, each schema once. */
export function objectsIn(schema: TSchema): readonly ObjectDescription[] {
  const found = new Map<Schema, { heldBy: string[]; list: boolean }>();
  collect(schema as Schema, '', false, found);
  return [...found].map(([object, held]) => ({ ...held, fields: fieldsOf(object) }));
}

/** The fields of all variants of a body, each name once. */
export function fieldsOfVariants(schema: TSchema): readonly FieldDescription[] {
  const { anyOf = [schema as Schema] } = schema as Schema;
  const fields = anyOf.flatMap(fieldsOf);
  return fields.filter(({ names: [name] }, at) => fields.findIndex(({ names }) => names[0] === name) === at);
}

function collect(
  schema: Schema,
  name: string,
  list: boolean,
  found: Map<Schema, { heldBy: string[]; list: boolean }>,
): void {
  const { properties, items } = schema;
  if (items !== undefined) collect(items, name, true, found);
  if (properties === undefined) return;
  const known = found.get(schema);
  if (known !== undefined) {
    known.heldBy.push(name);
    return;
  }
  found.set(schema, { heldBy: name === '' ? [] : [name], list });
  for (const [field, below] of Object.entries(properties)) collect(below, field, false, found);
}

function fieldsOf({ properties = {} }: Schema): readonly FieldDescription[] {
  const fields: { names: string[]; type: string; description: LocalizedText }[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const [type, description] = [typeOf(schema), descriptionOf(schema)];
    const last = fields.at(-1);
    if (last?.type === type && last.description.en === description.en) last.names.push(name);
    else fields.push({ names: [name], type, description });
  }
  return fields;
}
