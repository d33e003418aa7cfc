import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeedLagMonitor } from './feed-lag-monitor.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const told = (version: number) => ({ version, from: NOON, until: NOON + 10 * MINUTE });

function aMonitor() {
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(`WARN ${line}`) };
  const monitor = new FeedLagMonitor(log);
  return { monitor, taken: () => lines.splice(0) };
}

test('a publication that nobody tells is reported after a minute, once, and again when it is told', () => {
  const { monitor, taken } = aMonitor();
  monitor.observe(told(1), 1, NOON);
  monitor.observe(told(1), 2, NOON + MINUTE);
  monitor.observe(told(1), 2, NOON + 2 * MINUTE);
  assert.deepEqual(taken(), []);
  monitor.observe(told(1), 2, NOON + 2 * MINUTE + 1);
  monitor.observe(told(1), 2, NOON + 3 * MINUTE);
  assert.deepEqual(taken(), [
    'WARN changes of served prices are not told since 2026-11-20T12:01:00.000Z: is a worker running? See pompa doctor',
  ]);
  monitor.observe(told(2), 2, NOON + 3 * MINUTE);
  assert.deepEqual(taken(), ['all changes of served prices are told']);
});

test('a verdict that fell due and is not told is reported, too', () => {
  const { monitor, taken } = aMonitor();
  monitor.observe(told(1), 1, NOON + 11 * MINUTE);
  assert.deepEqual(taken(), []);
  monitor.observe(told(1), 1, NOON + 11 * MINUTE + 1);
  assert.match(taken().join(), /not told since 2026-11-20T12:10:00/);
});

test('a feed that never began is reported once something was published', () => {
  const { monitor, taken } = aMonitor();
  monitor.observe(null, 0, NOON);
  monitor.observe(null, 0, NOON + 9 * MINUTE);
  monitor.observe(null, 1, NOON + 9 * MINUTE);
  assert.deepEqual(taken(), []);
  monitor.observe(null, 1, NOON + 10 * MINUTE + 1);
  assert.equal(taken().length, 1);
});
