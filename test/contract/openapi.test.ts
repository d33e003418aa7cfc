import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createAccessControl } from '../../src/api/access/access-control.ts';
import { RECORDED_URL } from '../../src/api/declaration/recorded-examples.ts';
import { BODY_TOO_LARGE } from '../../src/api/declaration/refusal-descriptions.ts';
import { CONNECTION_LIMITS, MAX_CHUNKS } from '../../src/api/http/connection/connection-limits.ts';
import { MOCK_KEY, MOCK_KEY_REPORT, mockAccess } from '../../src/app/mock/mock-access.ts';
import { MOCK_WEBHOOKS } from '../../src/app/mock/mock-webhooks.ts';
import type { GermanOutcome, GermanSearch, GermanStation } from '../../src/domain/german-station.ts';
import { NOON } from '../support/builders/snapshot-builders.ts';
import { EventClient } from '../support/changes/event-client.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { NO_REVIEWS, SOME_REVIEWS } from '../support/service/fake-reviews.ts';
import { NO_PUSH } from '../support/service/no-push.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { type Reply, TestService } from '../support/service/test-service.ts';
import { askForExamples, FULL_WEBHOOKS } from '../support/service/webhook-recordings.ts';
import { TURZII, world } from '../support/worlds/contract-world.ts';

/** From the example in RFC 8291. */
const PUBLIC_KEY = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
// biome-ignore lint/suspicious/noExplicitAny: a document of known shape
type OpenApiNode = any;
const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let service: TestService;
before(async () => {
  const push = { ...NO_PUSH, publicKey: PUBLIC_KEY };
  service = await TestService.start({ germany: { find: germanOutcome }, push });
});
after(() => service.api.close());

/** One point has an answer; at another the source is silent; elsewhere the channel is not configured. */
function germanOutcome(search: GermanSearch): GermanOutcome {
  if (search.lat === 50) return { kind: 'failed' };
  if (search.lat !== 52.52) return { kind: 'not configured' };
  const stations: GermanStation[] = [
    {
      ...{ name: 'ARAL Tankstelle', brand: 'ARAL', address: 'Lindenallee 12/14', city: 'Berlin', postcode: 10_178 },
      ...{ lat: 52.5241, lng: 13.4102, distanceKm: 0.8, e5: 1_789, e10: 1_729, diesel: 1_659, open: true },
    },
    {
      ...{ name: 'Freie Tankstelle', brand: '', address: 'Am Mühlbach', city: 'Berlin', postcode: 10_179 },
      ...{ lat: 52.5102, lng: 13.4311, distanceKm: 2.3, e5: 1_769, e10: null, diesel: 1_649, open: false },
    },
  ];
  return { kind: 'found', answer: { search, stations, answeredAt: NOON } };
}

