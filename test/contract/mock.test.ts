/** `pompa mock`: what client developers test with. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { simulatedState } from '../../scripts/simulated-state.ts';
import type { Endpoint } from '../../src/api/declaration/endpoint.ts';
import { exampleRequest } from '../../src/api/declaration/example-request.ts';
import { atAddress, examplesOf } from '../../src/api/declaration/recorded-examples.ts';
import { sharedRefusalsOf } from '../../src/api/declaration/shared-refusals.ts';
import { createEndpoints } from '../../src/api/http/create-endpoints.ts';
import { MOCK_KEY } from '../../src/app/mock/mock-access.ts';
import { type RunningMock, startMock } from '../../src/app/mock/mock-service.ts';
import { mockSnapshot } from '../../src/app/mock/mock-snapshot.ts';
import { encodeMockState, MOCK_STATE_FILE } from '../../src/app/mock/mock-state.ts';
import { createJourneyPlanner } from '../../src/app/routing-service.ts';
import { EXAMPLE_STATION } from '../../src/domain/stations/station-slug.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { EventClient } from '../support/changes/event-client.ts';
import { NO_REVIEWS } from '../support/service/fake-reviews.ts';
import { NO_PUSH } from '../support/service/no-push.ts';
import { answerCheck } from '../support/service/openapi-check.ts';
import { NO_GERMANY } from '../support/simulators/german-source.ts';

const PUBLIC_URL = 'https://mock.example';
const SETTINGS = { HOST: '127.0.0.1', PORT: 0, PUBLIC_URL, PUSH_HOSTS: ['fcm.googleapis.com'] };
const LOG = { warn: () => undefined, error: () => undefined };
const KEY = { 'X-Api-Key': MOCK_KEY };

type Sent = { method?: string; headers?: Record<string, string>; body?: string };
type Received = { status: number; headers: http.IncomingHttpHeaders; text: string };

let mock: RunningMock;
let ask: (target: string, sent?: Sent) => Promise<Received>;
before(async () => {
  mock = await startMock(SETTINGS, LOG);
  ask = (target, sent) => request(mock.port, target, sent);
});
after(() => mock.close());

/** Without `Date`, the only thing that may differ from one answer to the next. */
function request(port: number, target: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, path: target, method, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      const { date: _, ...rest } = response.headers;
      const parts: Buffer[] = await response.toArray();
      resolve({ status: response.statusCode ?? 0, headers: rest, text: Buffer.concat(parts).toString() });
    });
    sent.end(body);
  });
}

/** All operations, with which requests and choices are made. */
const endpoints = createEndpoints({
  ...{ gazetteer: loadGazetteer(), publicUrl: () => PUBLIC_URL, clientOf: () => '', clock: () => 0 },
  ...{
    keyReport: () => Promise.resolve(null),
    germany: NO_GERMANY,
    journeys: createJourneyPlanner(loadGazetteer()),
    reviews: NO_REVIEWS,
    push: NO_PUSH,
  },
});

/** The request that the documentation shows of an operation. */
function example(endpoint: Endpoint, headers: Record<string, string> = {}): readonly [target: string, sent: Sent] {
  const { method = 'GET' } = endpoint;
  const { target, body } = exampleRequest(endpoint);
  if (body === null) return [target, { method, headers }];
  return [target, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }];
}

describe('the state of the mock', () => {
  test('is what scripts/write-mock-state.ts makes of the simulated country', async () => {
    assert.equal(await readFile(MOCK_STATE_FILE, 'utf8'), encodeMockState(simulatedState(loadGazetteer())));
  });

  test('has every kind of record, more of them than a sample without a key, and 90 days of prices', () => {
    const { records, cities, history } = mockSnapshot(loadGazetteer());
    const kinds = new Set(
      records.map(({ fuel, verdict }) => `${verdict.kind} ${'reason' in verdict ? verdict.reason : fuel}`),
    );
    const wanted = ['trusted petrol', 'trusted lpg', 'trusted adblue', 'doubtful stuck', 'doubtful stale'];
    wanted.push('doubtful orphaned', 'unknown invalid', 'unknown unpublished');
    for (const kind of wanted) assert.ok(kinds.has(kind), kind);
    for (const kind of ['expired', 'incoherent'])
      assert.ok(
        records.some(({ verdict }) => verdict.kind === kind),
        kind,
      );
    assert.ok(records.length > 150 && cities.length > 20);
    const flags = records.map(({ station }) => station);
    assert.ok(flags.some(({ suspectCoordinates }) => suspectCoordinates));
    assert.ok(flags.some(({ approximateCoordinates }) => approximateCoordinates));
    const series = history(EXAMPLE_STATION.id);
    assert.ok(
      series !== undefined && [...Array(89).keys()].every((ago) => series.price('petrol', TODAY - ago) !== null),
    );
  });
});

const TODAY = Math.floor(Date.parse('2026-11-20T00:00:00Z') / 86_400_000);

