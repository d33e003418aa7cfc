import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createJourneyPlanner } from './routing-service.ts';

const gazetteer = loadGazetteer();
const [cluj, turda] = ['Cluj-Napoca', 'Turda'].map((name) => gazetteer.findPlace(name));

/** A planner of which each client asks once, and the clients in the order they got their routes. */
function recorded(engine: Parameters<typeof createJourneyPlanner>[1] = null) {
  assert.ok(cluj && turda);
  const { findRoute } = createJourneyPlanner(gazetteer, engine, ({ peer }) => String(peer.remoteAddress));
  const done: string[] = [];
  const ask = async (remoteAddress: string) => {
    await findRoute(cluj, turda, { headers: {}, peer: { remoteAddress } });
    done.push(remoteAddress);
  };
  return { done, ask };
}

const burst = Array.from({ length: 500 }, (_, at) => `2001:db8:1:${at.toString(16)}::/64`);

describe('a burst of journeys from 500 clients of one network', () => {
  for (const [what, engine] of [
    ['on built-in roads', null],
    ['with an engine that is down', { findRoute: async () => null }],
  ] as const) {
    test(`${what}: takes a turn of the event loop for each, so that other requests come in between`, async () => {
      const { done, ask } = recorded(engine);
      const all = Promise.all(burst.map(ask));
      const perTurn: number[] = [];
      while (done.length < burst.length) {
        const before = done.length;
        await setImmediate();
        perTurn.push(done.length - before);
      }
      await all;
      assert.ok(Math.max(...perTurn) <= 2, `${Math.max(...perTurn)} in one turn`);
      assert.deepEqual(done, burst);
    });
  }

  test('does not keep another network waiting', async () => {
    const { done, ask } = recorded();
    const all = Promise.all(burst.map(ask));
    await setImmediate();
    const before = done.length;
    await ask('192.0.2.7');
    assert.ok(done.length - before <= 4, `after ${done.length - before} of the burst`);
    await all;
  });
});
