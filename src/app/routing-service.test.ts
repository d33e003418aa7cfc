import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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
