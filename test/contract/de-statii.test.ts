import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { createGermanSearchService, type GermanSearchDependencies } from '../../src/api/endpoints/german-search.ts';
import { createTankerkoenig } from '../../src/clients/tankerkoenig.ts';
import { type Database, openDatabase } from '../../src/store/connection/database.ts';
import type { DatabaseConnection } from '../../src/store/connection/database-connection.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { GermanStore } from '../../src/store/germany/german-store.ts';
import type { KeyedHasher } from '../../src/store/limits/address-hash.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { DatabaseProxy } from '../support/database/database-proxy.ts';
import { NO_DATABASE } from '../support/database/late-database.ts';
import { addressHashOn } from '../support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { TestService } from '../support/service/test-service.ts';
import {
  aGermanList,
  aGermanRow,
  GermanSourceDouble,
  identifyAsNew,
  json,
} from '../support/simulators/german-source.ts';
import { timed } from '../support/stopwatch.ts';

const PATH = '/api/v1/de-statii';
const BERLIN = `${PATH}?lat=52.5219&lng=13.4132&rad=5`;
const KEY = 'some-secret-key';

let database: TestDatabase;
let hasher: KeyedHasher;
/** The same database, as another process connects to it. */
let otherDatabase: Database<Schema>;
let upstream: GermanSourceDouble;
before(async () => {
  database = await testDatabase();
  hasher = (await addressHashOn(database)).for('german shares');
  otherDatabase = await open(database.url);
});
after(async () => {
  await otherDatabase.close();
  await database.drop();
});
beforeEach(async () => {
  upstream = await GermanSourceDouble.start();
  await database.pool.query(`truncate german_answers; update german_budget
    set recent = '{}', caller_times = '{}', caller_clients = '{}', caller_networks = '{}'`);
});
afterEach(() => upstream.close());

function open(databaseUrl: string): Promise<Database<Schema>> {
  return openDatabase<Schema>({ databaseUrl, dataDir: '', log: { info: () => undefined, warn: () => undefined } });
}

type InstanceOptions = {
  on?: DatabaseConnection;
  store?: GermanStore;
  perHour?: number;
  configured?: boolean;
  logged?: unknown[];
  identify?: GermanSearchDependencies['identify'];
};

/** A process with the German channel, by default on the shared database. */
function startInstance(
  t: TestContext,
  { on = database, perHour = 100, configured = true, logged = [], identify = identifyAsNew }: InstanceOptions = {},
) {
  const { url } = upstream;
  const source = createTankerkoenig({ url, apiKey: KEY, userAgent: 'Pompa test', allowPrivate: true });
  t.after(() => source.close());
  const store = new GermanStore(on, perHour, hasher);
  const log = { warn: (...entry: unknown[]) => logged.push(entry), error: (...entry: unknown[]) => logged.push(entry) };
  const germany = createGermanSearchService({ source: configured ? source : null, store, identify, log });
  return TestService.during(t, { germany, log });
}

const statusOf = async (service: TestService, target: string) => (await service.ask(target)).status;
const statuses = async (service: TestService, targets: readonly string[]) =>
  (await Promise.all(targets.map((target) => statusOf(service, target)))).sort();
/** Points in different cells. */
const cells = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `${PATH}?lat=${50 + (from + at) / 100}&lng=9`);

