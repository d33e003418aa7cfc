import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createPageTurns, createStreetTurns } from './client-turns.ts';
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

describe('turns for tiles with streets', () => {
  test('draw one at a time, and waiting networks in turn', async () => {
    const takeTurn = createStreetTurns();
    const order: string[] = [];
    let drawing = 0;
    const draw = async (client: string) => {
      const endTurn = await takeTurn(client);
      if (endTurn === null) return;
      drawing += 1;
      assert.equal(drawing, 1);
      order.push(client);
      await null;
      drawing -= 1;
      endTurn();
    };
    const flood = Array.from({ length: 20 }, () => draw('192.0.2.1'));
    await Promise.all([...flood, draw('198.51.100.1')]);
    assert.ok(order.indexOf('198.51.100.1') <= 2, order.join(' '));
    assert.equal(order.length, 21);
  });

  test('refuse a client that asks for far more tiles than a map shows, and no other', async () => {
    const takeTurn = createStreetTurns();
    const first = await takeTurn('192.0.2.1');
    const flood = Array.from({ length: 60 }, () => takeTurn('192.0.2.1'));
    const other = takeTurn('198.51.100.1');
    assert.deepEqual(
      await Promise.all(flood.slice(40)),
      Array.from({ length: 20 }, () => null),
    );
    const served = flood.slice(0, 40).map(async (turn) => {
      const endTurn = await turn;
      endTurn?.();
      return endTurn !== null;
    });
    first?.();
    const endOther = await other;
    assert.notEqual(endOther, null);
    endOther?.();
    assert.ok((await Promise.all(served)).every((isServed) => isServed));
  });
});

describe('turns for pages', () => {
  /** Occupies the event loop. */
  const occupy = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  test('rest four times as long as each page took while one network asks for many', async () => {
    const takeTurn = createPageTurns();
    const render = async (client: string) => {
      const endTurn = await takeTurn(client);
      occupy(5);
      endTurn?.();
    };
    const begun = performance.now();
    await Promise.all(Array.from({ length: 20 }, (_, at) => render(`192.0.2.${at % 2}`)));
    // The last one rests after the end.
    const least = 20 * 5 + 19 * 20;
    const tookMs = performance.now() - begun;
    // Timers may fire a fraction of a millisecond early.
    assert.ok(tookMs >= least - 20, `${tookMs} ms`);
  });

  test('let another network render next, whatever waits of the first', async () => {
    const takeTurn = createPageTurns();
    const order: string[] = [];
    const render = async (client: string) => {
      const endTurn = await takeTurn(client);
      order.push(client);
      endTurn?.();
    };
    const flood = Array.from({ length: 20 }, (_, at) => render(`192.0.2.${at % 2}`));
    await Promise.all([...flood, render('198.51.100.1')]);
    assert.ok(order.indexOf('198.51.100.1') <= 1, order.join(' '));
  });

  test('leave the queue when the visitor has gone, and are refused beyond a hundred of a client', async () => {
    const takeTurn = createPageTurns();
    const held = await takeTurn('192.0.2.1');
    const gone = new AbortController();
    const abandoned = Array.from({ length: 100 }, () => takeTurn('192.0.2.1', gone.signal));
    assert.equal(await takeTurn('192.0.2.1'), null);
    gone.abort();
    assert.deepEqual(new Set(await Promise.all(abandoned)), new Set([null]));
    const next = takeTurn('192.0.2.1');
    held?.();
    (await next)?.();
  });

  test('leave half of the time to others, however many networks ask', async () => {
    const takeTurn = createPageTurns();
    const render = async (network: number) => {
      const endTurn = await takeTurn(`198.51.${network}.1`);
      occupy(5);
      endTurn?.();
    };
    const begun = performance.now();
    await Promise.all(Array.from({ length: 20 }, (_, network) => render(network)));
    const tookMs = performance.now() - begun;
    // The last one rests after the end; timers may fire a fraction of a millisecond early.
    assert.ok(tookMs >= 20 * 5 + 19 * 5 - 20, `${tookMs} ms`);
  });
});
