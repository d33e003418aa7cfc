/**
 * The OpenAPI 3.1 document, built from the endpoint declarations. A schema of OpenAPI 3.1 is a JSON Schema, which is
 * what TypeBox produces, so nothing is translated: schemas with an `$id` become components.
 */

import type { TSchema } from 'typebox';
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { Access } from '../access/access-rules.ts';
import recordedExamples from '../contract/examples.json' with { type: 'json' };
import { API_TAGS } from '../contract/tags.ts';
import type { FieldTable } from './body-fields.ts';
import { NOT_MODIFIED } from './describe-api.ts';
import type { DocumentedAnswer, Endpoint } from './endpoint.ts';
import {
  cacheControl,
  HEADERS,
  headerRef,
  PUBLIC_RESPONSE,
  type ResponseKind,
  responseKind,
} from './openapi-headers.ts';
import type { Parameter } from './parameters.ts';
import { COMMON_REFUSALS, GENERAL_REFUSALS, LIMIT_REFUSALS, type Refusal } from './refusal-descriptions.ts';

type JsonObject = { [key: string]: unknown };

/** What is described once and referenced by name. */
type Components = { readonly schemas: Map<string, unknown>; readonly responses: Map<string, unknown> };

/** Answers recorded from test data, by operation and status; a contract test keeps them current. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = recordedExamples;

const DESCRIPTION = `Fuel prices in Romania (petrol, diesel, LPG) by city, county, station network and station.

Every endpoint but \`/cheie\` and \`/modificari\` answers without a key, with reduced data or tighter limits; an API key in the header \`X-Api-Key\` unlocks the full data set and a monthly quota. A missing price is \`null\`, never \`0\`.
Clients decide by the HTTP status and by structured fields: the text of \`message\` is Romanian and not part of the contract.

Every path also takes HEAD (as GET, without the body) and OPTIONS (204). Another method on a path is 405 with \`Allow\`; an unknown path under \`/api/\` is 404 and a retired one 410, both with \`message_en\` and \`docs\`.
Parameters that are not listed are ignored; a listed one sent twice is 400. Answers are compressed on request (br, zstd, gzip).`;

/** The document for a service with this public URL. */
export function openApiDocument(endpoints: readonly Endpoint[], publicUrl: string): JsonObject {
  const components: Components = { schemas: new Map(), responses: new Map() };
  const paths = Object.groupBy(endpoints, ({ path }) => path);
  const described = Object.entries(paths).map(([path, operations = []]) => [
    path,
    Object.fromEntries(
      operations.map((declared) => [(declared.method ?? 'GET').toLowerCase(), describeOperation(declared, components)]),
    ),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pompa: fuel prices in Romania',
      version: '1.0.0',
      summary: 'Current and past fuel prices by city, county, network and station.',
      description: DESCRIPTION,
      license: LICENCE,
      contact: { name: SERVICE_NAME, url: `${publicUrl}${ROUTES.docs.en}` },
    },
    servers: [{ url: publicUrl }],
    tags: Object.values(API_TAGS).map((name) => ({ name, description: TAG_TEXTS[name] })),
    paths: Object.fromEntries(described),
    components: {
      responses: { ...sortedByName(components.responses), ...generalResponses(components) },
      headers: HEADERS,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Keep it server-side.' },
      },
      schemas: sortedByName(components.schemas),
    },
  };
}

const TAG_TEXTS: Readonly<Record<string, string>> = {
  [API_TAGS.prices]: 'Prices by city, county, network and country.',
  [API_TAGS.stations]: 'Station records and price history.',
  [API_TAGS.changes]: 'What changed in what is served, in order.',
  [API_TAGS.places]: 'Names of cities.',
  [API_TAGS.push]: 'Price alerts to browsers.',
  [API_TAGS.germany]: 'A separate channel: stations in Germany, in EUR. It never mixes with the Romanian data.',
  [API_TAGS.reviews]: 'Reviews of stations by visitors.',
  [API_TAGS.account]: 'Your key.',
  [API_TAGS.service]: 'The service about itself.',
};

const sortedByName = (named: ReadonlyMap<string, unknown>) =>
  Object.fromEntries([...named].sort(([a], [b]) => compareCodeUnits(a, b)));

function limitResponses(
  { key, withoutKey, minuteLimit }: Access,
  kind: ResponseKind,
  components: Components,
): JsonObject {
  const limit = (name: keyof typeof LIMIT_REFUSALS) => {
    const headers = { 'Retry-After': headerRef('RetryAfter') };
    return sharedResponse(name, kind, components, () =>
      refusalResponse(LIMIT_REFUSALS[name], kind, components, headers),
    );
  };
  if (key === 'none') return minuteLimit === undefined ? {} : { 429: limit('MinuteLimit') };
  return { 429: limit(withoutKey.weeklyCap === false ? 'KeyLimit' : 'AnyLimit'), 503: limit('KeyUnverified') };
}

/** A reference to an answer that all endpoints of one kind share. */
function sharedResponse(
  name: string,
  { suffix }: ResponseKind,
  { responses }: Components,
  describe: () => JsonObject,
): JsonObject {
  const own = `${name}${suffix}`;
  if (!responses.has(own)) responses.set(own, describe());
  return { $ref: `#/components/responses/${own}` };
}

