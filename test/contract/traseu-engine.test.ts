/** The route with an operator’s routing engine (rule 34), here an OSRM on loopback. */
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { createMetrics } from '../../src/app/metrics/metrics.ts';
import { createJourneyPlanner, routerOf } from '../../src/app/routing-service.ts';
import type { Polyline } from '../../src/domain/roads/line.ts';
import { loadGazetteer } from '../../src/geodata/load-gazetteer.ts';
import { aStation, recordsOf, trusted } from '../support/builders/snapshot-builders.ts';
import { startLoopbackServer } from '../support/routing/loopback.ts';
import { osrmAnswer, polyline } from '../support/routing/osrm-answer.ts';
import { TestService } from '../support/service/test-service.ts';
import { timed } from '../support/stopwatch.ts';
import { world } from '../support/worlds/contract-world.ts';

/** From Cluj-Napoca to Turda via Gherla, a detour that the built-in roads never choose. */
const DETOUR: Polyline = [
  [46.76667, 23.6],
  [47.03333, 23.9],
  [46.56667, 23.78333],
];
const ROUTE = osrmAnswer(polyline(DETOUR, 6), { distance: 123_449, duration: 5_430 });
const atGherla = recordsOf(aStation({ id: 'a'.repeat(12), lat: 47.03333, lng: 23.9 }), { petrol: trusted(7_500) });

/** Starts the service with an engine that gives these answers; records its log and the calls to the engine. */
async function startWithEngine(context: TestContext, engine: RequestListener) {
  const warnings: string[] = [];
  const metrics = createMetrics();
  const engineRequests: string[] = [];
  const osrm = await startLoopbackServer((request, response) => {
    engineRequests.push(request.url ?? '');
    engine(request, response);
  });
  const settings = { ROUTER_URL: osrm.url, ROUTER_KIND: 'osrm', CONTACT: null } as const;
  const log = { warn: (message: unknown) => void warnings.push(String(message)) };
  // The clock stands still, so that no pause ends by itself.
  const router = routerOf(settings, log, metrics, () => 0);
  context.after(async () => {
    await router?.close();
    await osrm.close();
  });
  const journeys = createJourneyPlanner(loadGazetteer(), router);
  const service = await TestService.during(context, { snapshot: world({ records: atGherla }), journeys });
  const ask = (end = 'Turda, CJ') =>
    service.ask('/api/v1/traseu/custom', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ start: 'Cluj', end }),
    });
  const failures = async () => Number(/^pompa_router_failures_total\S* (\d+)$/m.exec(await metrics.text())?.[1]);
  return { ask, warnings, engineRequests, failures };
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('POST /api/v1/traseu/custom, with an engine → 200', () => {
  test('the route is the engine’s: its length, its time, the stations along its line', async (context) => {
    const { ask, warnings, failures } = await startWithEngine(context, json(200, ROUTE));
    const { status, json: answer } = await ask();
    assert.equal(status, 200);
    assert.deepEqual([answer.km, answer.duration_min, answer.total_statii], [123.4, 91, 1]);
    assert.deepEqual(answer.waypoints, DETOUR);
    assert.deepEqual([warnings, await failures()], [[], 0]);
  });

  test('stations lie along the whole line, of which 200 points are shown', async (context) => {
    const [from, gherla, to] = DETOUR as [Polyline[number], Polyline[number], Polyline[number]];
    const straight = Array.from({ length: 1_001 }, (_, at): Polyline[number] => [
      from[0] + ((to[0] - from[0]) * at) / 1_000,
      from[1] + ((to[1] - from[1]) * at) / 1_000,
    ]);
    const { ask } = await startWithEngine(context, json(200, osrmAnswer(polyline(straight.with(502, gherla), 6))));
    const { json: answer } = await ask();
    assert.deepEqual([answer.total_statii, answer.waypoints.length], [1, 200]);
    assert.ok(
      answer.waypoints.every(([lat]: Polyline[number]) => lat < 47),
      'the bend is not among them',
    );
  });

  test('an engine that is down costs only a line in the log: the built-in roads answer', async (context) => {
    let failing = true;
    const { ask, warnings, engineRequests, failures } = await startWithEngine(context, (request, response) =>
      failing ? request.socket.destroy() : json(200, ROUTE)(request, response),
    );
    for (let round = 0; round < 5; round += 1) {
      const { status, json: answer } = await ask();
      assert.equal(status, 200);
      assert.ok(answer.km > 25 && answer.km < 40, `${answer.km}`);
    }
    assert.equal(engineRequests.length, 2, 'the first request, retried once');
    assert.equal(await failures(), 1);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /^the routing engine \(osrm at 127\.0\.0\.1:\d+\) failed, the built-in roads take its place: no answer/,
    );
    failing = false;
    assert.ok((await ask()).json.km < 40);
    assert.equal(engineRequests.length, 2, 'it is not called again at once');
  });

  test('an engine that answers nonsense is logged once, however many requests there are', async (context) => {
    const { ask, warnings, failures } = await startWithEngine(context, json(200, { code: 'Ok', routes: [] }));
    for (let round = 0; round < 5; round += 1) assert.equal((await ask()).status, 200);
    assert.deepEqual([warnings.length, await failures()], [1, 5]);
  });

  test('if an engine never answers, the built-in route arrives within 5 seconds', async (context) => {
    const { ask } = await startWithEngine(context, () => undefined);
    const { ms, result } = await timed(() => ask());
    assert.equal(result.status, 200);
    assert.ok(ms < 5_000, `${ms} ms`);
  });
});

describe('POST /api/v1/traseu/custom, with an engine → 400', () => {
  for (const code of ['NoRoute', 'NoSegment']) {
    test(`${code} is passed on, and the built-in roads, which have a route, are not used`, async (context) => {
      const { ask, warnings, failures } = await startWithEngine(
        context,
        json(400, { code, message: 'Impossible route' }),
      );
      const { status, json: answer } = await ask();
      assert.deepEqual(
        [status, answer],
        [400, { ok: false, msg: 'Nu există un traseu rutier între Cluj-Napoca și Turda.' }],
      );
      assert.deepEqual([warnings, await failures()], [[], 0]);
    });
  }

  test('an unknown place is refused before the engine is called', async (context) => {
    const { ask, engineRequests } = await startWithEngine(context, json(200, ROUTE));
    assert.equal((await ask('Nicăieri')).status, 400);
    assert.deepEqual(engineRequests, []);
  });
});
