import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ResilientRouter } from '../clients/routing/resilient-router.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createBuiltInRoutes, createJourneyPlanner } from './routing-service.ts';

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
