import assert from 'node:assert/strict';
import { beforeEach, describe, mock, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { OutageProbe } from './outage-probe.ts';

const PAUSE_MS = 250;

let probes = 0;
let isDown = true;
beforeEach(() => {
  probes = 0;
  isDown = true;
});

/** A probe of a service that is down, under timers and a clock that advance only by hand. */
function probeDuring(t: TestContext) {
  let at = 0;
  const now = mock.method(performance, 'now', () => at);
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => {
    mock.timers.reset();
    now.mock.restore();
  });
  const outage = new OutageProbe({
    pauseMs: PAUSE_MS,
    probe: async () => {
      probes += 1;
      if (isDown) throw new Error('down');
    },
  });
  const advance = async (ms: number) => {
    at += ms;
    mock.timers.tick(ms);
    await setImmediate();
  };
  return { outage, advance };
}

describe('after one failure', () => {
  test('the service is not asked for the pause, and then by the next caller, not by a probe', async (t) => {
    const { outage, advance } = probeDuring(t);
    outage.failed();
    await advance(PAUSE_MS - 1);
    assert.ok(outage.isPaused);
    await advance(1);
    assert.ok(!outage.isPaused);
    await advance(60_000);
    assert.equal(probes, 0);
  });

  test('and a success, the next failure is the first one again', async (t) => {
    const { outage, advance } = probeDuring(t);
    outage.failed();
    await advance(PAUSE_MS);
    outage.succeeded();
    outage.failed();
    await advance(PAUSE_MS);
    assert.deepEqual([outage.isPaused, probes], [false, 0]);
  });
});

describe('after two failures in a row', () => {
  test('only probes ask the service, after pauses that double up to a second', async (t) => {
    const { outage, advance } = probeDuring(t);
    outage.failed();
    outage.failed();
    for (const [index, pauseMs] of [250, 500, 1_000, 1_000, 1_000].entries()) {
      await advance(pauseMs - 1);
      assert.deepEqual([outage.isPaused, probes], [true, index]);
      await advance(1);
      assert.deepEqual([outage.isPaused, probes], [true, index + 1]);
    }
  });

  test('a probe that succeeds ends the outage and is the last one', async (t) => {
    const { outage, advance } = probeDuring(t);
    outage.failed();
    outage.failed();
    isDown = false;
    await advance(PAUSE_MS);
    assert.deepEqual([outage.isPaused, probes], [false, 1]);
    await advance(60_000);
    assert.equal(probes, 1);
    outage.failed();
    await advance(PAUSE_MS);
    assert.deepEqual([outage.isPaused, probes], [false, 1], 'the next failure is the first one again');
  });

  test('a late failure of an earlier call starts no second probe', async (t) => {
    const { outage, advance } = probeDuring(t);
    for (let failures = 0; failures < 5; failures += 1) outage.failed();
    await advance(PAUSE_MS);
    assert.equal(probes, 1);
  });
});
