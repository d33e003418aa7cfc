import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type LoopbackServer, startLoopbackServer } from '../../../test/support/routing/loopback.ts';
import { geoJson, osrmAnswer, polyline } from '../../../test/support/routing/osrm-answer.ts';
import { timed } from '../../../test/support/stopwatch.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import { createRoadRouter, type RoadRouter, type RoadRouterOptions } from './road-router.ts';

const CLUJ = { lat: 46.76667, lng: 23.6 };
const TURDA = { lat: 46.56667, lng: 23.78333 };
const LINE: Polyline = [
  [46.76667, 23.6],
  [46.66, 23.7],
  [46.56667, 23.78333],
];
const ROUTE = { km: 33.6, minutes: 31, line: LINE };
const GOOD = osrmAnswer(polyline(LINE, 6));

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function engine(listener: RequestListener): Promise<LoopbackServer> {
  const made = await startLoopbackServer(listener);
  open.push(made);
  return made;
}

function routerTo(url: string, options: Partial<RoadRouterOptions> = {}): RoadRouter {
  const router = createRoadRouter({ url, kind: 'osrm', userAgent: 'Pompa test', ...options });
  open.push(router);
  return router;
}

/** The result of an answer with this status and body, from Cluj-Napoca to Turda. */
async function read(status: number, body: unknown, options: Partial<RoadRouterOptions> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { url } = await engine((_, response) => response.writeHead(status).end(text));
  return routerTo(url, options).findRoute(CLUJ, TURDA);
}

const invalid = (failed: string) => ({ failed, isDown: false });
const down = (failed: string) => ({ failed, isDown: true });

describe('OSRM', () => {
  test('is sent one GET for the whole line, longitude first, with our User-Agent', async () => {
    const asked: unknown[] = [];
    const { url } = await engine(({ method, url: target, headers }, response) => {
      asked.push(method, target, headers['user-agent'], headers.accept);
      response.end(JSON.stringify(GOOD));
    });
    assert.deepEqual(await routerTo(url).findRoute(CLUJ, TURDA), ROUTE);
    assert.deepEqual(asked, [
      'GET',
      '/route/v1/driving/23.600000,46.766670;23.783330,46.566670?overview=full&geometries=polyline6&steps=false&alternatives=false',
      'Pompa test',
      'application/json',
    ]);
  });

  for (const [form, geometry] of [
    ['polyline of 6 digits', polyline(LINE, 6)],
    ['polyline of 5 digits', polyline(LINE, 5)],
    ['GeoJSON', geoJson(LINE)],
  ] as const) {
    test(`may give the line as ${form}`, async () => assert.deepEqual(await read(200, osrmAnswer(geometry)), ROUTE));
  }

  for (const code of ['NoRoute', 'NoSegment']) {
    test(`reports that there is no route with ${code}`, async () => {
      assert.equal(await read(400, { code, message: 'Impossible route between points' }), 'no_route');
    });
  }

  for (const code of ['InvalidUrl', 'InvalidService', 'InvalidOptions', 'InvalidQuery', 'InvalidValue', 'TooBig']) {
    test(`reports with ${code} that our request is wrong, which is a failure`, async () => {
      const answer = await read(400, { code, message: 'Query string malformed close to position 12' });
      assert.deepEqual(answer, invalid(`it refused the request: ${code}`));
    });
  }

  for (const [what, body, failed] of [
    ['an object without a code', {}, 'it refused the request'],
    ['a code that is a list', { code: ['Ok'] }, 'it refused the request'],
    ['a code with line breaks', { code: 'No\nRoute' }, 'it refused the request'],
    ['no routes', { code: 'Ok' }, 'its line cannot be read'],
    ['an empty list of routes', { code: 'Ok', routes: [] }, 'its line cannot be read'],
    ['a route that is null', { code: 'Ok', routes: [null] }, 'its line cannot be read'],
    ['routes that are text', { code: 'Ok', routes: 'none' }, 'its line cannot be read'],
    ['no geometry', osrmAnswer(undefined), 'its line cannot be read'],
    [
      'a geometry with coordinates of null',
      osrmAnswer(geoJson(LINE.map(() => [null, null] as never))),
      'its line cannot be read',
    ],
    [
      'a line elsewhere',
      osrmAnswer(geoJson([...LINE, [44.43, 26.1]])),
      'its line does not lead between the places asked for',
    ],
    ['a distance of 0', osrmAnswer(geoJson(LINE), { distance: 0 }), 'its distance cannot be right'],
    ['a negative distance', osrmAnswer(geoJson(LINE), { distance: -1 }), 'its distance cannot be right'],
    ['a distance as text', osrmAnswer(geoJson(LINE), { distance: '33600' }), 'its distance cannot be right'],
    ['a distance round the world', osrmAnswer(geoJson(LINE), { distance: 4e7 }), 'its distance cannot be right'],
    ['no duration', osrmAnswer(geoJson(LINE), { duration: null }), 'its duration cannot be right'],
    ['an answer of Valhalla', { trip: { status: 0, legs: [] } }, 'it refused the request'],
  ] as const) {
    test(`that returns ${what} has failed`, async () => assert.deepEqual(await read(200, body), invalid(failed)));
  }

  test('that returns numbers beyond all bounds has failed: 1e999 is no distance', async () => {
    const text = JSON.stringify(osrmAnswer(geoJson(LINE))).replaceAll('33600', '1e999');
    assert.deepEqual(await read(200, text), invalid('its distance cannot be right'));
  });
});