describe('an answer of the mock', () => {
  test('is a success to the request that the documentation shows of each operation, as the document describes it', async () => {
    const document = JSON.parse((await ask('/openapi.json')).text);
    const check = answerCheck(document);
    for (const endpoint of endpoints.filter(({ streams }) => streams !== true)) {
      const [target, sent] = example(endpoint, endpoint.access.key === 'none' ? {} : KEY);
      const { status, headers, text } = await ask(target, sent);
      assert.equal(status, 201 in endpoint.answers ? 201 : 200, `${target}: ${text}`);
      check({ method: sent.method ?? 'GET', target, status, headers, json: JSON.parse(text) });
    }
  });

  test('is the same after another start, byte for byte', async () => {
    const other = await startMock(SETTINGS, LOG);
    const ended = endpoints.filter(({ streams }) => streams !== true);
    const targets = ended.flatMap((endpoint) => [example(endpoint), example(endpoint, KEY)]);
    targets.push(['/api/v1/statii', {}], ['/api/v1/statii?format=csv', { headers: KEY }], ['/api/v1/nimic', {}]);
    try {
      for (const [target, sent] of targets)
        assert.deepEqual(await request(other.port, target, sent), await ask(target, sent), target);
    } finally {
      await other.close();
    }
  });

  test('tells changes that lead to its stations, as pages and as a stream', async () => {
    const { modificari, urmatorul, la_zi } = JSON.parse((await ask('/api/v1/modificari', { headers: KEY })).text);
    const kinds = new Set(modificari.map(({ fel }: { fel: string }) => fel));
    assert.deepEqual([...kinds].sort(), ['pret', 'retras', 'revenit', 'statie_disparuta', 'statie_noua', 'steag']);
    const { headers, text } = await ask('/api/v1/statii', { headers: KEY });
    assert.deepEqual([la_zi, urmatorul], [true, headers['pompa-cursor']]);
    const served = new Map<string, number>(
      JSON.parse(text).statii.map((record: { id: string; tip: string; pret: number | null }) => [
        `${record.id} ${record.tip}`,
        record.pret,
      ]),
    );
    for (const { statie_id, tip, motiv, pret_nou } of modificari.filter((change: { tip: unknown }) => change.tip))
      assert.equal(pret_nou, motiv === 'nu_se_vinde' ? null : served.get(`${statie_id} ${tip}`));
    const stream = await EventClient.connect(mock.port, `/api/v1/modificari/flux?dupa=${modificari[0].cursor}`, KEY);
    await stream.until(({ events }) => events.length === modificari.length - 1);
    stream.close();
    assert.deepEqual(
      stream.events.map(({ data }) => JSON.parse(data)),
      modificari.slice(1),
    );
  });

  test('is never refused by a limit', async () => {
    for (let count = 0; count < 40; count += 1) {
      assert.equal((await ask('/api/v1/retele')).status, 200);
      assert.equal((await ask('/api/v1/retele', { headers: KEY })).status, 200);
    }
  });

  test('has all records with any well-formed key, a sample without one, and is 401 with another', async () => {
    const totals = async (headers = {}) => JSON.parse((await ask('/api/v1/statii', { headers })).text);
    const [full, sample] = [await totals(KEY), await totals()];
    assert.deepEqual([sample.total, sample.total_disponibil], [150, full.total]);
    const { headers } = await ask('/api/v1/statii', { headers: KEY });
    assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['100000', '99899']);
    assert.equal((await ask('/api/v1/statii', { headers: { 'X-Api-Key': 'pompa_live_gresit' } })).status, 401);
    assert.equal((await ask('/api/v1/cheie')).status, 401);
  });

  test('to a post is the contract’s, and nothing is stored', async () => {
    const slug = EXAMPLE_STATION.slug;
    const reviews = () => ask(`/api/v1/reviews/${slug}`);
    const earlier = await reviews();
    const post = async (review: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ statie_slug: slug, ...review });
      const { status, text } = await ask('/api/v1/review', { method: 'POST', headers, body });
      return [status, JSON.parse(text).review_count];
    };
    assert.deepEqual(
      [await post({ rating: 5 }), await post({ rating: 5 })],
      [
        [200, 4],
        [200, 4],
      ],
    );
    assert.deepEqual(await post({ rating: 5, comment: 'Curat.' }), [403, undefined]);
    assert.deepEqual(await post({ rating: 5, comment: 'Curat.', recaptcha_token: 'x' }), [200, 3]);
    assert.deepEqual(await post({ rating: 6 }), [400, undefined]);
    assert.deepEqual(await reviews(), earlier);
  });
});