describe('GET /api/v1/de-statii → 200', () => {
  test('the stations in EUR, nearest first, with the attribution that the licence requires', async (t) => {
    upstream.answer = json(
      aGermanList([
        aGermanRow({ dist: 2.5, brand: '', name: 'Tankstelle Süd', houseNumber: ' ', postCode: 1_067, isOpen: false }),
        aGermanRow({ e5: null, e10: false, diesel: 0 }),
      ]),
    );
    const { status, json: answer, headers } = await (await startInstance(t)).ask(BERLIN);
    const { generat_la: generatedAt, ...rest } = answer;
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-limit'], undefined);
    assert.match(generatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    const place = { oras: 'Berlin', lat: 52.5241, lng: 13.4102 };
    assert.deepEqual(rest, {
      status: 'ok',
      tara: 'DE',
      moneda: 'EUR',
      sursa: 'Tankerkönig (MTS-K), CC BY 4.0',
      atribuire: 'https://creativecommons.tankerkoenig.de',
      lat: 52.5219,
      lng: 13.4132,
      rad_km: 5,
      nr_statii: 2,
      statii: [
        {
          ...{ nume: 'ARAL Tankstelle', brand: 'ARAL', adresa: 'Lindenallee 12/14', cod_postal: 10_178, ...place },
          ...{ dist_km: 0.6, benzina: null, e10: null, motorina: null, deschis: true },
        },
        {
          ...{ nume: 'Tankstelle Süd', brand: '', adresa: 'Lindenallee', cod_postal: 1_067, ...place },
          ...{ dist_km: 2.5, benzina: 1.789, e10: 1.729, motorina: 1.659, deschis: false },
        },
      ],
    });
  });

  test('a radius that is 15 by default, clamped to 1 to 25, and whole', async (t) => {
    const service = await startInstance(t);
    const radius = async (rad: string) => (await service.ask(`${PATH}?lat=50&lng=9${rad}`)).json.rad_km;
    for (const [sent, used] of [
      ['', 15],
      ['&rad=0', 1],
      ['&rad=-3', 1],
      ['&rad=1.4', 1],
      ['&rad=7.5', 8],
      ['&rad=24.6', 25],
      ['&rad=9999', 25],
    ] as const) {
      assert.equal(await radius(sent), used, sent);
    }
    assert.deepEqual(
      upstream.queries.map((query) => query.get('rad')),
      ['15', '1', '8', '25'],
      'the same radius is not requested twice',
    );
  });

  test('the extreme points of Germany are accepted; unknown parameters are ignored', async (t) => {
    const service = await startInstance(t);
    const corners = ['lat=47&lng=5.5', 'lat=47.0&lng=15.5', 'lat=55.2&lng=5.50', 'lat=55.2&lng=15.5&lon=1&lon=2'];
    assert.deepEqual(
      await statuses(
        service,
        corners.map((corner) => `${PATH}?${corner}`),
      ),
      [200, 200, 200, 200],
    );
  });

  test('an empty list where there are no stations', async (t) => {
    upstream.answer = json(aGermanList([]));
    const { status, json: answer } = await (await startInstance(t)).ask(BERLIN);
    assert.deepEqual([status, answer.nr_statii, answer.statii], [200, 0, []]);
  });

  test('HEAD is GET without the body; OPTIONS is 204 and costs nothing; other methods are 405', async (t) => {
    const service = await startInstance(t);
    const got = await service.ask(BERLIN);
    const head = await service.ask(BERLIN, { method: 'HEAD' });
    assert.deepEqual([head.status, head.raw.length], [200, 0]);
    assert.deepEqual({ ...head.headers, date: '' }, { ...got.headers, date: '' });
    assert.equal((await service.ask(BERLIN, { method: 'OPTIONS' })).status, 204);
    assert.equal((await service.ask(BERLIN, { method: 'POST' })).status, 405);
    assert.equal((await service.ask(`${PATH}/`)).status, 404);
  });

  test('a bad key is ignored; a valid one adds its headers and has the same limit', async (t) => {
    const service = await startInstance(t);
    assert.equal((await service.ask(BERLIN, { headers: { 'X-Api-Key': 'nonsense' } })).status, 200);
    const guarded = await GuardedServices.during(t);
    const { key } = await guarded.key();
    const headers = { 'X-Api-Key': key, 'X-Forwarded-For': newAddress() };
    for (let at = 0; at < 30; at += 1) assert.equal((await guarded.service.ask(BERLIN, { headers })).status, 503);
    for (const target of [BERLIN, PATH]) {
      const { status, headers: got } = await guarded.service.ask(target, { headers });
      assert.equal(status, target === PATH ? 400 : 429);
      assert.deepEqual([got['x-ratelimit-limit'], got['x-ratelimit-remaining']], ['10000', '10000']);
    }
  });
});

describe('GET /api/v1/de-statii → 200, kept for 10 minutes', () => {
  const later = (interval: string) =>
    database.pool.query(`update german_answers set answered_at = answered_at - interval '${interval}',
      asking_until = asking_until - interval '${interval}'`);

  test('for points in the same hundredth of a degree with the same whole radius, at the first request’s point', async (t) => {
    const service = await startInstance(t);
    const first = (await service.ask(`${PATH}?lat=52.5219&lng=13.4132&rad=5`)).json;
    const same = (await service.ask(`${PATH}?lat=52.516&lng=13.4051&rad=4.6`)).json;
    assert.deepEqual(same, first);
    for (const other of [
      'lat=52.5251&lng=13.4132&rad=5',
      'lat=52.5219&lng=13.4032&rad=5',
      'lat=52.5219&lng=13.4132&rad=5.5',
    ]) {
      await service.ask(`${PATH}?${other}`);
    }
    assert.equal(upstream.queries.length, 4);
  });

  test('for all processes, by the database’s clock', async (t) => {
    const [one, other, third] = [
      await startInstance(t),
      await startInstance(t, { on: otherDatabase }),
      await startInstance(t),
    ];
    const first = (await one.ask(BERLIN)).json;
    await later('9 minutes');
    const second = (await other.ask(BERLIN)).json;
    assert.deepEqual(second.statii, first.statii);
    assert.equal(upstream.queries.length, 1);
    await later('1 minute');
    assert.equal(await statusOf(third, BERLIN), 200);
    assert.equal(upstream.queries.length, 2);
  });

  test('without querying the database every time, yet no longer than the database allows', async (t) => {
    await (await startInstance(t)).ask(BERLIN);
    await later('9 minutes');
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    t.after(() => proxy.close());
    const on = await open(proxy.url);
    t.after(() => on.close());
    const service = await startInstance(t, { on });
    assert.equal(await statusOf(service, BERLIN), 200);
    proxy.cut();
    assert.equal(await statusOf(service, BERLIN), 200);
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + 60_001);
    assert.equal(await statusOf(service, BERLIN), 503);
  });
});