describe('GET /openapi.json → 200', () => {
  test('may be cached for 5 minutes, its alias may not; both are the same', async () => {
    const { headers, json } = await service.ask('/openapi.json');
    const alias = await service.ask('/api/v1/openapi.json');
    assert.deepEqual([headers['cache-control'], alias.headers['cache-control']], ['public, max-age=300', 'no-store']);
    assert.deepEqual(alias.json, json);
  });

  test('has a title and the server’s address', async () => {
    const { json } = await service.ask('/openapi.json');
    assert.match(json.openapi, /^3\.1\./);
    assert.equal(json.info.version, '1.0.0');
    assert.deepEqual(json.servers, [{ url: `http://127.0.0.1:${service.port}` }]);
    assert.equal(json.components.securitySchemes.ApiKey.name, 'X-Api-Key');
  });

  test('describes limits and waits as whole numbers', async () => {
    const { headers } = (await service.ask('/openapi.json')).json.components;
    for (const name of ['RetryAfter', 'RateLimit', 'RateRemaining', 'RateReset']) {
      assert.equal(headers[name].schema.type, 'integer', name);
      assert.ok(Number.isInteger(headers[name].example), name);
    }
  });

  test('describes every parameter, and `zeros` as a free string', async () => {
    const { paths } = (await service.ask('/openapi.json')).json;
    const names = (of: string) => paths[of].get.parameters.map(({ name }: { name: string }) => name);
    const first = ['brand', 'tip', 'lat', 'lon', 'lng', 'raza'];
    const filters = ['id', 'bbox', 'judet', 'oras', 'cu_pret', 'fara_nesigure', 'varsta_max'];
    assert.deepEqual(names('/api/v1/statii'), [...first, ...filters, 'sort', 'limita', 'format', 'campuri']);
    assert.deepEqual(names('/api/v1/preturi'), ['judet', 'zeros']);
    assert.deepEqual(paths['/api/v1/preturi'].get.parameters[1].schema, { type: 'string' });
    for (const operation of Object.values<Record<string, { operationId: string }>>(paths).flatMap(Object.values))
      assert.ok(operation.operationId);
  });

  test('describes lists as arrays that commas separate, and the formats of an answer by media type', async () => {
    const { get } = (await service.ask('/openapi.json')).json.paths['/api/v1/statii'];
    const parameter = (wanted: string) => get.parameters.find(({ name }: { name: string }) => name === wanted);
    const { style, explode, schema, example } = parameter('bbox');
    assert.deepEqual([style, explode, schema.items.type, example], ['form', false, 'number', [25.9, 44.3, 26.3, 44.6]]);
    assert.deepEqual([parameter('id').explode, parameter('id').schema.maxItems], [false, 100]);
    assert.deepEqual(Object.keys(get.responses[200].content), ['application/json', 'application/geo+json', 'text/csv']);
  });

  test('describes no header on an answer that never has it', async () => {
    const { paths, components } = (await service.ask('/openapi.json')).json;
    const headers = (path: string, method = 'get') =>
      Object.values<{ $ref?: string; headers?: object }>(paths[path][method].responses).flatMap((answer) => {
        const { headers = {} } = answer.$ref === undefined ? answer : components.responses[answer.$ref.slice(23)];
        return Object.keys(headers);
      });
    const cors = /^Access-Control-/;
    const rate = /^X-RateLimit-/;
    for (const [path, method] of [
      ['/api/v1/cheie', 'get'],
      ['/api/v1/review', 'post'],
      ['/api/v1/push/subscribe', 'post'],
      ['/api/v1/traseu/custom', 'post'],
    ] as const) {
      const all = headers(path, method);
      assert.deepEqual([all.some((name) => cors.test(name)), all.some((name) => rate.test(name))], [false, true], path);
    }
    const cached = headers('/openapi.json');
    assert.deepEqual([cached.some((name) => cors.test(name)), cached.some((name) => rate.test(name))], [true, false]);
    assert.ok(headers('/api/v1/openapi.json').some((name) => rate.test(name)));
  });

  test('describes the German channel’s `Retry-After` as optional', async () => {
    const { paths, components } = (await service.ask('/openapi.json')).json;
    const retryAfter = paths['/api/v1/de-statii'].get.responses[503].headers['Retry-After'].$ref;
    assert.equal(components.headers[retryAfter.split('/').at(-1)].required, undefined);
  });

  test('lists every status that an operation may answer with', async () => {
    const { paths } = (await service.ask('/openapi.json')).json;
    const statuses = (of: string) => Object.keys(paths[of].get.responses).join(' ');
    assert.equal(statuses('/api/v1/preturi'), '200 400 401 404 408 414 429 431 500 503');
    assert.equal(statuses('/api/v1/preturi/minime'), '200 400 408 414 431 500');
    assert.equal(statuses('/api/v1/modificari'), '200 304 400 401 404 408 410 414 429 431 500 503');
    assert.ok(paths['/api/v1/modificari'].get.responses[304].headers.ETag);
    assert.equal(statuses('/api/v1/de-statii'), '200 400 408 414 429 431 500 502 503');
    assert.equal(statuses('/api/v1/health'), '200 400 408 414 431 500 503');
    assert.equal(statuses('/api/v1/reviews/{slug}'), '200 400 408 414 431 500 503');
    const { responses } = paths['/api/v1/review'].post;
    assert.equal(Object.keys(responses).join(' '), '200 400 403 408 413 414 415 429 431 500 503');
    assert.ok(responses[429].headers['Retry-After']);
  });

  test('describes what webhooks are sent: headers, bodies with an example each, and what an answer means', async () => {
    const { webhooks, components } = (await service.ask('/openapi.json')).json;
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'openapi', components });
    assert.deepEqual(Object.keys(webhooks), ['modificari', 'ping', 'reluare']);
    for (const [type, { post }] of Object.entries<{ post: OpenApiNode }>(webhooks)) {
      const headers = post.parameters.map(({ name }: { name: string }) => name);
      assert.deepEqual(headers, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      const { schema, example } = post.requestBody.content['application/json'];
      assert.equal(example.type, type);
      const isValid = ajv.compile({ $ref: `openapi${schema.$ref}` });
      assert.ok(isValid(example), ajv.errorsText(isValid.errors));
      assert.deepEqual(Object.keys(post.responses), ['410', '2XX', '4XX']);
    }
    const change = components.schemas.EvenimentModificari.properties.data.properties.modificari.items;
    assert.deepEqual(change, { $ref: '#/components/schemas/Modificare' });
  });

  test('names both bounds of a body, bytes and chunks, at every 413', async () => {
    const { paths, components } = (await service.ask('/openapi.json')).json;
    const posts = ['/api/v1/review', '/api/v1/traseu/custom'].map((of) => paths[of].post.responses[413]);
    const tooLarge = posts.map((answer) =>
      answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer,
    );
    for (const { description } of tooLarge) {
      assert.match(description, new RegExp(`\\b${CONNECTION_LIMITS.bodyBytes / 1024} KiB\\b`));
      assert.match(description, new RegExp(`\\b${MAX_CHUNKS} chunks\\b`));
    }
    assert.match(BODY_TOO_LARGE.ro, new RegExp(`\\b${MAX_CHUNKS} de fragmente\\b`));
  });
});

