/**
 * Builds JSON Schemas as typebox does, with typebox's types: one declaration gives the schema and the type of its
 * values. typebox's own code is 370 modules, 6 MB in each process that serves, and does no more for these kinds.
 */
import type { TSchema, Type as TypeBox } from 'typebox';

type Keywords = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, TSchema>>;

/** Marks the schema of a property that an object may lack; whoever copies the schema's keywords leaves it behind. */
const OPTIONAL = Symbol('optional');

const kinds = {
  Array: (items: TSchema, keywords?: Keywords) => ({ type: 'array', items, ...keywords }),
  Boolean: (keywords?: Keywords) => ({ type: 'boolean', ...keywords }),
  Integer: (keywords?: Keywords) => ({ type: 'integer', ...keywords }),
  Literal: (value: string | number | boolean, keywords?: Keywords) => ({
    type: typeof value,
    const: value,
    ...keywords,
  }),
  Null: (keywords?: Keywords) => ({ type: 'null', ...keywords }),
  Number: (keywords?: Keywords) => ({ type: 'number', ...keywords }),
  Object: objectOf,
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: (keywords?: Keywords) => ({ type: 'string', ...keywords }),
  Union: (anyOf: readonly TSchema[], keywords?: Keywords) => ({ anyOf, ...keywords }),
  Unknown: (keywords?: Keywords) => ({ ...keywords }),
  Unsafe: (schema: Keywords) => ({ ...schema }),
};

/** The kinds of schemas, typed as those of typebox. */
export const Type = kinds as unknown as Pick<typeof TypeBox, keyof typeof kinds>;

function objectOf(properties: Properties, keywords?: Keywords) {
  const required = Object.entries(properties).flatMap(([name, schema]) =>
    Object.hasOwn(schema, OPTIONAL) ? [] : [name],
  );
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...keywords };
}
