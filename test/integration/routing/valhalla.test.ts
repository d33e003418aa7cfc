/** Sends our requests to a real Valhalla, whose roads are the built-in ones and an island far out at sea. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createMetrics } from '../../../src/app/metrics/metrics.ts';
import { createJourneyPlanner, routerOf } from '../../../src/app/routing-service.ts';
import { createRoadRouter, type RoadRouter } from '../../../src/clients/routing/road-router.ts';
import type { EngineRoute } from '../../../src/clients/routing/routing-engine.ts';
import { distanceKm, type Point } from '../../../src/domain/point.ts';
import type { RoadEdge } from '../../../src/domain/roads/road-graph.ts';
import { routeFinder } from '../../../src/domain/roads/route.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { loadRoads } from '../../../src/geodata/load-roads.ts';
import type { LoopbackServer } from '../../support/routing/loopback.ts';
import type { Roads } from '../../support/routing/osm-pbf.ts';
import { buildTiles, serveValhalla } from '../../support/routing/valhalla-server.ts';
import { TestService } from '../../support/service/test-service.ts';

const gazetteer = loadGazetteer();
const roads = loadRoads(gazetteer);
const builtIn = routeFinder(roads);
const ISLAND = { lat: 43.5, lng: 31.2 };

let folder: string;
let engine: LoopbackServer;
let router: RoadRouter;
const open: { close(): Promise<void> }[] = [];

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pompa-valhalla-'));
  await buildTiles(withIsland(roads), folder);
  engine = await serveValhalla(folder);
  router = routerAt(engine);
  open.push(engine, router);
});
after(async () => {
  for (const each of open.reverse()) await each.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the real Valhalla', () => {
  for (const [from, to] of [
    ['Cluj-Napoca', 'București'],
    ['Iași', 'Timișoara'],
    ['Oradea', 'Constanța'],
    ['Craiova', 'Brașov'],
    ['Cluj-Napoca', 'Turda'],
  ] as const) {
    test(`finds the route from ${from} to ${to}: about as long as on the built-in roads, along its line`, async () => {
      const route = await found(router, place(from), place(to));
      const ours = builtIn(place(from), place(to));
      assert.ok('km' in ours);
      assert.ok(Math.abs(route.km / ours.km - 1) < 0.2, `${route.km} km, by the built-in roads ${ours.km}`);
      assert.ok(
        Math.abs(route.minutes / ours.minutes - 1) < 0.4,
        `${route.minutes} min, by the built-in roads ${ours.minutes}`,
      );
      assert.ok(Math.abs(lengthKm(route) / route.km - 1) < 0.01, `${route.km} km, its line ${lengthKm(route)}`);
      assert.ok(distanceKm(place(from), end(route, 0)) < 5 && distanceKm(place(to), end(route, -1)) < 5);
    });
  }

  test('finds no road near the Danube Delta: no route', async () => {
    assert.equal(await router.findRoute(place('Sulina'), place('București')), 'no_route');
  });

  test('finds no path to an island, whether it checks before it searches or not: no route', async () => {
    const searching = await serveValhalla(folder, { useConnectivity: false });
    const searchingRouter = routerAt(searching);
    open.push(searching, searchingRouter);
    assert.equal(await router.findRoute(place('Constanța'), ISLAND), 'no_route');
    assert.equal(await searchingRouter.findRoute(place('Constanța'), ISLAND), 'no_route');
  });

  test('refuses to search further than it is configured for: no route', async () => {
    const near = await serveValhalla(folder, { maxKm: 50 });
    const nearRouter = routerAt(near);
    open.push(near, nearRouter);
    assert.equal(await nearRouter.findRoute(place('Cluj-Napoca'), place('București')), 'no_route');
    assert.ok((await found(nearRouter, place('Cluj-Napoca'), place('Turda'))).km > 20);
  });

  test('returns a route of 0 km from a place to itself, which is not a route', async () => {
    const answer = await router.findRoute(place('Turda'), place('Turda'));
    assert.deepEqual(answer, { failed: 'its distance cannot be right', isDown: false });
  });

  test('counts as failed, not as down, when it is configured as an OSRM', async () => {
    const wrong = createRoadRouter({ url: engine.url, kind: 'osrm', userAgent: 'Pompa test' });
    open.push(wrong);
    const answer = await wrong.findRoute(place('Cluj-Napoca'), place('București'));
    assert.deepEqual(answer, { failed: 'it refused the request', isDown: false });
  });

  test('behind the API: its route is the answer, its "no route" is 400, and neither counts as a failure', async (context) => {
    const metrics = createMetrics();
    const settings = { ROUTER_URL: engine.url, ROUTER_KIND: 'valhalla', CONTACT: null } as const;
    const watched = routerOf(settings, { warn: assert.fail }, metrics);
    const service = await TestService.during(context, { journeys: createJourneyPlanner(gazetteer, watched) });
    const ask = (start: string, end: string) =>
      service.ask('/api/v1/traseu/custom', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ start, end }),
      });
    const route = await found(router, place('Cluj-Napoca'), place('București'));
    const { status, json } = await ask('Cluj', 'București');
    assert.equal(status, 200);
    assert.deepEqual([json.km, json.duration_min], [Math.round(route.km * 10) / 10, Math.round(route.minutes)]);
    assert.equal((await ask('Sulina', 'București')).status, 400);
    assert.match(await metrics.text(), /^pompa_router_failures_total\{engine="valhalla"\} 0$/m);
    await watched?.close();
  });
});

function routerAt({ url }: LoopbackServer): RoadRouter {
  return createRoadRouter({ url, kind: 'valhalla', userAgent: 'Pompa test' });
}

async function found(by: RoadRouter, from: Point, to: Point): Promise<EngineRoute> {
  const answer = await by.findRoute(from, to);
  assert.ok(typeof answer === 'object' && 'km' in answer, JSON.stringify(answer));
  return answer;
}

function place(name: string): Point {
  const resolved = gazetteer.resolvePlace(name);
  assert.ok('found' in resolved);
  return resolved.found;
}

function end({ line }: EngineRoute, at: 0 | -1): Point {
  const [lat, lng] = line.at(at) ?? assert.fail('no line');
  return { lat, lng };
}

function lengthKm({ line }: EngineRoute): number {
  const points = line.map(([lat, lng]) => ({ lat, lng }));
  return points.slice(1).reduce((km, point, index) => km + distanceKm(points[index] as Point, point), 0);
}

/** An island of 80 road segments in the Black Sea; Valhalla treats fewer as a mapping error. */
function withIsland({ nodes, edges }: Roads): Roads {
  const island = Array.from({ length: 81 }, (_, index) => ({ lat: ISLAND.lat + index / 1_000, lng: ISLAND.lng }));
  const shore: RoadEdge[] = island.slice(1).map((_, index) => {
    const a = nodes.length + index;
    return { a, b: a + 1, km: 0.1, minutes: 0.1, cost: 0.1, class: 'county', ref: 'X1' };
  });
  return { nodes: [...nodes, ...island], edges: [...edges, ...shore] };
}