describe('concurrent requests', () => {
  test('for the same cell in two processes cause one call', async (t) => {
    const [one, other] = [await startInstance(t), await startInstance(t, { on: otherDatabase })];
    const leases = t.mock.method(GermanStore.prototype, 'takeLease').mock;
    const arrived = upstream.nextRequest();
    const released = Promise.withResolvers<void>();
    upstream.answer = (request, response) => void released.promise.then(() => json(aGermanList())(request, response));
    const requests = Array.from({ length: 60 }, (_, at) => statusOf(at % 2 ? one : other, BERLIN));
    await arrived;
    released.resolve();
    assert.deepEqual(new Set(await Promise.all(requests)), new Set([200]));
    assert.equal(upstream.queries.length, 1);
    assert.ok(leases.callCount() <= 2, 'each process tries at most once');
  });

  test('waiting for a call that fails receive its failure, and none of them calls again', async (t) => {
    const [one, other] = [await startInstance(t), await startInstance(t, { on: otherDatabase })];
    const released = Promise.withResolvers<void>();
    const arrived = upstream.nextRequest();
    upstream.answer = (_, response) => void released.promise.then(() => response.writeHead(500).end());
    const first = statusOf(one, BERLIN);
    await arrived;
    // The second process first reads that the other one is calling.
    const cellRead = Promise.withResolvers<void>();
    const readCell = GermanStore.prototype.readCell;
    t.mock.method(
      GermanStore.prototype,
      'readCell',
      async function (this: GermanStore, ...cell: Parameters<typeof readCell>) {
        const seen = await readCell.apply(this, cell);
        cellRead.resolve();
        return seen;
      },
    );
    const second = statusOf(other, BERLIN);
    await cellRead.promise;
    released.resolve();
    assert.deepEqual(await Promise.all([first, second]), [502, 502]);
    assert.equal(upstream.queries.length, 1);
    upstream.answer = json(aGermanList());
    assert.equal(await statusOf(one, BERLIN), 200, 'the next request calls again');
  });

  test('are not held up if the process that calls dies: another one calls', async (t) => {
    const store = new GermanStore(database, 100, hasher);
    await store.takeLease({ lat: 5_252, lng: 1_341, radiusKm: 5 }, 150);
    assert.equal(await statusOf(await startInstance(t), BERLIN), 200);
    assert.equal(upstream.queries.length, 1);
  });
});

