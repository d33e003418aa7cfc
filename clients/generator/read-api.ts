/** Reads the OpenAPI document of the service into what its clients offer. */
import { type Api, capitalised, type Field, type Operation } from './api-types.ts';
import { type Schema, SchemaReader } from './read-schema.ts';

type Content = { readonly 'application/json'?: { readonly schema: Schema } };
type Answer = { readonly $ref?: string; readonly content?: Content };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description: string;
};
type DescribedOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
};
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  /** What the service sends. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
};

/** For the pages of the site, and the description itself. */
const NOT_OFFERED = (operation: DescribedOperation) =>
  operation.tags.includes('Push') || operation.operationId.startsWith('getOpenApi');
/** The clients read JSON, and their types say that a missing price is `null`, which the legacy zeros would break. */
const NOT_SENT = ['format', 'zeros'];
/** As the description says of a second name of a parameter. */
const SECOND_NAME = /^Another name for /;
/** Words that turn a switch on or off. */
const SWITCH_WORDS = ['true', 'false'];

/** The operations that the clients offer; every model that they, their refusals and bodies of webhooks mention. */
export function readApi(document: OpenApiDocument): Api {
  const reader = new SchemaReader();
  const offered = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => !NOT_OFFERED(operation) && hasAnswer(operation))
      .map(([method, operation]) => ({ path, method, operation })),
  );
  const operations = offered.map(({ path, method, operation }) =>
    readOperation(path, method, operation, document, reader),
  );
  const events = Object.values(document.webhooks ?? {}).flatMap(({ post }) => post?.requestBody?.content ?? []);
  const bodies = [
    ...offered.flatMap(({ operation }) => bodiesOf(operation, document)),
    ...events.flatMap((content) => content['application/json']?.schema ?? []),
  ];
  for (const name of reachable(bodies, document)) reader.readComponent(name, document.components.schemas[name] ?? {});
  return { models: reader.models.toSorted((a, b) => (a.name < b.name ? -1 : 1)), operations };
}

/** False for streams of events and the like. */
function hasAnswer({ responses }: DescribedOperation): boolean {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return success !== undefined && (success.content === undefined || success.content['application/json'] !== undefined);
}

function readOperation(
  path: string,
  method: string,
  described: DescribedOperation,
  { components }: OpenApiDocument,
  reader: SchemaReader,
): Operation {
  const { operationId: name, summary, description, responses, parameters = [], requestBody } = described;
  const pathFields = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field as string);
  const ofParameters = parameters
    // The clients themselves send the headers that they need.
    .filter(({ name, in: where, description }) => {
      return where !== 'header' && !NOT_SENT.includes(name) && !SECOND_NAME.test(description);
    })
    .map((parameter) => readParameter(parameter, capitalised(name), reader));
  const input = [...ofParameters, ...bodyFields(name, requestBody?.content, components.schemas, reader)];
  const rank = ({ name }: Field) => pathFields.indexOf(name) + 1 || pathFields.length + 1;
  const success = Object.keys(responses).filter((status) => status.startsWith('2'));
  const schema = responses[success[0] ?? '']?.content?.['application/json']?.schema;
  // A status of failure may report with the same body, as that of the health check does.
  const alike = Object.entries(responses).filter(
    ([, answer]) => schema !== undefined && sameSchema(answer.content?.['application/json']?.schema, schema),
  );
  return {
    name,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    input: input.toSorted((a, b) => rank(a) - rank(b)),
    pathFields,
    hasBody: requestBody !== undefined,
    answerStatuses: [...new Set([...success, ...alike.map(([status]) => status)])].map(Number).sort((a, b) => a - b),
    answer: schema === undefined ? null : reader.readType(schema, `${capitalised(name)}Answer`),
  };
}

const sameSchema = (a: Schema | undefined, b: Schema) => JSON.stringify(a) === JSON.stringify(b);

function readParameter({ name, required, schema, description }: Parameter, place: string, reader: SchemaReader): Field {
  const isSwitch = SWITCH_WORDS.every((word) => schema.enum?.includes(word));
  const type = reader.readType(isSwitch ? { type: 'boolean' } : schema, `${place}${capitalised(name)}`);
  return { name, required, description, type };
}

/** The fields of a JSON body, which clients pass like parameters. */
function bodyFields(
  operation: string,
  content: Content | undefined,
  schemas: Readonly<Record<string, Schema>>,
  reader: SchemaReader,
): Field[] {
  if (content === undefined) return [];
  const schema = content['application/json']?.schema;
  const named = schema?.$ref === undefined ? schema : schemas[nameOf(schema.$ref)];
  if (named?.properties === undefined) throw new Error(`${operation}: the clients can send JSON objects only`);
  return Object.entries(named.properties).map(([name, property]) => ({
    name,
    type: reader.readType(property, `${capitalised(operation)}${capitalised(name)}`),
    required: named.required?.includes(name) === true,
    description: property.description ?? '',
  }));
}

function bodiesOf({ responses }: DescribedOperation, { components }: OpenApiDocument): Schema[] {
  return Object.values(responses).flatMap(({ $ref, content }) => {
    const described = $ref === undefined ? content : components.responses[nameOf($ref)]?.content;
    return described?.['application/json']?.schema ?? [];
  });
}

const nameOf = (ref: string) => ref.split('/').at(-1) ?? '';

/** The names of the components that schemas mention, and those that these mention. */
function reachable(schemas: readonly Schema[], { components }: OpenApiDocument): Set<string> {
  const found = new Set<string>();
  const visit = (schema: unknown) => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(components.schemas[name]);
    }
  };
  visit(schemas);
  return found;
}