describe('Valhalla', () => {
  for (const [body, failed] of [
    [
      { error_code: 125, error: "No costing method found: 'car'", status_code: 400 },
      'it refused the request: error 125',
    ],
    [{ error_code: 'x'.repeat(1_000) }, 'it refused the request'],
    [{ trip: { status: 1 } }, 'its answer holds no route in km'],
    [{ trip: { status: 0, units: 'miles', legs: [{ shape: polyline(LINE, 6) }] } }, 'its answer holds no route in km'],
    [{ trip: { status: 0, units: 'kilometers', legs: {} } }, 'its line cannot be read'],
    [{ trip: { status: 0, legs: [null] } }, 'its line cannot be read'],
    [{ trip: { status: 0, legs: [{ shape: polyline(LINE, 6) }] } }, 'its distance cannot be right'],
    [{ code: 'Ok', routes: [] }, 'its answer holds no route in km'],
  ] as const) {
    const shown = JSON.stringify(body).slice(0, 60);
    test(`that answers ${shown} has failed`, async () => {
      assert.deepEqual(await read(200, body, { kind: 'valhalla' }), invalid(failed));
    });
  }
});

describe('an engine is down when it returns', () => {
  test('a page instead of JSON', async () => {
    assert.deepEqual(await read(200, '<!doctype html><title>It works!</title>'), down('its answer is not JSON'));
  });

  test('half an answer', async () => {
    assert.deepEqual(await read(200, JSON.stringify(GOOD).slice(0, -9)), down('its answer is not JSON'));
  });

  for (const body of ['', 'null', '"Ok"', '7', '\ufeff{}', '['.repeat(1_000_000)]) {
    test(`a body of ${JSON.stringify(body.slice(0, 9))}`, async () => {
      assert.deepEqual(await read(200, body), down('its answer is not JSON'));
    });
  }

  test('a server error, with any body', async () => {
    assert.deepEqual(await read(500, { code: 'NoRoute' }), down('it answered 500'));
  });

  test('503, after one immediate retry', async () => {
    let asked = 0;
    const { url } = await engine((_, response) => {
      asked += 1;
      response.writeHead(503, { 'retry-after': '3600' }).end();
    });
    const answer = await routerTo(url).findRoute(CLUJ, TURDA);
    assert.deepEqual(answer, down(`no answer from ${new URL(url).host} after 2 tries: it answered 503`));
    assert.equal(asked, 2);
  });

  test('nothing, because nothing listens at its address', async () => {
    const { url, close } = await startLoopbackServer(() => undefined);
    await close();
    const { host } = new URL(url);
    const answer = await routerTo(url).findRoute(CLUJ, TURDA);
    assert.deepEqual(answer, down(`no answer from ${host} after 2 tries: the connection was refused`));
  });

  test('a redirect, which is not followed', async () => {
    let followed = false;
    const { url } = await engine(({ url: target }, response) => {
      followed ||= target === '/elsewhere';
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const answer = await routerTo(url).findRoute(CLUJ, TURDA);
    assert.match(
      (answer as { failed: string }).failed,
      /it redirects to 127\.0\.0\.1:\d+, and redirects are not followed$/,
    );
    assert.equal(followed, false);
  });

  test('a gzip bomb, which is never unpacked whole', async () => {
    const bomb = gzipSync(Buffer.alloc(300_000_000, ' '));
    const before = process.memoryUsage().rss;
    const { url } = await engine((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const answer = await routerTo(url).findRoute(CLUJ, TURDA);
    assert.match((answer as { failed: string }).failed, /the answer is larger than 3 MB$/);
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  });

  test('an answer that never ends', async () => {
    const { url } = await engine((_, response) => {
      const part = Buffer.alloc(100_000, ' ');
      const write = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', write);
      write();
    });
    assert.match(((await routerTo(url).findRoute(CLUJ, TURDA)) as { failed: string }).failed, /larger than 3 MB$/);
  });

  for (const [what, listener] of [
    ['silence', () => undefined],
    ['an answer that stops in the middle', (_, response) => response.write('{"code":"Ok",')],
    [
      'an answer of one letter at a time',
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ] as readonly [string, RequestListener][]) {
    test(`${what} until the deadline`, async () => {
      const { url } = await engine(listener);
      const answer = await routerTo(url, { deadlineMs: 200 }).findRoute(CLUJ, TURDA);
      assert.deepEqual(answer, down('no complete answer within 0.2 s'));
    });
  }

  test('nothing to requests that wait for a connection: they wait no longer than the deadline', async () => {
    const { url } = await engine(() => undefined);
    const router = routerTo(url, { deadlineMs: 200 });
    const all = () => Promise.all(Array.from({ length: 400 }, () => router.findRoute(CLUJ, TURDA)));
    const { ms, result: answers } = await timed(all);
    // One after another on the connections that there are, it would be more than 20 seconds.
    assert.ok(ms < 10_000, `${ms} ms`);
    assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
    assert.deepEqual(answers[0], down('no complete answer within 0.2 s'));
  });
});

test('a request on a connection that breaks is retried once', async () => {
  let asked = 0;
  const { url } = await engine((request, response) => {
    asked += 1;
    if (asked === 1) request.socket.destroy();
    else response.end(JSON.stringify(GOOD));
  });
  assert.deepEqual(await routerTo(url).findRoute(CLUJ, TURDA), ROUTE);
});

test('Valhalla gets a POST with both places, a car and kilometres', async () => {
  const asked: unknown[] = [];
  const { url } = await engine(async (request, response) => {
    asked.push(request.method, request.url, request.headers['content-type'], JSON.parse(await text(request)));
    response.end(
      JSON.stringify({
        trip: {
          legs: [{ shape: polyline(LINE, 6), summary: {} }],
          summary: { length: 33.6, time: 1860 },
          status_message: 'Found route between points',
          status: 0,
          units: 'kilometers',
        },
      }),
    );
  });
  assert.deepEqual(await routerTo(url, { kind: 'valhalla' }).findRoute(CLUJ, TURDA), ROUTE);
  assert.deepEqual(asked, [
    'POST',
    '/route',
    'application/json',
    {
      locations: [
        { lat: 46.76667, lon: 23.6 },
        { lat: 46.56667, lon: 23.78333 },
      ],
      costing: 'auto',
      units: 'kilometers',
      directions_type: 'none',
      shape_format: 'polyline6',
    },
  ]);
});

test('a server that does not speak HTTP is down', async () => {
  const server = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  open.push({ close: () => new Promise((done) => server.close(() => done())) });
  const router = routerTo(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  assert.match(((await router.findRoute(CLUJ, TURDA)) as { failed: string }).failed, /the answer is not HTTP$/);
});
