/** The refusals that the OpenAPI document shows and the mock answers with; RECORD_EXAMPLES=1 records them again. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type AccessControlDependencies, createAccessControl } from '../../src/api/access/access-control.ts';
import type { AccessControl } from '../../src/api/access/access-rules.ts';
import { RECORDED_URL } from '../../src/api/declaration/recorded-examples.ts';
import type { ApiOptions } from '../../src/api/http/api-server.ts';
import { MOCK_KEY, mockAccess } from '../../src/app/mock/mock-access.ts';
import { MOCK_NOW } from '../../src/app/mock/mock-moment.ts';
import { NOON } from '../support/builders/snapshot-builders.ts';
import { NO_REVIEWS } from '../support/service/fake-reviews.ts';
import { type Reply, TestService } from '../support/service/test-service.ts';
import { TURZII } from '../support/worlds/contract-world.ts';

type Recorded = { summary: string; status: number; headers: Record<string, string>; body: unknown };
/** What makes the service refuse, and the request that it refuses. */
type Scenario = readonly [
  where: string,
  name: string,
  summary: string,
  ask: (
    service: (parts?: Partial<ApiOptions>) => Promise<TestService>,
  ) => Promise<Pick<Reply, 'status' | 'headers' | 'json'>>,
];

const publicUrl = () => RECORDED_URL;
const usual = mockAccess(publicUrl);
const WITH_KEY = { headers: { 'X-Api-Key': MOCK_KEY } };
const MONTH = { used: 100_000, now: NOON, countedIn: { month: 0, day: 0 } };

/** Access control that decides as usual but for some limits. */
function access(
  limits: Partial<AccessControlDependencies['limits']>,
  others: Partial<Omit<AccessControlDependencies, 'limits'>> = {},
) {
  return { accessControl: createAccessControl({ ...usual, ...others, limits: { ...usual.limits, ...limits } }) };
}

const keyLimit = (decision: object) =>
  access({ keys: { ...usual.limits.keys, tryTake: () => ({ ...MONTH, ...decision }) as never } });
const foundKey = (found: 'unavailable' | { readonly closed: 'overdue' }) => ({
  accessControl: createAccessControl({ ...usual, keys: { ...usual.keys, find: () => found } }),
});
const busy = { tryTake: () => 20_000 };
const crawler = { crawlerOf: () => ({ token: 'Bot', suffixes: [] }) };

const MONTHLY = 'With a key: its monthly quota is used up.';
const BURST = 'With a key: more than its short-term limits allow.';