describe('Prefer', () => {
  test('leads on from the 410 of the feed: the cursor in it holds', async () => {
    const gone = await ask('/api/v1/modificari', { headers: { ...KEY, Prefer: 'code=410' } });
    const resumed = await ask(`/api/v1/modificari?dupa=${JSON.parse(gone.text).reia_de_la}`, { headers: KEY });
    assert.deepEqual([gone.status, resumed.status], [410, 200]);
    assert.ok(JSON.parse(resumed.text).modificari.length > 0);
  });

  test('selects each answer of each operation: body, headers and status as recorded, and says so', async () => {
    const check = answerCheck(JSON.parse((await ask('/openapi.json')).text));
    let answers = 0;
    for (const endpoint of endpoints) {
      const statuses = [...Object.keys(endpoint.answers).map(Number), ...sharedRefusalsOf(endpoint).keys()];
      for (const status of statuses.filter((each) => each !== 200)) {
        for (const recorded of examplesOf(endpoint, status)) {
          const prefer = recorded.name === null ? `code=${status}` : `code=${status}, example=${recorded.name}`;
          const [target, sent] = example(endpoint, { Prefer: prefer });
          const { status: answered, headers, text } = await ask(target, sent);
          const wanted = atAddress(recorded, PUBLIC_URL);
          const what = `${target} ${prefer}`;
          assert.deepEqual([answered, JSON.parse(text)], [status, wanted.body], what);
          assert.equal(headers['preference-applied'], prefer, what);
          for (const [name, value] of Object.entries(wanted.headers))
            assert.ok(String(headers[name.toLowerCase()]).includes(value), `${what} ${name}`);
          check({ method: sent.method ?? 'GET', target, status, headers, json: JSON.parse(text) });
          answers += 1;
        }
      }
    }
    assert.ok(answers > 100, `${answers} answers`);
  });

  const answerTo = async (target: string, prefer: string, headers = {}) => {
    const { text, ...rest } = await ask(target, { headers: { Prefer: prefer, ...headers } });
    return { ...rest, json: JSON.parse(text) };
  };

  test('without an example selects the first one, and with a parameter the one that it names', async () => {
    const first = await answerTo('/api/v1/retele', 'code=429');
    const last = await answerTo('/api/v1/retele', 'wait=5, code="429"; example=other');
    assert.ok('next_allowed' in first.json && !('limit' in last.json) && last.status === 429);
    assert.equal(first.headers['preference-applied'], 'code=429, example=weekly');
  });

  test('is heeded on prerendered answers, HEAD and posts, and with a key', async () => {
    assert.equal((await answerTo('/api/v1/preturi/minime', 'code=500')).status, 500);
    const head = await ask('/api/v1/preturi', { method: 'HEAD', headers: { Prefer: 'code=404' } });
    assert.deepEqual([head.status, head.text], [404, '']);
    const withKey = await answerTo('/api/v1/preturi', 'code=404', KEY);
    assert.deepEqual([withKey.status, withKey.headers['x-ratelimit-limit']], [404, '100000']);
    const preflight = await ask('/api/v1/retele', { method: 'OPTIONS' });
    assert.match(String(preflight.headers['access-control-allow-headers']), /, Prefer$/);
  });

  test('selects 304 without a body, where it is documented', async () => {
    for (const headers of [{}, KEY]) {
      const {
        status,
        text,
        headers: sent,
      } = await ask('/api/v1/modificari', { headers: { Prefer: 'code=304', ...headers } });
      assert.deepEqual([status, text, sent['content-type']], [304, '', undefined]);
      assert.deepEqual([sent['preference-applied'], sent.etag, sent.vary], ['code=304', '"mock"', 'Accept-Encoding']);
    }
    const { status, json } = await answerTo('/api/v1/retele', 'code=304');
    assert.deepEqual([status, /code=304/.test(json.message.split('Posibile')[1])], [400, false]);
    assert.match((await answerTo('/api/v1/modificari', 'code=418')).json.message, /code=304/);
  });

  test('for 200, or for something else, changes nothing', async () => {
    const usual = await ask('/api/v1/retele');
    for (const prefer of ['code=200', 'return=minimal', 'respond-async, wait=10', ''])
      assert.deepEqual(await ask('/api/v1/retele', { headers: { Prefer: prefer } }), usual, prefer);
  });

  test('for anything that the operation does not document is 400 with a list of what it does', async () => {
    for (const prefer of [
      'code=418',
      'code=502',
      'code=429, example=daily',
      'example=weekly',
      'code=',
      'code=__proto__',
    ]) {
      const { status, headers, json } = await answerTo('/api/v1/retele', prefer);
      assert.deepEqual([status, json.status, headers['preference-applied']], [400, 'error', undefined], prefer);
      assert.match(json.message, /code=429 \(example=weekly \| monthly \| burst \| other\)/, prefer);
    }
    const long = await answerTo('/api/v1/retele', `code=${'9'.repeat(8_000)}`);
    assert.ok(long.status === 400 && long.json.message.length < 700);
    const [target, sent] = example(endpoints.find(({ operationId }) => operationId === 'planJourney') as Endpoint);
    const { text } = await ask(target, { ...sent, headers: { ...sent.headers, Prefer: 'code=404' } });
    assert.equal(JSON.parse(text).ok, false);
  });
});
