import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { stopTime } from '../../test/support/manual-time.ts';
import { type BatchOptions, batched } from './batch.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Batches that the test answers by hand. */
function manualBatch() {
  const asked: { items: readonly number[]; answer: PromiseWithResolvers<readonly number[]> }[] = [];
  let news = Promise.withResolvers<void>();
  return {
    asked,
    runBatch(items: readonly number[]) {
      const answer = Promise.withResolvers<readonly number[]>();
      asked.push({ items, answer });
      news.resolve();
      return answer.promise;
    },
    /** The next batch. */
    async next() {
      while (asked.length === 0) {
        news = Promise.withResolvers<void>();
        await news.promise;
      }
      return asked.shift() as (typeof asked)[number];
    },
  };
}

/** A clock that advances only by hand. */
function clock() {
  const letPass = stopTime({ mock });
  return {
    async go(ms: number) {
      letPass(ms);
      // Work that begins with a timer may continue in the next turn.
      await setImmediate();
      await setImmediate();
    },
    [Symbol.dispose]() {
      mock.reset();
    },
  };
}

/** A batch with long times unless given. */
const batchNumbers = (
  options: Pick<BatchOptions<number, number>, 'runBatch'> & Partial<BatchOptions<number, number>>,
) => batched<number, number>({ intervalMs: 25, timeoutMs: 800, ...options });

/** Batches after one of `size` items, a millisecond after the one before: many come. */
async function manyCome(time: ReturnType<typeof clock>) {
  const size = 10;
  const hand = manualBatch();
  const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 40 });
  for (const count of [1, size]) {
    await time.go(1);
    const answers = numbers(count).map((each) => runBatch(each));
    (await hand.next()).answer.resolve(numbers(count));
    await Promise.all(answers);
  }
  return { hand, runBatch, size };
}

const outcome = (promise: Promise<number>) => promise.then(String, (error) => (error as Error).name);