const SCENARIOS: readonly Scenario[] = [
  [
    'AnyLimit',
    'weekly',
    'Without a key: the weekly cap of this endpoint is reached.',
    async (start) =>
      (
        await start(
          access({
            weekly: {
              ...usual.limits.weekly,
              tryTake: () => ({ accepted: false, acceptedAt: NOON - 60_000, now: NOON }),
            },
          }),
        )
      ).ask('/api/v1/retele'),
  ],
  [
    'AnyLimit',
    'monthly',
    MONTHLY,
    async (start) => (await start(keyLimit({ outcome: 'quota exhausted' }))).ask('/api/v1/retele', WITH_KEY),
  ],
  [
    'AnyLimit',
    'burst',
    BURST,
    async (start) =>
      (await start(keyLimit({ outcome: 'rate limited', used: 126, waitMs: 800 }))).ask('/api/v1/retele', WITH_KEY),
  ],
  [
    'AnyLimit',
    'other',
    'A crawler: too many requests within a minute.',
    async (start) =>
      (await start(access({ minutes: busy }, crawler))).ask('/api/v1/retele', { headers: { 'User-Agent': 'Bot' } }),
  ],
  [
    'KeyLimit',
    'monthly',
    MONTHLY,
    async (start) => (await start(keyLimit({ outcome: 'quota exhausted' }))).ask('/api/v1/preturi', WITH_KEY),
  ],
  [
    'KeyLimit',
    'burst',
    BURST,
    async (start) =>
      (await start(keyLimit({ outcome: 'rate limited', used: 126, waitMs: 800 }))).ask('/api/v1/preturi', WITH_KEY),
  ],
  [
    'MinuteLimit',
    'other',
    'Too many requests of one address within a minute.',
    async (start) => (await start(access({ minutes: busy }))).ask('/api/v1/de-statii?lat=52.52&lng=13.4'),
  ],
  [
    'KeyUnverified',
    'unverified',
    'The key cannot be looked up now.',
    async (start) => (await start(foundKey('unavailable'))).ask('/api/v1/retele', WITH_KEY),
  ],
  [
    'KeyRefused',
    'unknown',
    'No such key, or a revoked one.',
    async (start) => (await start()).ask('/api/v1/retele', { headers: { 'X-Api-Key': 'pompa_live_gresit' } }),
  ],
  [
    'KeyRefused',
    'closed',
    'The subscription of the key does not serve it at present.',
    async (start) => (await start(foundKey({ closed: 'overdue' }))).ask('/api/v1/retele', WITH_KEY),
  ],
  [
    'BadRequest',
    'repeated',
    'A parameter is sent twice.',
    async (start) => (await start()).ask('/api/v1/preturi?zeros=1&zeros=1'),
  ],
  [
    'BadRequest',
    'invalid',
    'A parameter has a wrong value.',
    async (start) => (await start()).ask('/api/v1/statii?tip=kerosen'),
  ],
  [
    'RequestSlow',
    'slow',
    'The headers do not end.',
    (start) => raw(start, 'GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  ],
  [
    'BodyTooLarge',
    'large',
    'More than 16 KiB.',
    async (start) => (await start()).ask('/api/v1/review', { method: 'POST', body: ' '.repeat(20_000) }),
  ],
  [
    'BodyType',
    'type',
    'Another media type than JSON.',
    async (start) =>
      (await start()).ask('/api/v1/review', { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } }),
  ],
  [
    'UrlTooLong',
    'long',
    'A segment of more than 500 characters.',
    async (start) => (await start()).ask(`/api/v1/judete/${'a'.repeat(501)}`),
  ],
  [
    'HeadersTooLarge',
    'large',
    'More than 16 KiB of headers.',
    (start) => raw(start, `GET /api/v1/preturi HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\nHost: x\r\n\r\n`),
  ],
  [
    'Failure',
    'failure',
    'An error of the service itself.',
    async (start) => withFixedCode(await (await start({ accessControl: failing })).ask('/api/v1/retele')),
  ],
  [
    'MethodRefused',
    'method',
    'A method that the path does not have.',
    async (start) => (await start()).ask('/api/v1/preturi', { method: 'DELETE' }),
  ],
  ['NoSuchPath', 'unknown', 'No such path.', async (start) => (await start()).ask('/api/v1/nimic')],
  ['NoSuchPath', 'retired', 'A path of an earlier version.', async (start) => (await start()).ask('/api/preturi')],
  [
    'addReview',
    'other',
    'A daily limit of the address is reached.',
    async (start) =>
      (await start({ reviews: { ...NO_REVIEWS, submit: async () => ({ kind: 'limited', waitMs: 50_400_000 }) } })).ask(
        '/api/v1/review',
        posted({ statie_slug: TURZII, rating: 5 }),
      ),
  ],
  [
    'getGermanStations',
    'unconfigured',
    'The operator has no access to the source.',
    async (start) => (await start()).ask('/api/v1/de-statii?lat=52.52&lng=13.4'),
  ],
  [
    'getGermanStations',
    'unavailable',
    'The channel cannot be used now.',
    async (start) =>
      (await start({ germany: { find: () => ({ kind: 'unavailable' }) } })).ask('/api/v1/de-statii?lat=52.52&lng=13.4'),
  ],
  [
    'getGermanStations',
    'budget',
    'The source may be asked again only later.',
    async (start) =>
      (await start({ germany: { find: () => ({ kind: 'over budget', waitMs: 600_000 }) } })).ask(
        '/api/v1/de-statii?lat=52.52&lng=13.4',
      ),
  ],
  ...(['getChanges', 'streamChanges'] as const).flatMap((operation): Scenario[] => {
    const path = operation === 'getChanges' ? '/api/v1/modificari' : '/api/v1/modificari/flux';
    return [
      [operation, 'unread', 'The feed is not read yet.', async (start) => (await start()).ask(path, WITH_KEY)],
      [
        operation,
        'unverified',
        'The key cannot be looked up now.',
        async (start) => (await start(foundKey('unavailable'))).ask(path, WITH_KEY),
      ],
    ];
  }),
];

const posted = (body: object) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

/** A bug where keys are looked up; the document, which takes none, can be read. */
const failing: AccessControl = (request) => {
  if (request.access.key !== 'none') throw new Error('broken');
  return createAccessControl(usual)(request);
};

/** The code differs each time. */
function withFixedCode({ status, headers, json }: Reply) {
  return { status, headers, json: { ...json, message: json.message.replace(/[0-9a-f]{8}/, '0a1b2c3d') } };
}

/** The answer to bytes that no client would send. */
async function raw(start: Parameters<Scenario[3]>[0], bytes: string) {
  const service = await start({ limits: { headersMs: 150, requestMs: 300, checkIntervalMs: 20 } });
  const [head = '', body = ''] = (await service.raw(bytes)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: {}, json: JSON.parse(body) };
}

describe('the recorded refusals', () => {
  test('are what the service actually answers, with the headers that only refusals have', async (t) => {
    const seen: Record<string, Record<string, Recorded>> = {};
    const plain = started(t, {});
    for (const [where, name, summary, ask] of SCENARIOS) {
      const { status, headers, json } = await ask((parts) => (parts === undefined ? plain : started(t, parts)));
      assert.ok(status >= 400, `${where} ${name}`);
      seen[where] = { ...seen[where], [name]: { summary, status, headers: ownHeaders(headers), body: json } };
    }
    const file = path.resolve(import.meta.dirname, '../../src/api/contract/refusal-examples.json');
    if (process.env.RECORD_EXAMPLES) await writeFile(file, `${JSON.stringify(seen, null, 2)}\n`);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), seen);
  });

  test('are of the moment at which the mock’s clock stands', () => assert.equal(MOCK_NOW, NOON));
});

