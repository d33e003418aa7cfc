/**
 * The OpenAPI 3.1 document, built from the endpoint declarations. A schema of OpenAPI 3.1 is a JSON Schema, which is
 * what TypeBox produces, so nothing is translated: schemas with an `$id` become components.
 */

import type { TSchema } from 'typebox';
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import { API_TAGS } from '../contract/tags.ts';
import type { FieldTable } from './body-fields.ts';
import { ENTITY_TAG, NOT_MODIFIED } from './describe-api.ts';
import type { DocumentedAnswer, Endpoint } from './endpoint.ts';
import { exampleRequest } from './example-request.ts';
import {
  cacheControl,
  HEADERS,
  headerRef,
  PUBLIC_RESPONSE,
  type ResponseKind,
  responseKind,
} from './openapi-headers.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import type { Parameter } from './parameters.ts';
import {
  atAddress,
  exampleInFormat,
  examplesOf,
  examplesOfRefusal,
  type RecordedExample,
} from './recorded-examples.ts';
import { GENERAL_REFUSALS } from './refusal-descriptions.ts';
import { type SharedRefusal, sharedRefusalsOf } from './shared-refusals.ts';

type JsonObject = { [key: string]: unknown };

/** What is described once and referenced by name. */
type Components = { readonly schemas: Map<string, unknown>; readonly responses: Map<string, unknown> };

const DESCRIPTION = `Fuel prices in Romania (petrol, diesel, LPG) by city, county, station network and station.

Every endpoint but those of \`/cheie\` and \`/modificari\` answers without a key, with reduced data or tighter limits; an API key in the header \`X-Api-Key\` unlocks the full data set and a monthly quota. A missing price is \`null\`, never \`0\`.
Clients decide by the HTTP status and by structured fields: the text of \`message\` is Romanian and not part of the contract.

Every path also takes HEAD (as GET, without the body) and OPTIONS (204). Another method on a path is 405 with \`Allow\`; an unknown path under \`/api/\` is 404 and a retired one 410, both with \`message_en\` and \`docs\`.
Parameters that are not listed are ignored; a listed one sent twice is 400. Answers are compressed on request (br, zstd, gzip).

The same data without a key, outside these paths: files at \`/date/v1/\` (described by \`/date/v1/datapackage.json\`; \`/date/v1/preturi/orase.csv\`, \`retele.csv\` and \`national.csv\` are small and current), prices for other sites (\`/widget/oras/{slug}.json\`, \`/widget/statie/{slug}.json\`, \`/widget/romania.json\`), Atom feeds of cities and stations (\`/preturi-carburanti/{slug}/modificari.atom\`), and read-only tools for AI clients at \`/mcp\` (Model Context Protocol, which describes itself).`;

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
  const webhooks = describeWebhooks((schema) => hoistSchemas(schema, components));
  const document = {
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
    webhooks,
    components: {
      responses: sortedByName(components.responses),
      headers: SHARED_HEADERS,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Keep it server-side.' },
      },
      schemas: sortedByName(components.schemas),
    },
    // Not among the components, since no operation refers to them.
    'x-unrouted-responses': unroutedResponses(components),
  };
  return atAddress(document, publicUrl);
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
  [API_TAGS.webhooks]: 'Changes sent to your server, signed.',
  [API_TAGS.service]: 'The service about itself.',
};

/** `Allow` is described where it is sent. */
const { Allow: _, ...SHARED_HEADERS } = HEADERS;

const sortedByName = (named: ReadonlyMap<string, unknown>) =>
  Object.fromEntries([...named].sort(([a], [b]) => compareCodeUnits(a, b)));

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

/** For paths and methods without an operation, by status. */
function unroutedResponses(components: Components): JsonObject {
  const { MethodRefused, NoSuchPath } = GENERAL_REFUSALS;
  // A component that only these refer to would be one that nothing uses.
  const { $id: _, ...schema } = NoSuchPath.schema as TSchema & { $id?: string };
  const noSuchPath = (status: number) =>
    response(NoSuchPath.description, schema, PUBLIC_RESPONSE, { examples: examplesOfRefusal('NoSuchPath', status) });
  return {
    404: noSuchPath(404),
    405: response(MethodRefused.description, hoistSchemas(MethodRefused.schema, components), PUBLIC_RESPONSE, {
      headers: { Allow: HEADERS.Allow },
      examples: examplesOfRefusal('MethodRefused', 405),
    }),
    410: noSuchPath(410),
  };
}

