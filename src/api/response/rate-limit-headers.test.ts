import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitHeaders } from './rate-limit-headers.ts';

const headersAt = (quota: number, used: number, moment: string) => {
  const [, limit, , remaining, , reset] = rateLimitHeaders(quota, used, Date.parse(moment));
  return { limit, remaining, reset: new Date(Number(reset) * 1_000).toISOString() };
};

test('a key gets its remaining quota, which is 0 when the quota was lowered below its use', () => {
  const remaining = [0, 9, 10, 11].map((used) => headersAt(10, used, '2026-11-22T12:00:00Z').remaining);
  assert.deepEqual(remaining, ['10', '1', '0', '0']);
});

test('the month ends in UTC, also for a process that runs past it and for a clock that is set back', () => {
  const moments = [
    ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ] as const;
  for (const [now, reset] of moments) assert.equal(headersAt(10, 0, now).reset, reset, now);
});
