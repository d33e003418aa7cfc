import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SharedRefresh } from './shared-refresh.ts';

let now = 0;

/** A refresh whose runs end by hand. */
function manualRefresh() {
  const runs: PromiseWithResolvers<boolean>[] = [];
  const refresh = new SharedRefresh(
    () => {
      const run = Promise.withResolvers<boolean>();
      runs.push(run);
      return run.promise;
    },
    { minIntervalMs: 75, timeoutMs: 500 },
  );
  return { refresh, runs };
}

async function pass(ms: number): Promise<void> {
  now += ms;
  mock.timers.tick(ms);
  await setImmediate();
}

describe('a shared refresh', () => {
  beforeEach(() => {
    mock.method(performance, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  test('starts at once; all calls during a run share the next run', async () => {
    const { refresh, runs } = manualRefresh();
    const first = refresh.run();
    assert.equal(runs.length, 1);
    const later = [refresh.run(), refresh.run()];
    runs[0]?.resolve(true);
    assert.equal(await first, true);
    await pass(75);
    assert.equal(runs.length, 2);
    runs[1]?.resolve(false);
    assert.deepEqual(await Promise.all(later), [false, false]);
    await refresh.close();
  });

  test('starts no sooner than the interval after the previous one', async () => {
    const { refresh, runs } = manualRefresh();
    const first = refresh.run();
    runs[0]?.resolve(true);
    await first;
    const second = refresh.run();
    await pass(74);
    assert.equal(runs.length, 1);
    await pass(1);
    assert.equal(runs.length, 2);
    runs[1]?.resolve(true);
    assert.equal(await second, true);
    await refresh.close();
  });

  test('that takes too long fails for those who wait, and continues for later callers', async () => {
    const { refresh, runs } = manualRefresh();
    const first = refresh.run();
    await pass(400);
    const second = refresh.run();
    await pass(100);
    assert.equal(await first, false);
    runs[0]?.resolve(true);
    await setImmediate();
    assert.equal(runs.length, 2);
    runs[1]?.resolve(true);
    assert.equal(await second, true);
    await refresh.close();
  });

  test('that has ended when its time is over is not late, though that is read after it', async () => {
    const { refresh, runs } = manualRefresh();
    const waiting = refresh.run();
    mock.timers.tick(500);
    runs[0]?.resolve(true);
    assert.equal(await waiting, true);
    await refresh.close();
  });

  test('never starts again once closed, and releases those who wait', async () => {
    const { refresh, runs } = manualRefresh();
    void refresh.run();
    const waiting = refresh.run();
    const closed = refresh.close();
    assert.equal(await waiting, false);
    assert.equal(await refresh.run(), false);
    runs[0]?.resolve(true);
    await closed;
    assert.equal(runs.length, 1);
  });
});