function started(t: TestContext, parts: Partial<ApiOptions>): Promise<TestService> {
  return TestService.during(t, { accessControl: createAccessControl(usual), publicUrl, ...parts });
}

/** Named as the service writes them. */
function ownHeaders(headers: Reply['headers']): Record<string, string> {
  const payment = /<[^>]*>; rel="payment"/.exec(String(headers.link))?.[0];
  const names = ['Retry-After', 'Allow', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const sent = names.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { ...Object.fromEntries(sent), ...(payment !== undefined && { Link: payment }) };
}

// biome-ignore lint/suspicious/noExplicitAny: a document of known shape
type OpenApiDocument = any;

describe('every answer in the document', () => {
  let document: OpenApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  before(async () => {
    const service = await TestService.start();
    document = (await service.ask('/openapi.json')).json;
    await service.api.close();
    formats.default(ajv);
    ajv.addSchema(document, 'openapi');
  });

  /** Each content of each answer, with its place in the document. */
  function* contents(): Generator<{ readonly at: string; readonly content: OpenApiDocument }> {
    const answers = (of: OpenApiDocument, at: string) =>
      Object.keys(of).map((status) => {
        const ref: string | undefined = of[status].$ref;
        return ref === undefined ? `${at}/${status}` : ref.slice(1);
      });
    const operations = Object.keys(document.paths).flatMap((name) =>
      Object.keys(document.paths[name]).map((method) => ['paths', name, method] as const),
    );
    const places = operations.flatMap(([, name, method]) =>
      answers(document.paths[name][method].responses, pointer('paths', name, method, 'responses')),
    );
    for (const place of new Set([...places, ...answers(document['x-unrouted-responses'], '/x-unrouted-responses')])) {
      // A 304 has none.
      const { content = {} } = resolve(place);
      for (const mediaType of Object.keys(content)) {
        yield { at: place + pointer('content', mediaType), content: content[mediaType] };
      }
    }
  }

  const pointer = (...keys: string[]) =>
    keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const resolve = (place: string): OpenApiDocument =>
    place
      .slice(1)
      .split('/')
      .reduce((node, key) => node[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  const examplesIn = ({ example, examples = {} }: OpenApiDocument): unknown[] =>
    example === undefined ? Object.values<{ value: unknown }>(examples).map(({ value }) => value) : [example];

  test('has an example that its schema allows', () => {
    let checked = 0;
    for (const { at, content } of contents()) {
      const examples = examplesIn(content);
      assert.ok(examples.length > 0, `${at} has no example`);
      const isValid = ajv.compile({ $ref: `openapi#${encodeURI(at)}/schema` });
      for (const example of examples) assert.ok(isValid(example), `${at}: ${ajv.errorsText(isValid.errors)}`);
      checked += examples.length;
    }
    assert.ok(checked > 60, `${checked} examples`);
  });

  test('names the kinds of 429', () => {
    const { responses } = document.components;
    const names = (answer: OpenApiDocument) => Object.keys(answer.content['application/json'].examples);
    assert.deepEqual(names(responses.AnyLimit), ['weekly', 'monthly', 'burst', 'other']);
    assert.deepEqual(names(responses.KeyLimit), ['monthly', 'burst']);
    assert.deepEqual(names(responses.MinuteLimit), ['other']);
  });

  test('shows the address of the service that it is of, never that of the recording', () => {
    const text = JSON.stringify(document);
    assert.ok(!text.includes(RECORDED_URL));
    assert.match(text, /"upgrade_url":"http:\/\/127\.0\.0\.1:\d+\/planuri"/);
  });

  test('and every posted body has one, too', () => {
    const operations = Object.entries<OpenApiDocument>(document.paths).flatMap(([name, methods]) =>
      Object.keys(methods).map((method) => [name, method] as const),
    );
    for (const [name, method] of operations) {
      if (document.paths[name][method].requestBody === undefined) continue;
      const place = pointer('paths', name, method, 'requestBody', 'content', 'application/json');
      const isValid = ajv.compile({ $ref: `openapi#${place}/schema` });
      assert.ok(isValid(resolve(place).example), `${name}: ${ajv.errorsText(isValid.errors)}`);
    }
  });

  test('begins no pattern so that Specmatic would take it for a regular expression between delimiters', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    assert.ok(patterns.length > 5);
    for (const [, pattern = ''] of patterns) assert.doesNotMatch(JSON.parse(pattern) as string, /^\^?\//);
  });
});
