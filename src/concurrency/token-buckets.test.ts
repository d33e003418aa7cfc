import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBuckets } from './token-buckets.ts';

function buckets(maxKeys = 10) {
  let now = 0;
  const limiter = new TokenBuckets({ burst: 2, perSecond: 0.5, maxKeys, clock: () => now });
  return {
    take: (key: string) => limiter.tryTake(key),
    has: (key: string) => limiter.hasToken(key),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a bucket gives its burst, then one token whenever one has come in', () => {
  const { take, pass } = buckets();
  assert.deepEqual([take('a'), take('a'), take('a')], [true, true, false]);
  pass(1_999);
  assert.equal(take('a'), false);
  pass(1);
  assert.deepEqual([take('a'), take('a')], [true, false]);
});

test('whether a bucket has a token can be asked without taking it', () => {
  const { take, has, pass } = buckets();
  assert.deepEqual(
    [has('a'), has('a'), has('a'), take('a'), take('a'), has('a')],
    [true, true, true, true, true, false],
  );
  pass(2_000);
  assert.deepEqual([has('a'), take('a'), has('a')], [true, true, false]);
});

test('a bucket that rests never holds more than its burst', () => {
  const { take, pass } = buckets();
  take('a');
  pass(3_600_000);
  assert.deepEqual([take('a'), take('a'), take('a')], [true, true, false]);
});

test('each key has a bucket of its own', () => {
  const { take } = buckets();
  take('a');
  take('a');
  assert.deepEqual([take('a'), take('b')], [false, true]);
});

test('beyond its keys it forgets the one that was used longest ago', () => {
  const { take } = buckets(2);
  for (const key of ['a', 'a', 'b', 'b', 'a', 'c']) take(key);
  assert.deepEqual([take('a'), take('b')], [false, true]);
});
