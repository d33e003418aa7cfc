/** What the OpenAPI document offers to ask for, and requests that it says are good. */

import { encoded } from './hostile-strings.ts';
import type { Dice } from './seeded-random.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it comes; what is missing in it is undefined
export type Json = any;

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
  readonly example?: unknown;
};

export type Operation = {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** As the document writes it, e.g. `/api/v1/judete/{judet}`. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** Of the JSON body; `null` = the operation takes none. */
  readonly body: Json | null;
  readonly bodyExamples: readonly unknown[];
  readonly takesKey: boolean;
  readonly needsKey: boolean;
  readonly statuses: readonly number[];
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the document, in its order, with references resolved. */
export function operationsOf(document: Json): Operation[] {
  const own = resolver(document);
  const whole = (node: Json): Json => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(whole);
    return Object.fromEntries(Object.entries<Json>(own(node)).map(([key, each]) => [key, whole(each)]));
  };
  return Object.entries<Json>(document.paths).flatMap(([template, item]) =>
    METHODS.filter((method) => item[method]).map((method): Operation => {
      const { operationId, parameters = [], requestBody, responses, security = [] } = item[method];
      const content = own(requestBody)?.content?.['application/json'];
      return {
        id: operationId,
        method: method.toUpperCase(),
        template,
        parameters: [...(item.parameters ?? []), ...parameters].map(own),
        body: content ? whole(content.schema) : null,
        bodyExamples: [
          content?.example,
          ...Object.values<Json>(content?.examples ?? {}).map((each) => own(each)?.value),
        ].filter((example) => example !== undefined),
        takesKey: security.some((way: object) => Object.keys(way).length > 0),
        needsKey: security.length > 0 && security.every((way: object) => Object.keys(way).length > 0),
        statuses: Object.keys(responses).map(Number),
      };
    }),
  );
}

/** Values of parameters, headers and fields of bodies that are really there to be found: ids of stations, keys. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** The address of a good request: every required parameter, each of the others by chance. */
export function goodTarget(
  { template, parameters }: Operation,
  known: Known,
  dice: Dice,
): { path: string; query: string[] } {
  const value = (parameter: Parameter) => encoded(String(goodValue(parameter, known, dice)));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter ? value(parameter) : 'x';
  });
  const sent = parameters.filter((each) => each.in === 'query' && (each.required || dice.percent(45)));
  return { path, query: sensible(sent).map((each) => `${each.name}=${value(each)}`) };
}

/** A good body, or `null` where the operation takes none. */
export function goodBody({ body, bodyExamples }: Operation, known: Known, dice: Dice): Json {
  if (body === null) return null;
  if (bodyExamples.length > 0 && dice.percent(40)) return structuredClone(dice.oneOf(bodyExamples));
  return allowed(body, dice, known);
}

/** A body with every field, each with a value that is known where one is. */
export function wholeBody({ body }: Operation, known: Known, dice: Dice): Json {
  const value = (name: string, schema: Json) => (known[name] ? dice.oneOf(known[name]) : allowed(schema, dice, known));
  return Object.fromEntries(
    Object.entries<Json>(body?.properties ?? {}).map(([name, schema]) => [name, value(name, schema)]),
  );
}

/** Of a good request, the query without one parameter: those that must be there, and the other half of a point. */
export function companions({ parameters }: Operation, own: string, known: Known, dice: Dice): string[] {
  const halves = own === 'lat' ? ['lng'] : ['lon', 'lng'].includes(own) ? ['lat'] : [];
  return parameters
    .filter(({ name, in: where, required }) => where === 'query' && name !== own && (required || halves.includes(name)))
    .map((each) => `${each.name}=${encoded(String(each.example ?? goodValue(each, known, dice)))}`);
}

/** What the document says in words only: not both names of one value (decision 10), and no coordinate alone (13). */
function sensible(sent: readonly Parameter[]): Parameter[] {
  const names = sent.map(({ name }) => name);
  const longitude = names.includes('lon') ? 'lon' : 'lng';
  const point = names.includes('lat') && names.includes(longitude) ? ['lat', longitude] : [];
  return sent.filter(({ name }) => !['lat', 'lon', 'lng'].includes(name) || point.includes(name));
}

function goodValue({ name, schema, example }: Parameter, known: Known, dice: Dice): unknown {
  const values = known[name];
  if (values && values.length > 0 && dice.percent(60)) return dice.oneOf(values);
  if (example !== undefined && dice.percent(50)) return example;
  return allowed(schema, dice, known);
}

/** A value that a schema allows, as far as the schemas of one API go. */
function allowed(schema: Json, dice: Dice, known: Known): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.oneOf(schema.enum);
  if (schema.anyOf ?? schema.oneOf) return allowed(dice.oneOf(schema.anyOf ?? schema.oneOf), dice, known);
  if (schema.default !== undefined && dice.percent(30)) return schema.default;
  switch (Array.isArray(schema.type) ? dice.oneOf<string>(schema.type) : schema.type) {
    case 'integer':
      return dice.whole(schema.minimum ?? 1, schema.maximum ?? 100);
    case 'number':
      return Number(
        (dice.whole(1000 * (schema.minimum ?? 1), 1000 * (schema.maximum ?? 60)) / 1000).toFixed(dice.whole(0, 3)),
      );
    case 'boolean':
      return dice.percent(50);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: dice.whole(0, 3) }, () => allowed(schema.items ?? {}, dice, known));
    case 'object':
      return objectOf(schema, dice, known);
    default:
      return dice.oneOf(['Cluj-Napoca', 'București', 'a b', 'Petrom', 'x', 'Turda']).slice(0, schema.maxLength);
  }
}

function objectOf({ properties = {}, required = [] }: Json, dice: Dice, known: Known): Json {
  const sent = Object.entries<Json>(properties).filter(([name]) => required.includes(name) || dice.percent(50));
  const value = (name: string, schema: Json) =>
    known[name] && dice.percent(70) ? dice.oneOf(known[name]) : allowed(schema, dice, known);
  return Object.fromEntries(sent.map(([name, schema]) => [name, value(name, schema)]));
}

/** Follows `$ref`, one level after the other. */
function resolver(document: Json) {
  const own = (node: Json): Json => {
    if (typeof node?.$ref !== 'string') return node;
    const keys = node.$ref
      .slice(2)
      .split('/')
      .map((key: string) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
    return own(keys.reduce((at: Json, key: string) => at?.[key], document));
  };
  return own;
}
