import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capRefusalStableMs, quotaExhausted, weeklyCapReached } from './refusals.ts';

const WEEK_MS = 7 * 86_400_000;
const EPOCH = Date.UTC(2026, 10, 22);

/** An accepted request and a refused one within the week after it, epoch ms. */
const moments = fc
  .tuple(fc.nat(WEEK_MS), fc.nat(WEEK_MS - 1))
  .map(([start, later]) => ({ acceptedAt: EPOCH + start, now: EPOCH + start + later }));

const refusal = (acceptedAt: number, now: number) => {
  const { body, headers } = weeklyCapReached(acceptedAt, now, 'https://example.org');
  const { next_allowed, retry_after_seconds } = body as { next_allowed: string; retry_after_seconds: number };
  return { next: Date.parse(next_allowed), wait: retry_after_seconds, retryAfter: headers?.[1] };
};

test('the weekly cap never sends a retry time that is too early or later than 7 days', () => {
  fc.assert(
    fc.property(moments, ({ acceptedAt, now }) => {
      const { next, wait, retryAfter } = refusal(acceptedAt, now);
      assert.equal(retryAfter, String(wait));
      assert.ok(wait >= 1 && wait <= WEEK_MS / 1000, `${wait} s`);
      assert.ok(now + wait * 1000 >= acceptedAt + WEEK_MS && now + (wait - 1) * 1000 < acceptedAt + WEEK_MS);
      assert.ok(next >= acceptedAt + WEEK_MS && next < acceptedAt + WEEK_MS + 1000);
    }),
    { examples: [[{ acceptedAt: EPOCH + 1, now: EPOCH + 1 }]] },
  );
});

test('a refusal by the weekly cap stays the same for exactly as long as `capRefusalStableMs` returns', () => {
  fc.assert(
    fc.property(moments, ({ acceptedAt, now }) => {
      const stableMs = capRefusalStableMs(acceptedAt, now);
      assert.ok(stableMs >= 1 && stableMs <= 1000);
      assert.deepEqual(refusal(acceptedAt, now + stableMs - 1), refusal(acceptedAt, now));
      const end = now + stableMs;
      assert.ok(end === acceptedAt + WEEK_MS || refusal(acceptedAt, end).wait === refusal(acceptedAt, now).wait - 1);
    }),
  );
});

test('a used-up quota is counted as Romanian counts', () => {
  const messageOf = (quota: number) =>
    (quotaExhausted({ quota, hasOwnCap: false }, EPOCH, '').body as { message: string }).message;
  assert.match(messageOf(10_000), /^Cota lunară de 10000 de cereri a /);
  assert.match(messageOf(10_005), /^Cota lunară de 10005 cereri a /);
});