describe('GET /api/v1/de-statii → 400', () => {
  const GOOD = { lat: '52.52', lng: '13.40', rad: '5' };
  const BAD: Readonly<Record<keyof typeof GOOD, readonly (string | undefined)[]>> = {
    lat: [undefined, '', '46.999', '55.201', '-52', '91', '1e1', '0x32', 'nan', 'NaN', 'inf', '-Infinity', '1e999'],
    lng: [
      undefined,
      '',
      '5.499',
      '15.501',
      '13,4',
      '+13',
      '%2013',
      '13.',
      '.5',
      '13.4%00',
      '%D9%A1%D9%A3',
      '[13]',
      '{}',
    ],
    rad: ['', 'nan', 'inf', 'Infinity', '1e3', '5km', '0x5', '5%20', '١', '9'.repeat(400)],
  };
  for (const [name, values] of Object.entries(BAD)) {
    test(`${name}: missing, not a plain decimal, or outside Germany`, async (t) => {
      const service = await startInstance(t);
      for (const value of values) {
        const sent = { ...GOOD, [name]: value };
        const query = Object.entries(sent).flatMap(([key, each]) => (each === undefined ? [] : [`${key}=${each}`]));
        const { status, json: answer } = await service.ask(`${PATH}?${query.join('&').replaceAll('١', '%D9%A1')}`);
        assert.equal(status, 400, `${name}=${value}`);
        assert.match(answer.message, new RegExp(`„${name}”`));
        assert.match(answer.message, /se așteaptă un număr/);
      }
      assert.equal(upstream.queries.length, 0);
    });
  }

  test('a duplicate parameter, and a query that cannot be decoded', async (t) => {
    const service = await startInstance(t);
    for (const more of ['&lat=52.52', '&lng=13.40', '&rad=5', '&x=%zz', '&x=%ff']) {
      assert.equal(await statusOf(service, `${BERLIN}${more}`), 400, more);
    }
    for (const array of ['lat[]=52.52&lng=13', 'lat=52.52&lng[]=13', '__proto__=1', 'lat=__proto__&lng=13']) {
      assert.equal(await statusOf(service, `${PATH}?${array}`), 400, array);
    }
  });
});

describe('GET /api/v1/de-statii → 429', () => {
  test('the 31st request within a minute from one address, over two processes, invalid ones included', async (t) => {
    const { services: processes } = await GuardedServices.during(t, 2);
    const headers = { 'X-Forwarded-For': newAddress() };
    for (let at = 0; at < 30; at += 1) {
      const service = processes[at % 2] as TestService;
      const bad = at % 3 === 0;
      assert.equal((await service.ask(bad ? PATH : BERLIN, { headers })).status, bad ? 400 : 503, String(at));
    }
    for (const service of processes) {
      const { status, json: answer, headers: got } = await service.ask(BERLIN, { headers });
      assert.deepEqual([status, Object.keys(answer)], [429, ['status', 'message']]);
      assert.ok(Number(got['retry-after']) >= 1 && Number(got['retry-after']) <= 60);
      assert.equal(
        (await service.ask(`${PATH}?lat=1`, { headers })).status,
        400,
        'an invalid request is refused as such',
      );
      assert.equal(await statusOf(service, BERLIN), 503, 'another address has a limit of its own');
    }
  });

  test('also while the database is unavailable', async (t) => {
    const service = await startInstance(t, { on: NO_DATABASE });
    const headers = { 'X-Forwarded-For': newAddress() };
    const seen = [];
    for (let at = 0; at < 32; at += 1) seen.push((await service.ask(BERLIN, { headers })).status);
    assert.deepEqual([seen.indexOf(429), seen.slice(30)], [30, [429, 429]]);
  });
});

