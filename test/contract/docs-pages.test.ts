/** The documentation pages show what the OpenAPI document has: both are derived from the endpoint declarations. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { described } from '../../src/api/contract/localized-schema.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { createSite } from '../../src/site/pages/site.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

type Json = { [key: string]: Json };
type Operation = { readonly path: string; readonly method: string; readonly json: Json };

/** Endpoints that are not meant for integrations, and the alias of the OpenAPI document. */
const UNDOCUMENTED = ['/api/v1/push/vapid-key', '/api/v1/push/subscribe', '/api/v1/openapi.json'];

let service: TestService;
let document: Json;
const pages = new Map<string, string>();
before(async () => {
  const snapshot = world();
  const publicUrl = () => 'http://pompa.example';
  service = await TestService.start({
    site: createSite({
      gazetteer: loadGazetteer(),
      journeys: createJourneyPlanner(loadGazetteer()),
      publicUrl,
      simulated: false,
      snapshot: () => snapshot,
      api: () => service.api.description,
    }),
  });
  document = (await service.ask('/openapi.json')).json;
  for (const path of ['/docs', '/docs/en']) pages.set(path, (await service.ask(path)).text);
});
after(() => service.api.close());

/** The operations that the pages show. */
function operations(): Operation[] {
  return Object.entries(document.paths ?? {})
    .filter(([path]) => !UNDOCUMENTED.includes(path))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, json]) => ({ path, method, json })));
}

/** The section of an endpoint. */
function sectionOf(page: string, { path, method }: Pick<Operation, 'path' | 'method'>): string {
  const title = `<span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>`;
  return page.split('<section ').find((section) => section.includes(title)) ?? '';
}

const names = (text: string) => new Set([...text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, name = '']) => name));

/** Every field of a schema, at any depth. */
function fieldsOf(node: Json | undefined, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  const ref = node.$ref as unknown as string | undefined;
  if (ref !== undefined) return fieldsOf(resolved(ref), found);
  const { properties } = node;
  if (properties !== undefined) for (const name of Object.keys(properties)) found.add(name);
  for (const key of ['properties', 'items', 'anyOf', 'content', 'schema', 'application/json'])
    fieldsOf(node[key], found);
  if (properties !== undefined) for (const below of Object.values(properties)) fieldsOf(below, found);
  if (Array.isArray(node)) for (const below of node) fieldsOf(below, found);
  return found;
}

function resolved(ref: string): Json {
  return ref
    .split('/')
    .slice(1)
    .reduce((node, key) => node[key] as Json, document);
}

/** Parameters, fields and statuses of an operation that its section does not mention. */
function missing(operation: Operation, section: string): string[] {
  const {
    parameters = [],
    requestBody,
    responses = {},
  } = operation.json as {
    parameters?: { name: string }[];
    requestBody?: Json;
    responses?: Json;
  };
  const own = Object.entries(responses).filter(([, response]) => response.$ref === undefined);
  const wanted = [
    ...parameters.map(({ name }) => name),
    ...fieldsOf(requestBody),
    ...fieldsOf(responses['200'] ?? responses['201']),
    ...own.map(([status]) => status).filter((status) => status !== '200'),
  ];
  const shown = names(section);
  return wanted.filter((name) => !shown.has(name)).map((name) => `${operation.path}: ${name}`);
}

describe('GET /docs and GET /docs/en → 200', () => {
  test('show every parameter, field and status of every documented operation', () => {
    const all = operations();
    assert.ok(all.length >= 14);
    for (const page of pages.values()) {
      assert.deepEqual(
        all.flatMap((operation) => missing(operation, sectionOf(page, operation))),
        [],
      );
    }
  });

  test('and a forgotten one is detected', () => {
    const [page = ''] = pages.values();
    const stations = operations().find(({ path }) => path === '/api/v1/statii') as Operation;
    const found = missing(stations, sectionOf(page, stations).replaceAll('<code>raza</code>', ''));
    assert.deepEqual(found, ['/api/v1/statii: raza']);
  });

  test('show every status that endpoints share, with the fields of its body', () => {
    const shared = Object.values(document.components?.responses ?? {}).flatMap((response) => [...fieldsOf(response)]);
    for (const page of pages.values()) {
      const errors = names(page.slice(page.indexOf('<section aria-labelledby="erori">')));
      assert.deepEqual(
        shared.filter((name) => !errors.has(name) && !['status', 'message'].includes(name)),
        [],
      );
    }
  });

  test('show the defaults, bounds and values of parameters', () => {
    const section = (page: string, path: string) => sectionOf(pages.get(page) ?? '', { path, method: 'get' });
    assert.match(section('/docs', '/api/v1/statii'), /<code>raza<\/code> <span class="type">number, implicit 10</);
    assert.match(section('/docs/en', '/api/v1/statii'), /<code>lat<\/code> <span class="type">number, ≥ -90, ≤ 90</);
    assert.match(section('/docs/en', '/api/v1/statii'), /Values: <code>benzina_standard<\/code>, /);
    assert.match(section('/docs', '/api/v1/statii'), /Se poate scrie și <code>lng<\/code>\./);
    assert.match(section('/docs', '/api/v1/de-statii'), /<code>lat<\/code> <span class="type">number, obligatoriu, /);
    assert.match(section('/docs', '/api/v1/judete/{judet}'), /<span class="type">string, în cale, obligatoriu</);
  });

  test('show every text in the language of the page', () => {
    const [romanian = '', english = ''] = pages.values();
    const texts = (page: string) => new Set([...page.matchAll(/<dd>(.+?)<\/dd>/g)].map(([, text = '']) => text));
    const both = texts(romanian).intersection(texts(english));
    assert.deepEqual([...both], []);
  });

  test('leave out what is not meant for integrations', () => {
    for (const page of pages.values()) assert.doesNotMatch(page, /\/push\//);
  });
});

test('a text in one language alone is a type error', () => {
  // @ts-expect-error the Romanian text is missing
  assert.ok(described({ en: 'Price.' }));
});