/** For paths and methods without an operation. */
function generalResponses(components: Components): JsonObject {
  const { MethodRefused, NoSuchPath } = GENERAL_REFUSALS;
  const headers = { Allow: headerRef('Allow') };
  return {
    MethodRefused: refusalResponse(MethodRefused, PUBLIC_RESPONSE, components, headers),
    NoSuchPath: refusalResponse(NoSuchPath, PUBLIC_RESPONSE, components),
  };
}

function refusalResponse(
  { description, schema }: Refusal,
  kind: ResponseKind,
  components: Components,
  headers: JsonObject = {},
): JsonObject {
  return response(description, hoistSchemas(schema, components), kind, { headers });
}

function response(
  { en }: LocalizedText,
  schema: unknown,
  kind: ResponseKind,
  more: { headers?: JsonObject; example?: unknown; otherFormats?: JsonObject; mediaType?: string } = {},
): JsonObject {
  const { headers = {}, example, otherFormats = {}, mediaType = 'application/json' } = more;
  return {
    description: en,
    headers: { ...kind.headers, ...headers },
    content: { [mediaType]: { schema, ...(example !== undefined && { example }) }, ...otherFormats },
  };
}

function describeOperation(endpoint: Endpoint, components: Components): JsonObject {
  const { operationId, tag, summary, description, access, parameters, answers, fields } = endpoint;
  const { method = 'GET' } = endpoint;
  const kind = responseKind(endpoint);
  const ownResponses = Object.entries(answers).map(([status, documented]) => [
    status,
    documentedResponse(operationId, status, documented, kind, components),
  ]);
  const refusals = Object.entries(COMMON_REFUSALS)
    .filter(([name, { onlyFor = method }]) => onlyFor === method && (name !== 'KeyRefused' || access.key !== 'none'))
    .flatMap(([name, refusal]) =>
      refusal.statuses.map((status) => [
        String(status),
        sharedResponse(name, kind, components, () => refusalResponse(refusal, kind, components)),
      ]),
    );
  return {
    operationId,
    tags: [tag],
    summary: summary.en,
    description: description.en,
    security: { none: [], optional: [{}, { ApiKey: [] }], required: [{ ApiKey: [] }] }[access.key],
    parameters: Object.entries(parameters).flatMap(([name, parameter]) => describeParameter(name, parameter)),
    ...(fields && { requestBody: requestBody(operationId, fields, components) }),
    responses: {
      ...Object.fromEntries(refusals),
      ...limitResponses(access, kind, components),
      ...(endpoint.hasNotModified && { 304: notModified(kind) }),
      ...Object.fromEntries(ownResponses),
    },
  };
}

function requestBody(operationId: string, fields: FieldTable, components: Components): JsonObject {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []));
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  const schema = { $id: `${operationId}Body`, type: 'object', required, properties };
  return { required: true, content: { 'application/json': { schema: hoistSchemas(schema, components) } } };
}

function documentedResponse(
  operationId: string,
  status: string,
  documented: DocumentedAnswer,
  kind: ResponseKind,
  components: Components,
): JsonObject {
  const { description, schema, retryAfter, mediaType } = documented;
  const headers = {
    ...Object.fromEntries(Object.entries(documented.headers ?? {}).map(([name, text]) => [name, ownHeader(text)])),
    ...(documented.cacheControl && { 'Cache-Control': cacheControl(documented.cacheControl) }),
    ...(retryAfter && { 'Retry-After': headerRef(retryAfter === 'always' ? 'RetryAfter' : 'RetryAfterIfKnown') }),
  };
  const example = EXAMPLES[operationId]?.[status];
  const otherFormats = hoistSchemas(documented.otherFormats ?? {}, components) as JsonObject;
  return response(description, hoistSchemas(schema, components), kind, {
    headers,
    example,
    otherFormats,
    ...(mediaType && { mediaType }),
  });
}

const ownHeader = ({ en }: LocalizedText) => ({ description: en, schema: { type: 'string' } });

/** The client has the answer already; nothing is counted. */
function notModified({ headers }: ResponseKind): JsonObject {
  const { Vary: _, ...own } = headers;
  return { description: NOT_MODIFIED.en, headers: own };
}

function describeParameter(name: string, parameter: Parameter<unknown>): JsonObject[] {
  const { description, schema, example, alias, isList } = parameter;
  const shared = {
    in: parameter.in,
    required: parameter.required ?? parameter.in === 'path',
    ...(isList && { style: 'form', explode: false }),
    schema,
    ...(example !== undefined && { example: isList ? listedExample(schema, String(example)) : example }),
  };
  const own = { name, ...shared, description: description.en };
  if (alias === undefined) return [own];
  return [own, { ...shared, name: alias, description: `Another name for \`${name}\`; do not send both.` }];
}

/** The example of a list, which the declaration writes as it is sent. */
function listedExample({ items }: TSchema & { items?: { type?: string } }, sent: string): (string | number)[] {
  return sent.split(',').map((part) => (items?.type === 'number' ? Number(part) : part));
}

/** The schema with every named part replaced by a reference to its component. */
function hoistSchemas(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((each) => hoistSchemas(each, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as TSchema & { $id?: string };
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoistSchemas(value, components)]));
  if (typeof $id !== 'string') return plain;
  components.schemas.set($id, plain);
  return { $ref: `#/components/schemas/${$id}` };
}
