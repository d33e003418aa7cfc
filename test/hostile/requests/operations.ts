/** The operations of an OpenAPI document, and good requests to them. */

import { encoded } from './hostile-strings.ts';
import type { SeededRandom } from './seeded-random.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document has no type; what it lacks is undefined
export type Json = any;

export type OperationParameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
  readonly example?: unknown;
};

export type Operation = {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** The path in the document, such as `/api/v1/judete/{judet}`. */
  readonly template: string;
  readonly parameters: readonly OperationParameter[];
  /** The schema of the body; `null` = the operation has none. */
  readonly body: Json | null;
  readonly bodyType: BodyType;
  readonly bodyExamples: readonly unknown[];
  readonly takesKey: boolean;
  readonly needsKey: boolean;
  readonly statuses: readonly number[];
  /** Media types of its 200 answer beside JSON. */
  readonly otherTypes: readonly string[];
  /** Whether the site answers it, with a page in words or with a file; else the API, as its document says. */
  readonly isOfSite: boolean;
};

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded'] as const;
type BodyType = (typeof BODY_TYPES)[number];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Every operation of the document, in order, with references resolved; without streams, which end only after a minute,
 * and without the test of a webhook, which calls an address of others; both have tests of their own.
 */
export function operationsOf(document: Json): Operation[] {
  const resolveRef = refResolver(document);
  const resolveDeep = (node: Json): Json => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(resolveDeep);
    return Object.fromEntries(Object.entries<Json>(resolveRef(node)).map(([key, each]) => [key, resolveDeep(each)]));
  };
  return Object.entries<Json>(document.paths).flatMap(([template, item]) =>
    METHODS.filter(
      (method) => item[method] && !isStream(item[method]) && item[method].operationId !== 'testWebhook',
    ).map((method): Operation => {
      const { operationId, parameters = [], requestBody, responses, security = [] } = item[method];
      const contents = resolveRef(requestBody)?.content ?? {};
      const bodyType = BODY_TYPES.find((type) => type in contents) ?? 'application/json';
      const content = contents[bodyType];
      return {
        id: operationId,
        method: method.toUpperCase(),
        template,
        parameters: [...(item.parameters ?? []), ...parameters].map(resolveRef),
        body: content ? resolveDeep(content.schema) : null,
        bodyType,
        bodyExamples: [
          content?.example,
          ...Object.values<Json>(content?.examples ?? {}).map((each) => resolveRef(each)?.value),
        ].filter((example) => example !== undefined),
        takesKey: security.some((scheme: object) => Object.keys(scheme).length > 0),
        needsKey: security.length > 0 && security.every((scheme: object) => Object.keys(scheme).length > 0),
        statuses: Object.keys(responses).map(Number),
        otherTypes: Object.keys(resolveRef(responses[200])?.content ?? {}).filter((type) => type !== BODY_TYPES[0]),
        isOfSite: false,
      };
    }),
  );
}

const isStream = ({ responses }: Json) => responses[200]?.content?.['text/event-stream'] !== undefined;

/** Existing values of parameters, headers and body fields, such as ids of stations and keys, by name. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** The address of a good request with every required parameter and a random choice of the others. */
export function goodTarget(
  { template, parameters }: Operation,
  known: KnownValues,
  random: SeededRandom,
): { path: string; query: string[] } {
  const value = (parameter: OperationParameter) => encoded(String(goodValue(parameter, known, random)));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter ? value(parameter) : 'x';
  });
  const sent = parameters.filter((each) => each.in === 'query' && (each.required || random.percent(45)));
  return { path, query: withoutConflicts(sent).map((each) => `${each.name}=${value(each)}`) };
}

/** Of their bodies a schema cannot say what is good: public addresses, and places that are served. */
const KNOWN_BY_EXAMPLE = new Set(['createWebhook', 'changeWebhook', 'replayWebhook']);

/** A good body; `null` where the operation has none. */
export function goodBody({ id, body, bodyExamples }: Operation, known: KnownValues, random: SeededRandom): Json {
  if (body === null) return null;
  const share = KNOWN_BY_EXAMPLE.has(id) ? 100 : 40;
  if (bodyExamples.length > 0 && random.percent(share)) return structuredClone(random.oneOf(bodyExamples));
  return valueForSchema(body, random, known);
}

/** The bytes of a body of the operation. */
export function bodyBytes({ bodyType }: Operation, body: Json): Buffer {
  return Buffer.from(bodyType === 'application/json' ? JSON.stringify(body) : String(new URLSearchParams(body)));
}

