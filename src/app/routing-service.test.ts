import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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

describe('the roads', () => {
  for (const [when, updatedAt, ms] of [
    ['a second after prices', 1, 1_000],
    ['half a minute after a start without prices', null, 30_000],
  ] as const)
    test(`are loaded ${when}, once, and the log says if they cannot be`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      let loads = 0;
      const routes = async () => {
        loads += 1;
        throw new Error('a file is missing');
      };
      const told = Promise.withResolvers<string>();
      const loadRoads = loadRoadsAfterPrices(
        routes,
        { error: (message: string) => told.resolve(message) },
        new AbortController().signal,
      );
      loadRoads({ updatedAt: null });
      loadRoads({ updatedAt });
      t.mock.timers.tick(ms - 1);
      assert.equal(loads, 0);
      t.mock.timers.tick(1);
      assert.equal(loads, 1);
      assert.equal(await told.promise, 'the built-in roads cannot be read: a file is missing');
      t.mock.timers.tick(30_000);
      assert.equal(loads, 1);
    });
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