describe('two independent linters', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'openapi-'));
    file = path.join(folder, 'openapi.json');
    await writeFile(file, (await service.ask('/openapi.json')).text);
  });
  after(() => rm(folder, { recursive: true }));

  test('@seriousme/openapi-schema-validator finds nothing', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(await readFile(file, 'utf8')));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  });

  test('redocly finds no error and has no warning', async () => {
    // With both settings redocly makes no network call (verified by a hook in `net.Socket.connect`).
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { stderr } = await run(process.execPath, [cli, 'lint', file, '--max-problems', '100'], { cwd: folder, env });
    assert.match(stderr, /Your API description is valid/);
    assert.doesNotMatch(stderr, /\d+ (error|warning)s?/);
  });
});

/** The requests of the document's examples. `npm test` with RECORD_EXAMPLES=1 records the answers again. */
const EXAMPLE_TARGETS: readonly [operation: string, target: string][] = [
  ['getPrices', '/api/v1/preturi?judet=CJ'],
  ['getPrices', '/api/v1/preturi?judet=Atlantida'],
  ['getNationalPrices', '/api/v1/preturi/minime'],
  ['getCountyPrices', '/api/v1/judete/Cluj'],
  ['getCountyPrices', '/api/v1/judete/Atlantida'],
  ['getNetworks', '/api/v1/retele'],
  ['getStations', '/api/v1/statii?lat=47.18&lon=27.55&raza=5'],
  ['getStations', '/api/v1/statii?judet=Atlantida'],
  ['getStationHistory', `/api/v1/statie/${TURZII}/istoric`],
  ['getStationHistory', '/api/v1/statie/ffffffffffff/istoric'],
  ['searchPlaces', '/api/v1/geocode?q=cluj'],
  ['getPushKey', '/api/v1/push/vapid-key'],
  ['getGermanStations', '/api/v1/de-statii?lat=52.52&lng=13.4&rad=5'],
  ['getGermanStations', '/api/v1/de-statii?lat=50&lng=9'],
  ['getHealth', '/api/v1/health'],
];

/** Bodies of POST examples, most as the document itself shows them. */
const REVIEW = { statie_slug: `petrom-cluj-napoca-${TURZII}`, rating: 5 };
const JOURNEY = { start: 'Turda', end: 'Cluj-Napoca' };
const PUSH_HOSTS = ['fcm.googleapis.com'];
const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  pagina: '/preturi-carburanti/cluj-napoca/motorina',
};

/** The first two events of a stream, as they are sent. */
async function someEvents(port: number, target: string): Promise<string> {
  const client = await EventClient.connect(port, target);
  await client.until(({ events }) => events.length === 2);
  client.close();
  return client.events.map(({ id, data }) => `id: ${id}\ndata: ${data}\n\n`).join('');
}