describe('GET /api/v1/de-statii → 502', () => {
  const FAULTS: Readonly<Record<string, GermanSourceDouble['answer']>> = {
    'refuses the key': json({ ok: false, message: `apikey ${KEY} is deactivated` }),
    'answers HTML with 200': json('<html><h1>Rate Limit Exceeded</h1></html>', { 'content-type': 'text/html' }),
    'answers 503 with HTML': (_, response) => response.writeHead(503).end('<h1>Rate Limit Exceeded</h1>'),
    'redirects to a private address': (_, response) =>
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    'truncates the answer': json('{"ok":true,"stations":[{"id":'),
    'answers with malformed rows': json(aGermanList([{ name: 1 }])),
    'aborts the connection': (request) => request.socket.destroy(),
    'sends a gzip bomb': json(gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }),
  };
  for (const [fault, answer] of Object.entries(FAULTS)) {
    test(`the source ${fault}`, async (t) => {
      upstream.answer = answer;
      const logged: unknown[] = [];
      const { status, json: body, text } = await (await startInstance(t, { logged })).ask(BERLIN);
      assert.deepEqual([status, Object.keys(body)], [502, ['status', 'message']]);
      assert.equal(logged.length, 1);
      for (const output of [text, JSON.stringify(logged)]) assert.doesNotMatch(output, new RegExp(`${KEY}|52\\.52`));
    });
  }

  test('within 5 s if the source is silent, drips, or never ends; the next answer is good', async (t) => {
    const service = await startInstance(t);
    const slow: Readonly<Record<string, GermanSourceDouble['answer']>> = {
      '50': () => undefined,
      '50.01': (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"ok":'),
      '50.02': (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(drip));
      },
    };
    upstream.answer = (request, response) =>
      slow[new URL(request.url ?? '', 'http://x').searchParams.get('lat') ?? '']?.(request, response);
    const { ms, result } = await timed(() => statuses(service, cells(3)));
    assert.deepEqual(result, [502, 502, 502]);
    assert.ok(ms < 5_000, `${ms} ms`);
    upstream.answer = json(aGermanList());
    assert.deepEqual(await statuses(service, cells(3)), [200, 200, 200]);
  });

  test('without a memory leak in the process', async (t) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapAfterGc = async () => {
      // The runtime frees buffers some turns of the event loop after their owners.
      for (let turn = 0; turn < 10; turn += 1) {
        collect();
        await setImmediate();
      }
      const { heapUsed, external, arrayBuffers } = globalThis.process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    const service = await startInstance(t, { perHour: 1_000 });
    const bombs = [
      json(gzipSync(Buffer.alloc(20_000_000)), { 'content-encoding': 'gzip' }),
      json(Buffer.alloc(3_000_000, ' ')),
      json(aGermanList(Array(2_000).fill({ name: 'x'.repeat(300) }))),
    ];
    const requestMany = async (count: number, from: number) => {
      for (const [at, target] of cells(count, from).entries()) {
        upstream.answer = bombs[at % bombs.length] as GermanSourceDouble['answer'];
        assert.equal(await statusOf(service, target), 502);
      }
    };
    await requestMany(6, 0);
    const before = await heapAfterGc();
    await requestMany(60, 10);
    const more = (await heapAfterGc()) - before;
    assert.ok(more < 5_000_000, `${more} bytes more`);
  });
});

describe('GET /api/v1/de-statii → 503', () => {
  test('without an operator’s API key, even if the database is available', async (t) => {
    const { status, headers } = await (await startInstance(t, { configured: false })).ask(BERLIN);
    assert.deepEqual([status, headers['retry-after']], [503, undefined]);
  });

  test('within a second while the database is unavailable, hangs, or has never been available', async (t) => {
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    t.after(() => proxy.close());
    const on = await open(proxy.url);
    t.after(() => on.close());
    const service = await startInstance(t, { on });
    assert.equal(await statusOf(service, cells(1)[0] as string), 200);
    proxy.hang();
    const { ms, result } = await timed(() => statusOf(service, BERLIN));
    assert.equal(result, 503);
    assert.ok(ms < 1_000, `${ms} ms`);
    proxy.cut();
    assert.equal(await statusOf(service, BERLIN), 503);
    proxy.open();
    assert.equal(await statusOf(service, BERLIN), 200);
    assert.equal(await statusOf(await startInstance(t, { on: NO_DATABASE }), BERLIN), 503);
  });

  test('within 5 s if the process that called the source is gone', async (t) => {
    const store = new GermanStore(database, 100, hasher);
    await store.takeLease({ lat: 5_252, lng: 1_341, radiusKm: 5 }, 60_000);
    const service = await startInstance(t);
    const { ms, result } = await timed(() => statusOf(service, BERLIN));
    assert.equal(result, 503);
    assert.ok(ms < 5_000, `${ms} ms`);
  });
});

describe('Germany and Romania', () => {
  test('never mix: no German station is in any Romanian answer or in any price table', async (t) => {
    const service = await startInstance(t);
    await service.ask(BERLIN);
    for (const path of ['preturi', 'retele', 'statii', 'preturi/minime', 'health']) {
      assert.doesNotMatch((await service.ask(`/api/v1/${path}`)).text, /Lindenallee|Tankstelle|ARAL|EUR/, path);
    }
    const { rows } =
      await database.pool.query(`select (select count(*) from stations) + (select count(*) from price_facts)
      + (select count(*) from observations) + (select count(*) from daily_prices) as count`);
    assert.equal(rows[0].count, 0);
  });
});
