/** Keys under load in real time; checks every window of the requests that two processes accept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { limitsFixture } from './limits-fixture.ts';

const LASTS_MS = 3_200;

test('no key is granted a sixth request in any second over two processes under constant load, and each gets its full rate', async (t) => {
  const fixture = await limitsFixture();
  t.after(() => fixture.close());
  const ids = await fixture.keys(6);
  const accepted = new Map(ids.map((id) => [id, [] as number[]]));
  const begun = performance.now();
  const ask = async (id: number, process: 0 | 1, counted: boolean) => {
    while (performance.now() - begun < LASTS_MS) {
      const got = await fixture.processes[process].run('takeKey', { key: { id, quota: 1_000 }, counted });
      assert.ok(got !== 'undecided');
      if (got.outcome === 'granted') accepted.get(id)?.push(got.now);
      await setImmediate();
    }
  };
  await Promise.all(ids.flatMap((id) => [0, 1, 0, 1].map((process, index) => ask(id, process as 0 | 1, index < 3))));
  for (const times of accepted.values()) {
    times.sort((a, b) => a - b);
    for (const [index, time] of times.entries()) {
      const sixth = times[index + 5];
      assert.ok(sixth === undefined || sixth - time > 1_000, `six within ${(sixth ?? 0) - time} ms`);
    }
    assert.ok(times.length >= 15, `${times.length} requests in three seconds`);
  }
});
