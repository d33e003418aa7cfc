import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FairTurns } from './fair-turns.ts';

/** Turns with a record of who went on. */
function recorded() {
  const shared = new FairTurns({ perClient: 2, perNetwork: 5 });
  const turns = {
    enter: (client: string, cost: number, network = client) => shared.enter({ client, network }, cost),
  };
  const done: string[] = [];
  const enter = async (client: string, name = client, network = client) => {
    await turns.enter(client, 1, network);
    done.push(name);
  };
  return { turns, done, enter };
}

describe('turns of the event loop', () => {
  test('let a client that asks for little go on at once', () => {
    const { turns } = recorded();
    assert.deepEqual([turns.enter('a', 1), turns.enter('a', 1), turns.enter('b', 1)], [null, null, null]);
    assert.ok(turns.enter('a', 1) instanceof Promise);
  });

  test('do two of a client each, in the order they came', async () => {
    const { done, enter } = recorded();
    for (let at = 0; at < 7; at += 1) void enter('a', `a${at}`);
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await setImmediate();
      counts.push(done.length);
    }
    assert.deepEqual(done, ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    assert.ok(
      counts.every((count, turn) => count <= 2 * (turn + 2)),
      `${counts}`,
    );
  });

  test('make no client wait for a flood: only two of its requests run before a later one of another client', async () => {
    const { done, enter } = recorded();
    for (let at = 0; at < 1_000; at += 1) void enter('a');
    await setImmediate();
    const before = done.length;
    void enter('b');
    await Promise.resolve();
    await Promise.resolve();
    assert.ok(done.length - before <= 3 && done.includes('b'), `${done.length - before}`);
    while (done.length < 1_001) await setImmediate();
    assert.equal(done.length, 1_001);
  });

  test('count what a request costs', () => {
    const { turns } = recorded();
    assert.equal(turns.enter('a', 2), null);
    assert.ok(turns.enter('a', 1) instanceof Promise);
    assert.equal(turns.enter('b', 1), null);
    assert.ok(turns.enter('b', 2) instanceof Promise);
  });

  test('are all available again after a time without requests', async () => {
    const { turns } = recorded();
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual([turns.enter('a', 1), turns.enter('a', 1)], [null, null]);
      await setImmediate();
      await setImmediate();
    }
  });

  test('hold all clients of a network to its part, the clients in turn', async () => {
    const { done, enter } = recorded();
    for (let at = 0; at < 300; at += 1) void enter(`client ${at % 100}`, `client ${at % 100}`, 'network');
    const counts: number[] = [];
    while (done.length < 300) {
      const before = done.length;
      await setImmediate();
      counts.push(done.length - before);
    }
    assert.ok(Math.max(...counts) <= 10, `${counts}`);
    const first = done.slice(0, 180);
    assert.equal(new Set(first).size, 100, 'nobody is served again long before the last one is served at all');
  });
});
