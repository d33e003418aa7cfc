/** Reads JSON Schemas of the API into types; refuses what the clients could only describe wrongly. */
import { type ApiType, capitalised, type Field, type Model } from './api-types.ts';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
};

/** Keywords that say nothing about the type. */
const NOT_ABOUT_TYPES =
  /^(description|title|default|deprecated|readOnly|examples?|format|pattern|(min|max)(Length|imum)|exclusive(Min|Max)imum|multipleOf|uniqueItems)$/;
const READ = /^(\$ref|type|enum|const|anyOf|oneOf|items|minItems|maxItems|properties|required|additionalProperties)$/;
/** Longer lists of a fixed length are lists: a tuple of 30 days helps nobody. */
const LONGEST_TUPLE = 4;

/** Reads schemas; objects within them get a name of their own, after where they occur, and end up in `models`. */
export class SchemaReader {
  readonly models: Model[] = [];

  /** The model of a component; `name` is also the beginning of the names of objects within it. */
  readComponent(name: string, schema: Schema): void {
    const known = capitalised(name);
    if (schema.properties !== undefined) this.models.push({ name: known, fields: this.#fields(known, schema) });
    else this.models.push({ name: known, same: this.readType(schema, known) });
  }

  /** @param place names an object that the schema describes within another one. */
  readType(schema: Schema, place: string): ApiType {
    refuseUnknownKeywords(schema, place);
    const { $ref, anyOf, oneOf, type } = schema;
    if ($ref !== undefined) return { kind: 'named', name: capitalised($ref.split('/').at(-1) ?? '') };
    const members = anyOf ?? oneOf;
    if (members !== undefined) return union(members.map((member, at) => this.readType(member, `${place}${at + 1}`)));
    if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] };
    if (schema.enum !== undefined) return enumeration(schema.enum);
    if (type === undefined) return { kind: 'plain', name: 'unknown' };
    return union([type].flat().map((each) => this.#typeNamed(each, schema, place)));
  }

  #typeNamed(type: string, schema: Schema, place: string): ApiType {
    if (type === 'array') return this.#list(schema, place);
    if (type === 'object') return this.#object(schema, place);
    if (!isPlain(type)) throw new Error(`${place}: the clients know no type "${type}"`);
    return { kind: 'plain', name: type };
  }

  #list({ items = {}, minItems, maxItems }: Schema, place: string): ApiType {
    const each = this.readType(items, place);
    if (minItems === undefined || minItems !== maxItems || minItems > LONGEST_TUPLE)
      return { kind: 'list', items: each };
    return { kind: 'tuple', items: each, length: minItems };
  }

  #object(schema: Schema, place: string): ApiType {
    const { properties, additionalProperties } = schema;
    if (properties === undefined) {
      const values = typeof additionalProperties === 'object' ? additionalProperties : {};
      return { kind: 'map', values: this.readType(values, place) };
    }
    this.models.push({ name: place, fields: this.#fields(place, schema) });
    return { kind: 'named', name: place };
  }

  #fields(place: string, { properties = {}, required = [] }: Schema): Field[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.readType(schema, `${place}${capitalised(name).replaceAll(/\W|_/g, '')}`),
      required: required.includes(name),
      description: schema.description ?? '',
    }));
  }
}

function refuseUnknownKeywords(schema: Schema, place: string): void {
  const unknown = Object.keys(schema).filter((key) => !NOT_ABOUT_TYPES.test(key) && !READ.test(key));
  if (unknown.length > 0)
    throw new Error(`${place}: clients/generator/read-schema.ts cannot read the keyword ${unknown.join(', ')}`);
}

function enumeration(values: NonNullable<Schema['enum']>): ApiType {
  const literals = values.filter((value) => value !== null);
  const type: ApiType = { kind: 'literals', values: literals };
  return literals.length === values.length ? type : union([type, { kind: 'plain', name: 'null' }]);
}

function union(members: readonly ApiType[]): ApiType {
  const [only, ...others] = members;
  if (only === undefined) throw new Error('a type without any value');
  return others.length === 0 ? only : { kind: 'union', members };
}

function isPlain(type: string): type is 'string' | 'number' | 'integer' | 'boolean' | 'null' {
  return ['string', 'number', 'integer', 'boolean', 'null'].includes(type);
}
