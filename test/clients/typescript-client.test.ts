/** The client for TypeScript against the real service with its limits and keys. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  BadRequestError,
  type ClientOptions,
  isPompaError,
  KeyRefusedError,
  KeyUnverifiedError,
  MonthlyQuotaError,
  NetworkError,
  NotFoundError,
  PompaClient,
  type PompaError,
  RateLimitError,
  UnexpectedAnswerError,
  WeeklyCapError,
} from '../../clients/typescript/src/index.ts';
import { KEY_BYTES, makeApiKey } from '../../src/domain/access/api-key.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { TestService } from '../support/service/test-service.ts';

describe('the client, at a service with limits', () => {
  let guarded: GuardedServices;
  let apiKey: string;
  before(async () => {
    guarded = await GuardedServices.start();
    apiKey = (await guarded.key({ quota: 1000 })).key;
  });
  after(() => guarded.close());
  const client = (options: Partial<ClientOptions> = {}) => clientOf(guarded.service, options);

  test('reads prices without a key, missing ones as null', async () => {
    const { preturi } = await client().getNationalPrices();
    const { statii } = await client().getStations();

    assert.equal(typeof preturi.motorina_standard.min, 'number');
    assert.ok(statii.some(({ pret }) => pret === null));
  });

  test('sends every kind of parameter: in the path, lists, switches, a body', async () => {
    const pompa = client({ apiKey });
    const { judet } = await pompa.getCountyPrices({ judet: 'Cluj' });
    const { statii } = await pompa.getStations({ bbox: [20, 43, 30, 49], cu_pret: true, limita: 3 });
    const [first, second] = statii.map(({ id }) => id);
    const chosen = await pompa.getStations({ id: [first ?? '', second ?? ''] });
    const { ok } = await pompa.planJourney({ start: 'Cluj-Napoca', end: 'București' });

    assert.equal(judet, 'CJ');
    assert.equal(statii.length, 3);
    assert.ok(statii.every(({ pret }) => pret !== null));
    assert.deepEqual(new Set(chosen.statii.map(({ id }) => id)), new Set([first, second]));
    assert.equal(ok, true);
  });

  test('tells what is left of the month of its key', async () => {
    const pompa = client({ apiKey: (await guarded.key({ quota: 7 })).key });
    const before = pompa.quota;
    await pompa.getNetworks();

    const { limit, remaining, resetsAt } = pompa.quota ?? assert.fail('nothing is known');
    assert.deepEqual([before, limit, remaining], [null, 7, 6]);
    assert.ok(resetsAt.getTime() > Date.now());
  });

  test('knows a wrong parameter, an unknown station and a wrong key', async () => {
    const wrong = await errorOf(client().getStations({ lat: Number.NaN, lon: 26 }), BadRequestError);
    assert.match(wrong.message, /lat/);
    assert.equal(
      (await errorOf(client({ apiKey }).getStationHistory({ station_id: 'x/../y' }), NotFoundError)).status,
      404,
    );
    await errorOf(client({ apiKey: 'pompa_live_wrong' }).getNetworks(), KeyRefusedError);
    await errorOf(client().getKey(), KeyRefusedError);
    const impossible = client().planJourney({ start: 'Atlantida', end: 'Cluj-Napoca' });
    assert.match((await errorOf(impossible, BadRequestError)).message, /Atlantida/);
  });

  test('knows the weekly cap, and does not wait for it', async () => {
    const from = newAddress();
    const pompa = client({ fetch: fetchFrom(from), waitUpToSeconds: 1_000_000 });
    await pompa.getNetworks();
    const error = await errorOf(pompa.getNetworks(), WeeklyCapError);

    const days = (error.nextAllowed.getTime() - Date.now()) / 86_400_000;
    assert.ok(days > 6.99 && days <= 7.001, `${days} days`);
    assert.match(error.plansUrl ?? '', /\/planuri$/);
  });

  test('knows the end of the month, and does not wait for it', async () => {
    const { key } = await guarded.key({ quota: 1 });
    const pompa = client({ apiKey: key, waitUpToSeconds: 1_000_000 });
    await pompa.getNetworks();
    const error = await errorOf(pompa.getNetworks(), MonthlyQuotaError);

    assert.equal(error.limit, 1);
    assert.deepEqual([error.resetsAt.getUTCDate(), error.resetsAt.getUTCHours()], [1, 0]);
    assert.equal(pompa.quota?.remaining, 0);
  });

  test('waits for its share of the second, or says how long to wait where it may not', async () => {
    const { key } = await guarded.key({ quota: 1000 });
    const burst = (pompa: PompaClient, length: number) =>
      Promise.allSettled(Array.from({ length }, () => pompa.getNetworks()));
    const hasty = await burst(client({ apiKey: key, waitUpToSeconds: 0 }), 20);
    const patient = await burst(client({ apiKey: key, waitUpToSeconds: 30 }), 9);

    const errors = hasty.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    assert.ok(errors.length > 0);
    for (const error of errors) {
      assert.ok(error instanceof RateLimitError);
      assert.deepEqual([error.limitOf, error.retryAfterSeconds], ['key', 1]);
    }
    assert.deepEqual(new Set(patient.map(({ status }) => status)), new Set(['fulfilled']));
  });
});

describe('the client', () => {
  test('keeps a key that the service cannot verify at the moment', async (t) => {
    const pompa = clientOf(await TestService.during(t), { apiKey: makeApiKey(new Uint8Array(KEY_BYTES)) });

    assert.equal((await errorOf(pompa.getNetworks(), KeyUnverifiedError)).retryAfterSeconds, 30);
  });

  test('reads the health of a service whose prices are too old, though its status is 503', async () => {
    const body = { status: 'degraded', statii_total: 0 };
    const pompa = scripted(Response.json(body, { status: 503 }));

    assert.equal((await pompa.getHealth()).status, 'degraded');
  });

  test('waits as long as each refusal says, in all no longer than its bound', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pompa = scripted(refusal(429, 4, true), refusal(503, 5, false), refusal(429, 4, false));
    const call = errorOf(pompa.getNetworks({}, { waitUpToSeconds: 12 }), RateLimitError);
    for (const seconds of [4, 5]) {
      await settled();
      t.mock.timers.tick(seconds * 1000);
    }

    // 4 of the 12 seconds are left to wait 4 more, were they not 3.
    assert.deepEqual([(await call).retryAfterSeconds, (await call).limitOf], [4, 'endpoint']);
  });

  test('stops waiting when its signal says so', async () => {
    const stop = new AbortController();
    const call = scripted(refusal(429, 60, true)).getNetworks({}, { waitUpToSeconds: 100, signal: stop.signal });
    await settled();
    stop.abort(new Error('enough'));

    await assert.rejects(call, /enough/);
  });

  test('sends nothing twice that may have had an effect', async () => {
    const review = { statie_slug: 'petrom-0a1b2c3d4e5f', rating: 5 };
    const call = scripted(refusal(503, 1, false), Response.json({})).addReview(review, { waitUpToSeconds: 100 });

    assert.equal((await errorOf(call, undefined)).kind, 'unavailable');
  });

  test('never carries its key to where a redirect leads', async (t) => {
    let requests = 0;
    const server = http.createServer((_, response) => {
      requests += 1;
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = new PompaClient({ baseUrl, apiKey: 'secret' }).getNetworks();

    assert.match((await errorOf(call, UnexpectedAnswerError)).message, /redirect to \/elsewhere: set baseUrl/);
    assert.equal(requests, 1);
  });

  test('takes no page of a proxy for an answer', async () => {
    await errorOf(scripted(new Response('<html>')).getNetworks(), UnexpectedAnswerError);
    assert.equal(
      (await errorOf(scripted(new Response('', { status: 502 })).getNetworks(), undefined)).kind,
      'unavailable',
    );
  });

  test('says that no answer came, and within which time', async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const pompa = new PompaClient({ baseUrl: 'http://127.0.0.1:1', fetch: never, timeoutSeconds: 0.01 });
    // The timer of a signal alone keeps no process running.
    const running = setInterval(() => undefined, 1000);

    assert.match((await errorOf(pompa.getNetworks(), NetworkError)).message, /within 0\.01 s/);
    clearInterval(running);
    const closed = new PompaClient({ baseUrl: 'http://127.0.0.1:1' });
    assert.match((await errorOf(closed.getNetworks(), NetworkError)).message, /127\.0\.0\.1:1/);
  });

  test('refuses wrong options and names of nothing in a sentence, without showing a key', async () => {
    const baseUrl = 'https://pompa.example';
    for (const [options, message] of [
      [{ baseUrl: 'pompa.example' }, /address of the service/],
      [{ baseUrl: `${baseUrl}/api/v1/` }, /end before \/api\/v1: https:\/\/pompa\.example$/],
      [{ baseUrl, apiKey: '' }, /leave it out/],
      [{ baseUrl, apiKey: 'secret key' }, /^(?!.*secret)/],
      [{ baseUrl, waitUpToSeconds: -1 }, /waitUpToSeconds/],
      [{ baseUrl, timeoutSeconds: Number.NaN }, /timeoutSeconds/],
    ] as const) {
      assert.throws(() => new PompaClient(options), { name: 'TypeError', message });
    }
    for (const call of [{ waitUpToSeconds: Number.NaN }, { timeoutSeconds: 1e9 }])
      await assert.rejects(scripted().getNetworks({}, call), { name: 'TypeError', message: /number of seconds/ });
    for (const judet of ['', '.', '..'])
      await assert.rejects(scripted().getCountyPrices({ judet }), { name: 'TypeError', message: /judet/ });
  });

  test('sends no key from a page of a browser', (t) => {
    Object.assign(globalThis, { document: {} });
    t.after(() => Reflect.deleteProperty(globalThis, 'document'));

    assert.doesNotThrow(() => new PompaClient({ baseUrl: 'https://pompa.example' }));
    assert.throws(() => new PompaClient({ baseUrl: 'https://pompa.example', apiKey: 'a' }), /stay on a server/);
  });
});

/** A client whose requests come from one address, a new one by default. */
function clientOf({ port }: TestService, options: Partial<ClientOptions>): PompaClient {
  return new PompaClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: fetchFrom(newAddress()), ...options });
}

function fetchFrom(address: string): typeof fetch {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('X-Forwarded-For', address);
    return fetch(url, { ...init, headers });
  };
}

/** A client that gets these answers, one after the other. */
function scripted(...answers: Response[]): PompaClient {
  return new PompaClient({
    baseUrl: 'https://pompa.example',
    fetch: async () => answers.shift() ?? assert.fail('one request too many'),
  });
}

function refusal(status: number, seconds: number, inBody: boolean): Response {
  const body = { status: 'error', message: 'Nu acum.', ...(inBody && { retry_after_seconds: seconds }) };
  return Response.json(body, { status, headers: { 'Retry-After': String(seconds) } });
}

/** The error of a call, which must be of this kind. */
async function errorOf<T extends PompaError = PompaError>(
  call: Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the constructors take different arguments
  kind: (new (...values: any[]) => T) | undefined,
): Promise<T> {
  const error = await call.then(
    () => assert.fail('the call must fail'),
    (reason: unknown) => reason,
  );
  assert.ok(isPompaError(error), String(error));
  if (kind !== undefined) assert.ok(error instanceof kind, `${error.name}: ${error.message}`);
  return error as T;
}

/** Lets promises that are due continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