describe('items in batches', () => {
  test('each get their own answer in any interleaving, and none is lost or sent twice', async () => {
    const rounds = fc.array(fc.nat(12), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.integer({ min: 1, max: 5 }), async (counts, maxBatchSize) => {
        const sizes: number[] = [];
        const seen: number[] = [];
        const runBatch = batchNumbers({
          runBatch: async (items) => {
            sizes.push(items.length);
            seen.push(...items);
            await setImmediate();
            return items.map((each) => each * 2);
          },
          intervalMs: 0,
          maxBatchSize,
        });
        const answers: Promise<number>[] = [];
        for (const count of counts) {
          for (let more = 0; more < count; more += 1) answers.push(runBatch(answers.length));
          await setImmediate();
        }
        assert.deepEqual(
          await Promise.all(answers),
          numbers(answers.length).map((each) => each * 2),
        );
        assert.deepEqual(seen, numbers(answers.length));
        assert.ok(sizes.every((size) => size >= 1 && size <= maxBatchSize));
      }),
      { numRuns: 30 },
    );
  });

  test('share a batch when they arrive together, one batch at a time', async () => {
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 0 });
    const first = [runBatch(1), runBatch(2)];
    const batch = await hand.next();
    const second = [runBatch(3), runBatch(4)];
    await setImmediate();
    assert.deepEqual([batch.items, hand.asked.length], [[1, 2], 0]);
    batch.answer.resolve([10, 20]);
    const more = await hand.next();
    more.answer.resolve([30, 40]);
    assert.deepEqual(await Promise.all([...first, ...second]), [10, 20, 30, 40]);
  });

  test('are sent at once while few come, even if the batch before was larger and began a moment ago', async () => {
    using time = clock();
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 40 });
    for (const count of [3, 1, 2]) {
      const answers = numbers(count).map((each) => runBatch(each));
      const batch = await hand.next();
      assert.deepEqual(batch.items, numbers(count));
      batch.answer.resolve(batch.items);
      assert.deepEqual(await Promise.all(answers), numbers(count));
      await time.go(11);
    }
  });

  test('gather over the interval while many come', async () => {
    using time = clock();
    const { hand, runBatch } = await manyCome(time);
    const more = [runBatch(2), runBatch(3)];
    await time.go(39);
    assert.equal(hand.asked.length, 0);
    await time.go(1);
    const batch = await hand.next();
    assert.deepEqual(batch.items, [2, 3]);
    batch.answer.resolve([20, 30]);
    assert.deepEqual(await Promise.all(more), [20, 30]);
  });

  test('wait no longer than until as many have come as a batch had', async () => {
    using time = clock();
    const { hand, runBatch, size } = await manyCome(time);
    const more = numbers(size - 1).map((each) => runBatch(each));
    await time.go(1);
    assert.equal(hand.asked.length, 0);
    more.push(runBatch(size - 1));
    const batch = await hand.next();
    assert.deepEqual(batch.items, numbers(size));
    batch.answer.resolve(batch.items);
    assert.deepEqual(await Promise.all(more), numbers(size));
    await time.go(40);
    assert.equal(hand.asked.length, 0, 'the timer of the interval is gone');
  });

  test('wait for whoever stopped asking four times', async () => {
    using time = clock();
    const { hand, runBatch, size } = await manyCome(time);
    const fewer = numbers(size - 1);
    for (const waitMs of [40, 40, 40, 40, 0]) {
      const answers = fewer.map((each) => runBatch(each));
      await time.go(Math.max(0, waitMs - 1));
      if (waitMs > 0) assert.equal(hand.asked.length, 0);
      await time.go(waitMs === 0 ? 0 : 1);
      const batch = await hand.next();
      batch.answer.resolve(batch.items);
      await Promise.all(answers);
    }
  });

  test('are sent at once when a batch is full', async () => {
    using time = clock();
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 40, maxBatchSize: 10 });
    const all = numbers(25).map((each) => runBatch(each));
    for (const expected of [numbers(10), numbers(20).slice(10)]) {
      const batch = await hand.next();
      assert.deepEqual(batch.items, expected);
      batch.answer.resolve(expected);
      await time.go(1);
    }
    await time.go(38);
    assert.equal(hand.asked.length, 0);
    await time.go(1);
    (await hand.next()).answer.resolve([20, 21, 22, 23, 24]);
    assert.deepEqual(await Promise.all(all), numbers(25));
  });

  test('are all rejected when a batch fails, and immediately for a while after', async () => {
    using time = clock();
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 0, failurePauseMs: 60 });
    const before = runBatch(1);
    const batch = await hand.next();
    const waiting = [runBatch(2), runBatch(3)];
    batch.answer.reject(new Error('deadlock'));
    assert.deepEqual(await Promise.all([before, ...waiting].map(outcome)), Array(3).fill('BatchUnavailable'));
    await time.go(59);
    const refused = outcome(runBatch(4));
    await time.go(0);
    assert.equal(hand.asked.length, 0);
    assert.equal(await refused, 'BatchUnavailable');
    await time.go(1);
    const again = runBatch(5);
    (await hand.next()).answer.resolve([50]);
    assert.equal(await again, 50);
  });

  test('are rejected when a batch takes too long, along with all that arrived meanwhile', async () => {
    using time = clock();
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 0, timeoutMs: 100, failurePauseMs: 60 });
    const first = outcome(runBatch(1));
    const { answer } = await hand.next();
    await time.go(99);
    const second = outcome(runBatch(2));
    await time.go(1);
    assert.deepEqual(await Promise.all([first, second]), ['BatchUnavailable', 'BatchUnavailable']);
    answer.resolve([10]);
    await time.go(60);
    const third = runBatch(3);
    (await hand.next()).answer.resolve([30]);
    assert.equal(await third, 30, 'a late answer is dropped');
  });

  test('are answered when the answers have come within the time, though they are read after it', async (t) => {
    const letPass = stopTime(t);
    const hand = manualBatch();
    const answer = batchNumbers({ runBatch: hand.runBatch })(1);
    const { answer: answers } = await hand.next();
    letPass(800);
    answers.resolve([2]);
    assert.equal(await answer, 2);
  });

  test('wait for nothing after two failures in a row, until a batch without items succeeds', async () => {
    using time = clock();
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 0, timeoutMs: 100, failurePauseMs: 60 });
    for (const item of [1, 2]) {
      const failed = outcome(runBatch(item));
      await hand.next();
      await time.go(100);
      assert.equal(await failed, 'BatchUnavailable');
      if (item === 1) await time.go(60);
    }
    for (const pauseMs of [60, 120, 240, 480, 960, 1_000, 1_000]) {
      await time.go(pauseMs - 1);
      assert.equal(await outcome(runBatch(3)), 'BatchUnavailable');
      assert.equal(hand.asked.length, 0, 'no probe before the end of the pause');
      await time.go(1);
      assert.deepEqual((await hand.next()).items, [], 'a probe asks for nothing');
      assert.equal(await outcome(runBatch(4)), 'BatchUnavailable', 'nobody waits for the probe');
      await time.go(100);
    }
    await time.go(1_000);
    (await hand.next()).answer.resolve([]);
    await time.go(0);
    const again = runBatch(5);
    (await hand.next()).answer.resolve([50]);
    assert.equal(await again, 50);
  });

  test('wait no longer than the timeout, counted from each item, the previous batch included', async () => {
    using time = clock();
    const hand = manualBatch();
    const runBatch = batchNumbers({ runBatch: hand.runBatch, intervalMs: 0, timeoutMs: 100 });
    const first = runBatch(1);
    const { answer } = await hand.next();
    const second = outcome(runBatch(2));
    await time.go(60);
    const third = runBatch(3);
    answer.resolve([10]);
    assert.equal(await first, 10);
    const batch = await hand.next();
    assert.deepEqual(batch.items, [2, 3]);
    await time.go(40);
    assert.equal(await second, 'BatchUnavailable');
    batch.answer.resolve([20, 30]);
    assert.equal(await third, 30);
  });

  test('are sent and told of although they were rejected while they waited', async () => {
    using time = clock();
    const hand = manualBatch();
    const told: unknown[] = [];
    const runBatch = batchNumbers({
      runBatch: hand.runBatch,
      ...{ intervalMs: 0, timeoutMs: 100, maxBatchSize: 1 },
      onLateAnswers: (...late) => told.push(late),
    });
    const [first, ...rejected] = [runBatch(1), outcome(runBatch(2)), outcome(runBatch(3))];
    const { answer } = await hand.next();
    await time.go(60);
    const fourth = runBatch(4);
    answer.resolve([10]);
    assert.equal(await first, 10);
    const second = await hand.next();
    await time.go(40);
    assert.deepEqual(await Promise.all(rejected), ['BatchUnavailable', 'BatchUnavailable']);
    second.answer.resolve([20]);
    const third = await hand.next();
    third.answer.resolve([30]);
    (await hand.next()).answer.resolve([40]);
    assert.equal(await fourth, 40);
    assert.deepEqual(told, [
      [[2], [20]],
      [[3], [30]],
    ]);
  });

  test('are told of when their answers come after they were rejected, unless their batch fails', async () => {
    using time = clock();
    const hand = manualBatch();
    const told: unknown[] = [];
    const runBatch = batchNumbers({
      runBatch: hand.runBatch,
      intervalMs: 0,
      timeoutMs: 100,
      failurePauseMs: 0,
      onLateAnswers: (items, answers) => told.push([items, answers]),
    });
    const first = runBatch(1);
    const { answer } = await hand.next();
    const overdue = [runBatch(2), runBatch(3)].map(outcome);
    await time.go(60);
    const inTime = runBatch(4);
    answer.resolve([10]);
    await first;
    const batch = await hand.next();
    await time.go(40);
    await Promise.all(overdue);
    batch.answer.resolve([20, 30, 40]);
    assert.equal(await inTime, 40);
    assert.deepEqual(told.splice(0), [
      [
        [2, 3],
        [20, 30],
      ],
    ]);
    for (const end of ['fails', 'succeeds']) {
      const slow = outcome(runBatch(5));
      const { answer } = await hand.next();
      await time.go(100);
      await slow;
      if (end === 'fails') answer.reject(new Error('the connection was lost'));
      else answer.resolve([50]);
      await time.go(0);
      assert.deepEqual(told.splice(0), end === 'fails' ? [] : [[[5], [50]]]);
    }
  });

  test('are rejected, not lost, when `runBatch` throws synchronously', async () => {
    const runBatch = batchNumbers({
      runBatch() {
        throw new Error('there is no database');
      },
      failurePauseMs: 0,
    });
    assert.deepEqual(
      [await outcome(runBatch(1)), await outcome(runBatch(2))],
      ['BatchUnavailable', 'BatchUnavailable'],
    );
  });

  test('are rejected with the caller’s error class; an error of that class is passed on', async () => {
    class Undecided extends Error {}
    const own = new Undecided('no key');
    const failures = [own, new Error('deadlock')];
    const runBatch = batchNumbers({
      runBatch: () => Promise.reject(failures.shift()),
      failurePauseMs: 0,
      intervalMs: 0,
      Unavailable: Undecided,
    });
    await assert.rejects(runBatch(1), (error) => error === own);
    await assert.rejects(runBatch(2), (error) => error instanceof Undecided && error.message === 'deadlock');
  });
});
