import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FairSemaphore, type FairSemaphoreOptions, type ReleaseSlot } from './fair-semaphore.ts';

const OPTIONS: FairSemaphoreOptions = {
  slots: 4,
  slotsPerClient: 2,
  slotsPerNetwork: 3,
  maxWaiting: 6,
  maxWaitingPerClient: 3,
};

/** The client `a1` belongs to the network `a`. */
const who = (client: string) => ({ client, network: client.slice(0, 1) });

/** A semaphore with a record of what each request got. */
function recorded(options: Partial<FairSemaphoreOptions> = {}) {
  const semaphore = new FairSemaphore({ ...OPTIONS, ...options });
  const granted: string[] = [];
  const refused: string[] = [];
  const releases = new Map<string, ReleaseSlot>();
  const ask = (client: string, name = client, signal?: AbortSignal) =>
    semaphore.acquire(who(client), signal).then((release) => {
      if (release === null) refused.push(name);
      else {
        granted.push(name);
        releases.set(name, release);
      }
    });
  const release = async (name: string) => {
    releases.get(name)?.();
    await settled();
  };
  return { semaphore, granted, refused, ask, release };
}

/** Until all promises that can resolve have done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair semaphore', () => {
  test('holds one client to its slots, whatever is free', async () => {
    const { ask, granted, release } = recorded();
    for (const name of ['first', 'second', 'third']) void ask('a1', name);
    await settled();
    assert.deepEqual(granted, ['first', 'second']);
    await release('first');
    assert.deepEqual(granted, ['first', 'second', 'third']);
  });

  test('holds the clients of one network to its slots', async () => {
    const { ask, granted } = recorded();
    for (const client of ['a1', 'a2', 'a3', 'a4', 'b1']) void ask(client);
    await settled();
    assert.deepEqual(granted, ['a1', 'a2', 'a3', 'b1']);
  });

  test('serves waiting networks in turn, not in the order of their requests', async () => {
    const { ask, granted, release } = recorded({ slots: 1 });
    for (const client of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void ask(client);
    await settled();
    for (const client of ['a1', 'a2', 'b1', 'c1', 'a3']) await release(client);
    assert.deepEqual(granted, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  test('serves the waiting clients of a network in turn', async () => {
    const { ask, granted, release } = recorded({ slots: 1 });
    for (const name of ['first', 'second', 'third']) void ask('a1', name);
    void ask('a2');
    await settled();
    for (const name of ['first', 'second', 'a2']) await release(name);
    assert.deepEqual(granted, ['first', 'second', 'a2', 'third']);
  });

  test('refuses a client that has its share of requests waiting', async () => {
    const { ask, refused } = recorded({ slots: 1 });
    for (const name of ['1', '2', '3', '4', '5']) void ask('a1', name);
    await settled();
    assert.deepEqual(refused, ['5']);
  });

  test('makes the network with most waiting requests give way when too many wait', async () => {
    const { ask, refused, semaphore } = recorded({ slots: 1 });
    for (const client of ['a0', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void ask(client);
    await settled();
    assert.deepEqual([refused, semaphore.waiting], [[], 6]);
    void ask('c1');
    await settled();
    assert.deepEqual([refused, semaphore.waiting], [['a4'], 6]);
  });

  test('lets a request that its signal aborts leave the queue', async () => {
    const { ask, granted, refused, release, semaphore } = recorded({ slots: 1 });
    const abort = new AbortController();
    for (const client of ['a1', 'b1', 'c1']) void ask(client, client, client === 'b1' ? abort.signal : undefined);
    abort.abort();
    await settled();
    assert.deepEqual([refused, semaphore.waiting], [['b1'], 1]);
    void ask('d1', 'aborted before', abort.signal);
    await release('a1');
    assert.deepEqual(
      [granted, refused],
      [
        ['a1', 'c1'],
        ['b1', 'aborted before'],
      ],
    );
  });

  test('counts a slot that is released twice once', async () => {
    const { ask, granted, release } = recorded({ slots: 1 });
    for (const client of ['a1', 'b1', 'c1']) void ask(client);
    await settled();
    await release('a1');
    await release('a1');
    assert.deepEqual(granted, ['a1', 'b1']);
  });
});