describe('the examples of the document', () => {
  test('are what the service actually answers', async (t) => {
    const parts = { publicUrl: () => RECORDED_URL };
    const full = await TestService.during(t, {
      ...parts,
      accessControl: createAccessControl(mockAccess(parts.publicUrl)),
      keyReport: () => Promise.resolve(MOCK_KEY_REPORT),
      reviews: SOME_REVIEWS,
      push: { ...NO_PUSH, hosts: PUSH_HOSTS, save: () => Promise.resolve('saved') },
    });
    const refusing = await TestService.during(t, {
      ...parts,
      snapshot: world({ sources: [] }),
      accessControl: allowAll(null),
      push: { ...NO_PUSH, hosts: PUSH_HOSTS },
      reviews: {
        ...NO_REVIEWS,
        submit: ({ comment }) => Promise.resolve({ kind: comment ? 'no captcha' : 'unavailable' }),
      },
    });
    const seen: Record<string, Record<string, unknown>> = {};
    const note = (operation: string, { status, json }: Reply) => {
      seen[operation] = { ...seen[operation], [status]: json };
    };
    const post = (of: TestService, target: string, body: object | string, type = 'application/json') => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return of.ask(target, { method: 'POST', headers: { 'Content-Type': type }, body: text });
    };
    for (const [operation, target] of EXAMPLE_TARGETS) note(operation, await service.ask(target));
    for (const [format, mediaType] of [
      ['geojson', 'application/geo+json'],
      ['csv', 'text/csv'],
    ] as const) {
      const { json, text } = await full.ask(`/api/v1/statii?judet=CJ&limita=2&format=${format}`);
      seen.getStations = { ...seen.getStations, [`200 ${mediaType}`]: json ?? text };
    }
    const slug = REVIEW.statie_slug;
    note('getReviews', await full.ask(`/api/v1/reviews/${slug}`));
    note('getReviews', await refusing.ask(`/api/v1/reviews/${slug}`));
    note('addReview', await post(full, '/api/v1/review', REVIEW));
    note('addReview', await post(full, '/api/v1/review', { ...REVIEW, rating: 6 }));
    note('addReview', await post(refusing, '/api/v1/review', { ...REVIEW, comment: 'Curat.' }));
    note('addReview', await post(refusing, '/api/v1/review', REVIEW));
    const journey = '/api/v1/traseu/custom';
    note('planJourney', await post(full, journey, JOURNEY));
    note('planJourney', await post(full, journey, { ...JOURNEY, start: 'Cluj-Napoc' }));
    note('planJourney', await post(full, journey, ' '.repeat(20_000)));
    note('planJourney', await post(full, journey, JOURNEY, 'text/plain'));
    note('subscribeToPush', await post(full, '/api/v1/push/subscribe', SUBSCRIPTION));
    note('subscribeToPush', await post(refusing, '/api/v1/push/subscribe', SUBSCRIPTION));
    note('getPushKey', await refusing.ask('/api/v1/push/vapid-key'));
    note('getKey', await full.ask('/api/v1/cheie', { headers: { 'X-Api-Key': MOCK_KEY } }));
    const feed = new ToldFeed();
    feed.tell([{}, { kind: 'withdrawn', after: { price: null, reason: 'expired' }, source: null, observed: null }]);
    const feedOf = { accessControl: allowAll(SOME_KEY), changes: feed.log };
    const told = await TestService.during(t, { ...feedOf, webhooks: MOCK_WEBHOOKS });
    for (const [operation, path] of [
      ['getChanges', '/api/v1/modificari'],
      ['streamChanges', '/api/v1/modificari/flux'],
    ] as const) {
      if (operation === 'getChanges') note(operation, await told.ask(path));
      else seen[operation] = { 200: await someEvents(told.port, `${path}?dupa=${EPOCH}.0`) };
      note(operation, await told.ask(`${path}?judet=Atlantida`));
      note(operation, await told.ask(`${path}?dupa=epoch_00.1`));
    }
    const fullOfWebhooks = await TestService.during(t, { ...feedOf, webhooks: FULL_WEBHOOKS });
    await askForExamples({ usual: told, full: fullOfWebhooks }, note);
    note('getHealth', await refusing.ask('/api/v1/health'));
    const { openapi, info } = (await full.ask('/openapi.json')).json;
    const beginning = { openapi, info: { title: info.title, version: info.version }, paths: {} };
    seen.getOpenApi = { 200: beginning };
    seen.getOpenApiAlias = { 200: beginning };
    const file = path.join(root, 'src/api/contract/examples.json');
    if (process.env.RECORD_EXAMPLES) await writeFile(file, `${JSON.stringify(seen, null, 2)}\n`);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), seen);
  });
});