function refusalResponse(
  { name, refusal, isLimit }: SharedRefusal,
  status: number,
  kind: ResponseKind,
  components: Components,
): JsonObject {
  const { description, schema } = refusal;
  return response(description, hoistSchemas(schema, components), kind, {
    headers: isLimit ? { 'Retry-After': headerRef('RetryAfter') } : {},
    examples: examplesOfRefusal(name, status),
  });
}

type ResponseParts = {
  readonly headers?: JsonObject;
  readonly examples?: readonly RecordedExample[];
  readonly otherFormats?: JsonObject;
  readonly mediaType?: string;
};

function response({ en }: LocalizedText, schema: unknown, kind: ResponseKind, parts: ResponseParts = {}): JsonObject {
  const { headers = {}, examples = [], otherFormats = {}, mediaType = 'application/json' } = parts;
  return {
    description: en,
    headers: { ...kind.headers, ...headers },
    content: { [mediaType]: { schema, ...describeExamples(examples) }, ...otherFormats },
  };
}

/** One without a name as `example`, others as `examples`: OpenAPI allows only one of them. */
function describeExamples(examples: readonly RecordedExample[]): JsonObject {
  const [first] = examples;
  if (first === undefined) return {};
  if (first.name === null) return { example: first.body };
  const named = examples.map(({ name, summary, body }) => [name, { summary, value: body }]);
  return { examples: Object.fromEntries(named) };
}

function describeOperation(endpoint: Endpoint, components: Components): JsonObject {
  const { operationId, tag, summary, description, access, parameters, requestHeaders = {}, answers, fields } = endpoint;
  const kind = responseKind(endpoint);
  const ownResponses = Object.entries(answers).map(([status, documented]) => [
    status,
    documentedResponse(endpoint, Number(status), documented, kind, components),
  ]);
  const refusals = [...sharedRefusalsOf(endpoint)].map(([status, shared]) => [
    status,
    sharedResponse(shared.name, kind, components, () => refusalResponse(shared, status, kind, components)),
  ]);
  return {
    operationId,
    tags: [tag],
    summary: summary.en,
    description: description.en,
    security: { none: [], optional: [{}, { ApiKey: [] }], required: [{ ApiKey: [] }] }[access.key],
    parameters: [
      ...Object.entries(parameters).flatMap(([name, parameter]) => describeParameter(name, parameter)),
      ...Object.entries(requestHeaders).map(([name, { description, ...header }]) => ({
        ...{ name, in: 'header', required: false, ...header, description: description.en },
      })),
    ],
    ...(fields && { requestBody: requestBody(endpoint, fields, components) }),
    responses: {
      ...Object.fromEntries(refusals),
      ...(endpoint.hasNotModified && { 304: notModified(kind) }),
      ...Object.fromEntries(ownResponses),
    },
  };
}

function requestBody(endpoint: Endpoint, fields: FieldTable, components: Components): JsonObject {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []));
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  const schema = { $id: `${endpoint.operationId}Body`, type: 'object', required, properties };
  const example = exampleRequest(endpoint).body;
  return { required: true, content: { 'application/json': { schema: hoistSchemas(schema, components), example } } };
}

function documentedResponse(
  endpoint: Endpoint,
  status: number,
  documented: DocumentedAnswer,
  kind: ResponseKind,
  components: Components,
): JsonObject {
  const { description, schema, retryAfter, otherFormats = {}, mediaType } = documented;
  const headers = {
    ...Object.fromEntries(Object.entries(documented.headers ?? {}).map(([name, text]) => [name, ownHeader(text)])),
    ...(documented.cacheControl && { 'Cache-Control': cacheControl(documented.cacheControl) }),
    ...(retryAfter && { 'Retry-After': headerRef(retryAfter === 'always' ? 'RetryAfter' : 'RetryAfterIfKnown') }),
  };
  const formats = Object.entries(otherFormats).map(([mediaType, format]) => {
    const example = exampleInFormat(endpoint.operationId, status, mediaType);
    return [mediaType, { ...format, ...(example !== undefined && { example }) }];
  });
  return response(description, hoistSchemas(schema, components), kind, {
    headers,
    examples: examplesOf(endpoint, status),
    otherFormats: hoistSchemas(Object.fromEntries(formats), components) as JsonObject,
    ...(mediaType && { mediaType }),
  });
}

const ownHeader = ({ en }: LocalizedText) => ({ description: en, schema: { type: 'string' } });

/** The client has the answer already; nothing is counted. */
function notModified({ headers }: ResponseKind): JsonObject {
  const { Vary: _, ...own } = headers;
  return { description: NOT_MODIFIED.en, headers: { ...own, ETag: ownHeader(ENTITY_TAG) } };
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
