import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterStopDelay } from './stop-delay.ts';

test('a service stops so many seconds after a stop was requested, and says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const logged: string[] = [];
  const requested = new AbortController();
  const stop = afterStopDelay(requested.signal, 10, { info: (line) => logged.push(line) });
  t.mock.timers.tick(60_000);
  assert.deepEqual([stop.aborted, logged], [false, []]);
  requested.abort(new Error('asked'));
  await Promise.resolve();
  t.mock.timers.tick(9_999);
  assert.equal(stop.aborted, false);
  t.mock.timers.tick(1);
  assert.deepEqual([stop.aborted, (stop.reason as Error).message], [true, 'asked']);
  assert.deepEqual(logged, ['stops in 10 s (STOP_DELAY); until then it answers, and /readyz says 503']);
});

test('without a delay it stops at once', () => {
  const requested = new AbortController();
  const stop = afterStopDelay(requested.signal, 0, { info: () => assert.fail() });
  requested.abort();
  assert.equal(stop.aborted, true);
});