/** A body with every field, with known values where there are any. */
export function wholeBody({ body }: Operation, known: KnownValues, random: SeededRandom): Json {
  const value = (name: string, schema: Json) =>
    known[name] ? random.oneOf(known[name]) : valueForSchema(schema, random, known);
  return Object.fromEntries(
    Object.entries<Json>(body?.properties ?? {}).map(([name, schema]) => [name, value(name, schema)]),
  );
}

/** Parameters that must accompany another one: the required ones, and the other coordinate of a point. */
export function companions({ parameters }: Operation, own: string, known: KnownValues, random: SeededRandom): string[] {
  const halves = own === 'lat' ? ['lng'] : ['lon', 'lng'].includes(own) ? ['lat'] : [];
  return parameters
    .filter(({ name, in: where, required }) => where === 'query' && name !== own && (required || halves.includes(name)))
    .map((each) => `${each.name}=${encoded(String(each.example ?? goodValue(each, known, random)))}`);
}

/**
 * Leaves out what schemas cannot express: both names of one value (rule 10), single coordinates (rule 13), and the
 * order by distance without a point.
 */
function withoutConflicts(sent: readonly OperationParameter[]): OperationParameter[] {
  const names = sent.map(({ name }) => name);
  const longitude = names.includes('lon') ? 'lon' : 'lng';
  const point = names.includes('lat') && names.includes(longitude) ? ['lat', longitude] : [];
  return sent
    .filter(({ name }) => !['lat', 'lon', 'lng'].includes(name) || point.includes(name))
    .map((each) => (each.name === 'sort' && point.length === 0 ? withoutDistance(each) : each));
}

function withoutDistance({ schema, ...sort }: OperationParameter): OperationParameter {
  return { ...sort, schema: { ...schema, enum: schema.enum.filter((order: string) => order !== 'distanta') } };
}

/** A box whose sides are in their order, which its schema cannot express. */
function goodBox(random: SeededRandom): number[] {
  const [west, south] = [random.integer(-180, 180), random.integer(-90, 90)];
  return [west, south, random.integer(west, 180), random.integer(south, 90)];
}

function goodValue({ name, schema, example }: OperationParameter, known: KnownValues, random: SeededRandom): unknown {
  const values = known[name];
  if (values && values.length > 0 && random.percent(60)) return random.oneOf(values);
  if (example !== undefined && random.percent(50)) return example;
  return name === 'bbox' ? goodBox(random) : valueForSchema(schema, random, known);
}

/** A value that a schema allows; supports the keywords that this API uses. */
function valueForSchema(schema: Json, random: SeededRandom, known: KnownValues): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.oneOf(schema.enum);
  if (schema.anyOf ?? schema.oneOf) return valueForSchema(random.oneOf(schema.anyOf ?? schema.oneOf), random, known);
  if (schema.default !== undefined && random.percent(30)) return schema.default;
  switch (Array.isArray(schema.type) ? random.oneOf<string>(schema.type) : schema.type) {
    case 'integer':
      return random.integer(schema.minimum ?? 1, schema.maximum ?? 100);
    case 'number':
      return Number(
        (random.integer(1000 * (schema.minimum ?? 1), 1000 * (schema.maximum ?? 60)) / 1000).toFixed(
          random.integer(0, 3),
        ),
      );
    case 'boolean':
      return random.percent(50);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: random.integer(0, 3) }, () => valueForSchema(schema.items ?? {}, random, known));
    case 'object':
      return objectOf(schema, random, known);
    default:
      return random.oneOf(['Cluj-Napoca', 'București', 'a b', 'Petrom', 'x', 'Turda']).slice(0, schema.maxLength);
  }
}

function objectOf({ properties = {}, required = [] }: Json, random: SeededRandom, known: KnownValues): Json {
  const sent = Object.entries<Json>(properties).filter(([name]) => required.includes(name) || random.percent(50));
  const value = (name: string, schema: Json) =>
    known[name] && random.percent(70) ? random.oneOf(known[name]) : valueForSchema(schema, random, known);
  return Object.fromEntries(sent.map(([name, schema]) => [name, value(name, schema)]));
}

/** Resolves a `$ref`, and the references it leads to. */
function refResolver(document: Json) {
  const resolveRef = (node: Json): Json => {
    if (typeof node?.$ref !== 'string') return node;
    const keys = node.$ref
      .slice(2)
      .split('/')
      .map((key: string) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
    return resolveRef(keys.reduce((at: Json, key: string) => at?.[key], document));
  };
  return resolveRef;
}
