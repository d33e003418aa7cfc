import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, Throttle } from './throttle.ts';

test('starts are a pause apart, whatever the concurrency', async () => {
  const clock = manualClock();
  const starts: number[] = [];
  const pace = new Throttle({ parallel: 4, pauseMs: 300, clock });
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => pace.run(async () => void starts.push(clock.now()))));
  assert.deepEqual(starts, [0, 300, 600, 900, 1200, 1500]);
});

test('a finished task lets the next one start, in order', async () => {
  const pace = new Throttle({ parallel: 2, pauseMs: 0, clock: manualClock() });
  const log: string[] = [];
  const ends = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, i) =>
    pace.run(async () => {
      log.push(`start ${i}`);
      await promise;
    }),
  );
  await settle();
  assert.deepEqual(log, ['start 0', 'start 1']);
  ends[1]?.resolve();
  await runs[1];
  await settle();
  assert.deepEqual(log, ['start 0', 'start 1', 'start 2']);
  for (const { resolve } of ends) resolve();
  await Promise.all(runs);
});

test('a failed task lets the next one start too', async () => {
  const pace = new Throttle({ parallel: 1, pauseMs: 0, clock: manualClock() });
  await assert.rejects(pace.run(() => Promise.reject(new Error('no'))));
  assert.equal(await pace.run(async () => 'next'), 'next');
});

test('no task starts while the host is paused', async () => {
  const clock = manualClock();
  const pace = new Throttle({ parallel: 2, pauseMs: 0, clock });
  pace.pauseFor(5000);
  assert.equal(await pace.run(async () => clock.now()), 5000);
});

test('an aborted signal removes its own waiting task from the queue and no other', async () => {
  const pace = new Throttle({ parallel: 1, pauseMs: 0, clock: manualClock() });
  const first = Promise.withResolvers<void>();
  const stop = new AbortController();
  const running = pace.run(() => first.promise);
  const given = pace.run(async () => 'given up', stop.signal);
  const kept = pace.run(async () => 'kept');
  stop.abort(new Error('stop'));
  await assert.rejects(given, /stop/);
  first.resolve();
  await running;
  assert.equal(await kept, 'kept');
});

/** When all callers are waiting, time jumps to the earliest of them and wakes it. */
function manualClock(): Clock {
  let now = 0;
  const sleepers: { until: number; wake: () => void }[] = [];
  const jump = () => {
    const next = sleepers.sort((a, b) => a.until - b.until).shift();
    if (!next) return;
    now = Math.max(now, next.until);
    next.wake();
  };
  return {
    now: () => now,
    wait: async (ms) => {
      await new Promise<void>((wake) => {
        sleepers.push({ until: now + ms, wake });
        setImmediate(jump);
      });
    },
  };
}

function settle(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
