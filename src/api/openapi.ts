/**
 * The OpenAPI 3.1 document, put together from the endpoint declarations. A schema of OpenAPI 3.1 is a JSON Schema, which
 * is what TypeBox makes, so nothing is translated: schemas with an `$id` become components.
 */
import type { TSchema } from 'typebox';
import { LICENCE, PAGES, SERVICE_NAME } from '../domain/plans.ts';
import type { Access } from './access.ts';
import { CORS_HEADERS, LICENCE_LINK } from './answer.ts';
import type { FieldTable } from './body-fields.ts';
import type { Documented, Endpoint } from './endpoint.ts';
import recorded from './examples.json' with { type: 'json' };
import { AnyLimitSchema, KeyLimitSchema, UnverifiedSchema } from './limit-schemas.ts';
import type { Parameter } from './parameters.ts';
import { NoSuchPathSchema, ProblemSchema } from './schemas.ts';
import { API_TAGS } from './tags.ts';

type Json = { [key: string]: unknown };

/** Answers recorded from a test world, by operation and status; a contract test keeps them true. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = recorded;

const DESCRIPTION = `Fuel prices in Romania (petrol, diesel, LPG) by city, county, station network and station.

Every endpoint answers without a key, with reduced data or tighter limits; an API key in the header \`X-Api-Key\` unlocks the full data set and a monthly quota. A missing price is \`null\`, never \`0\`.
Clients decide by the HTTP status and by structured fields: the text of \`message\` is Romanian and not part of the contract.

Every path also takes HEAD (as GET, without the body) and OPTIONS (204). Another method on a path is 405 with \`Allow\`; an unknown path under \`/api/\` is 404 and a retired one 410, both with \`message_en\` and \`docs\`.
Parameters that are not listed are ignored; a listed one sent twice is 400. Answers are compressed on request (br, zstd, gzip).`;

/** The document for a service that is reached at `publicUrl`. */
export function describeApi(endpoints: readonly Endpoint[], publicUrl: string): Json {
  const components = new Map<string, unknown>();
  const paths = Object.groupBy(endpoints, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pompa: fuel prices in Romania',
      version: '1.0.0',
      summary: 'Current and past fuel prices by city, county, network and station.',
      description: DESCRIPTION,
      license: LICENCE,
      contact: { name: SERVICE_NAME, url: `${publicUrl}${PAGES.docs.en}` },
    },
    servers: [{ url: publicUrl }],
    tags: Object.values(API_TAGS).map((name) => ({ name, description: TAG_TEXTS[name] })),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, each]) => [
        path,
        Object.fromEntries(
          (each ?? []).map((one) => [(one.method ?? 'GET').toLowerCase(), operation(one, components)]),
        ),
      ]),
    ),
    components: {
      responses: sharedResponses(components),
      headers: HEADERS,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Keep it server-side.' },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const TAG_TEXTS: Readonly<Record<string, string>> = {
  [API_TAGS.prices]: 'Prices by city, county, network and country.',
  [API_TAGS.stations]: 'Station records and price history.',
  [API_TAGS.places]: 'Names of cities.',
  [API_TAGS.push]: 'Price alerts to browsers.',
  [API_TAGS.germany]: 'A separate channel: stations in Germany, in EUR. It never mixes with the Romanian data.',
  [API_TAGS.reviews]: 'What visitors say of stations.',
  [API_TAGS.account]: 'Your key.',
  [API_TAGS.service]: 'The service about itself.',
};

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const always = (description: string, example: string) => ({ ...header(description, example), required: true });
const whole = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

const HEADERS = {
  CacheControl: always('How long the answer may be kept.', 'no-store'),
  License: always('The licence of the data.', LICENCE_LINK),
  AllowOrigin: header('Readable from a page of any origin; on GET only, and not where a key is asked about.', '*'),
  ExposeHeaders: header('What such a page may read besides the body.', CORS_HEADERS.at(-1) as string),
  Vary: always('The answer is coded as the client accepts.', 'Accept-Encoding'),
  Allow: always('The methods that the path takes.', 'GET, HEAD, OPTIONS'),
  RetryAfter: { ...whole('Seconds until a request may be accepted again.', 30), required: true },
  RateLimit: whole('The monthly quota of the key that was sent; with a valid key only.', 10_000),
  RateRemaining: whole('What is left of it this month; with a valid key only.', 9_874),
  RateReset: whole('When it begins anew, Unix time in seconds; with a valid key only.', 1_798_761_600),
};

const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

const COMMON_HEADERS = {
  'Cache-Control': headerRef('CacheControl'),
  Link: headerRef('License'),
  'Access-Control-Allow-Origin': headerRef('AllowOrigin'),
  'Access-Control-Expose-Headers': headerRef('ExposeHeaders'),
  Vary: headerRef('Vary'),
  'X-RateLimit-Limit': headerRef('RateLimit'),
  'X-RateLimit-Remaining': headerRef('RateRemaining'),
  'X-RateLimit-Reset': headerRef('RateReset'),
};

