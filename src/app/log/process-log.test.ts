import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogRate } from './process-log.ts';

test('a log gets 500 lines at once, then two a second, and reports how many were left out', () => {
  const time = { now: 0 };
  const rate = new LogRate({ clock: () => time.now });
  const written = Array.from({ length: 1_000 }, () => rate.next());
  assert.equal(written.filter((leftOut) => leftOut === 0).length, 500);
  assert.deepEqual(new Set(written.slice(500)), new Set([null]));
  time.now = 500;
  assert.deepEqual([rate.next(), rate.next()], [500, null]);
  time.now = 1_000;
  assert.equal(rate.next(), 1);
});
