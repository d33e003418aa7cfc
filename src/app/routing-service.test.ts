import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { ResilientRouter } from '../clients/routing/resilient-router.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createBuiltInRoutes, createJourneyPlanner, loadRoadsAfterPrices } from './routing-service.ts';

const gazetteer = loadGazetteer();
const [cluj, turda] = ['Cluj-Napoca', 'Turda'].map((name) => gazetteer.findPlace(name));

test('the built-in roads are loaded over hundreds of turns of the event loop, once, and a journey meanwhile waits', async () => {
  assert.ok(cluj && turda);
  const routes = createBuiltInRoutes(gazetteer);
  const { findRoute } = createJourneyPlanner(gazetteer, null, undefined, routes);
  const loading = routes();
  let answered = false;
  const journey = findRoute(cluj, turda, { headers: {}, peer: {} }).finally(() => {
    answered = true;
  });
  let turns = 0;
  for (; !answered; turns += 1) await setImmediate();
  assert.ok(turns > 200, `${turns} turns`);
  assert.notEqual(await journey, 'no_route');
  assert.equal(routes(), loading);
});

test('the roads are loaded once there are prices, once, and the log says if they cannot be', async () => {
  let loads = 0;
  const routes = async () => {
    loads += 1;
    throw new Error('a file is missing');
  };
  const told = Promise.withResolvers<string>();
  const loadRoads = loadRoadsAfterPrices(routes, { error: (message: string) => told.resolve(message) }, 0);
  loadRoads({ updatedAt: null });
  // A timer of the same length that began later fires later.
  await sleep(0);
  await setImmediate();
  assert.equal(loads, 0);
  loadRoads({ updatedAt: 1 });
  loadRoads({ updatedAt: 2 });
  // Their timer does not keep the process.
  while (loads === 0) await setImmediate();
  assert.equal(await told.promise, 'the built-in roads cannot be read: a file is missing');
  assert.equal(loads, 1);
});

test('a route names whose roads it is on: those of the engine, nobody where the built-in ones replace it', async () => {
  assert.ok(cluj && turda);
  const caller = { headers: {}, peer: {} };
  const creditOf = async (answer: Awaited<ReturnType<ResilientRouter['findRoute']>>) => {
    const route = await createJourneyPlanner(gazetteer, { findRoute: async () => answer }).findRoute(
      cluj,
      turda,
      caller,
    );
    assert.ok(route !== 'no_route');
    return route.credit;
  };
  assert.match(
    (await creditOf({
      km: 30,
      minutes: 40,
      line: [
        [46.77, 23.59],
        [46.57, 23.78],
      ],
    })) ?? '',
    /OpenStreetMap/,
  );
  assert.equal(await creditOf(null), null);
});