/** Refusals that any endpoint may give, by the name they have among the components. */
const SHARED: Readonly<Record<string, { readonly status: number; readonly when: string; readonly of?: 'POST' }>> = {
  BadRequest: {
    status: 400,
    when: 'A parameter is wrong or sent twice, or the request cannot be decoded. The message names the parameter, what was sent and what would be right.',
  },
  KeyRefused: { status: 401, when: 'A key was sent and is invalid or revoked.' },
  RequestSlow: { status: 408, when: 'The request did not arrive in time; the connection is closed.' },
  BodyTooLarge: { status: 413, when: 'The body has more than 16 KiB.', of: 'POST' },
  UrlTooLong: { status: 414, when: 'The path and query are too long.' },
  BodyType: { status: 415, when: 'The body is not marked as JSON in UTF-8.', of: 'POST' },
  HeadersTooLarge: { status: 431, when: 'The request headers are too large.' },
  Failure: { status: 500, when: 'An error of the service; the message carries a code to report.' },
};

/** Refusals of endpoints that take keys, and of those with a limit by the minute. */
const RATIONED = {
  KeyUnverified: {
    when: 'A key was sent and cannot be verified right now; it is not declared invalid.',
    schema: UnverifiedSchema,
  },
  KeyLimit: {
    when: 'The monthly quota of the key is used up (`limit`), or its short-term limits have no place (`retry_after_seconds` without `limit`).',
    schema: KeyLimitSchema,
  },
  AnyLimit: {
    when:
      'Without a key: the weekly cap of this endpoint is used (`next_allowed`). With one: its monthly quota is used up (`limit`), or its short-term ' +
      'limits have no place (`retry_after_seconds` alone). A crawler: too many requests a minute.',
    schema: AnyLimitSchema,
  },
  MinuteLimit: { when: 'More requests within a minute from one address than are allowed.', schema: ProblemSchema },
} as const;

function limitsOf({ key, withoutKey, pace }: Access): Json {
  if (key === 'none') return pace === undefined ? {} : { 429: responseRef('MinuteLimit') };
  const limit = withoutKey.weeklyCap === false ? 'KeyLimit' : 'AnyLimit';
  return { 429: responseRef(limit), 503: responseRef('KeyUnverified') };
}

const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });

function sharedResponses(components: Map<string, unknown>): Json {
  const schema = hoisted(ProblemSchema, components);
  const named = Object.entries(SHARED).map(([name, { when }]) => [name, response(when, schema)]);
  const rationed = Object.entries(RATIONED).map(([name, { when, schema: own }]) => [
    name,
    response(when, hoisted(own, components), { headers: { 'Retry-After': headerRef('RetryAfter') } }),
  ]);
  return {
    ...Object.fromEntries([...named, ...rationed]),
    MethodRefused: response('The path does not take this method; `Allow` names those it takes.', schema, {
      headers: { Allow: headerRef('Allow') },
    }),
    NoSuchPath: response(
      'The path does not exist (404), or not any more (410).',
      hoisted(NoSuchPathSchema, components),
    ),
  };
}

function response(description: string, schema: unknown, more: { headers?: Json; example?: unknown } = {}): Json {
  const { headers = {}, example } = more;
  return {
    description,
    headers: { ...COMMON_HEADERS, ...headers },
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

function operation(endpoint: Endpoint, components: Map<string, unknown>): Json {
  const { operationId, tag, summary, description, access, parameters, answers, fields } = endpoint;
  const { method = 'GET' } = endpoint;
  const own = Object.entries(answers).map(([status, documented]) => [
    status,
    documentedResponse(operationId, status, documented, components),
  ]);
  const refusals = Object.entries(SHARED)
    .filter(([name, { of = method }]) => of === method && (name !== 'KeyRefused' || access.key !== 'none'))
    .map(([name, { status }]) => [String(status), responseRef(name)]);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: { none: [], optional: [{}, { ApiKey: [] }], required: [{ ApiKey: [] }] }[access.key],
    parameters: Object.entries(parameters).flatMap(([name, parameter]) => described(name, parameter)),
    ...(fields && { requestBody: requestBody(operationId, fields, components) }),
    responses: { ...Object.fromEntries(refusals), ...limitsOf(access), ...Object.fromEntries(own) },
  };
}

function requestBody(operationId: string, fields: FieldTable, components: Map<string, unknown>): Json {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []));
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  const schema = { $id: `${operationId}Body`, type: 'object', required, properties };
  return { required: true, content: { 'application/json': { schema: hoisted(schema, components) } } };
}

function documentedResponse(
  operationId: string,
  status: string,
  { description, schema, cacheControl, retryAfter }: Documented,
  components: Map<string, unknown>,
): Json {
  const headers = {
    ...(cacheControl && { 'Cache-Control': always(HEADERS.CacheControl.description, cacheControl) }),
    ...(retryAfter && { 'Retry-After': headerRef('RetryAfter') }),
  };
  const example = EXAMPLES[operationId]?.[status];
  return response(description, hoisted(schema, components), { headers, example });
}

function described(name: string, parameter: Parameter<unknown>): Json[] {
  const { description, schema, example, alias } = parameter;
  const shared = {
    in: parameter.in,
    required: parameter.required ?? parameter.in === 'path',
    schema,
    ...(example !== undefined && { example }),
  };
  const own = { name, ...shared, description };
  if (alias === undefined) return [own];
  return [own, { ...shared, name: alias, description: `Another name of \`${name}\`; not both at once.` }];
}

/** The schema with every named part replaced by a reference to its component. */
function hoisted(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => hoisted(each, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as TSchema & { $id?: string };
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoisted(value, components)]));
  if (typeof $id !== 'string') return plain;
  components.set($id, plain);
  return { $ref: `#/components/schemas/${$id}` };
}
