import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { type BatchOptions, batched } from './batch.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Batches that the test answers by hand. */
function manualBatch() {
  const asked: { questions: readonly number[]; answer: PromiseWithResolvers<readonly number[]> }[] = [];
  let news = Promise.withResolvers<void>();
  return {
    asked,
    ask(questions: readonly number[]) {
      const answer = Promise.withResolvers<readonly number[]>();
      asked.push({ questions, answer });
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

/** Timers and a clock that advance only by hand, in whole milliseconds: with fractions, rounding makes a timer late. */
function clock() {
  let at = Math.ceil(performance.now());
  const now = mock.method(performance, 'now', () => at);
  mock.timers.enable({ apis: ['setTimeout'] });
  return {
    async go(ms: number) {
      at += ms;
      mock.timers.tick(ms);
      // Work that begins with a timer may continue in the next turn.
      await setImmediate();
      await setImmediate();
    },
    [Symbol.dispose]() {
      mock.timers.reset();
      now.mock.restore();
    },
  };
}

/** A batch with long times unless given. */
const batchNumbers = (options: Pick<BatchOptions<number, number>, 'ask'> & Partial<BatchOptions<number, number>>) =>
  batched<number, number>({ intervalMs: 25, timeoutMs: 800, ...options });

const outcome = (promise: Promise<number>) => promise.then(String, (error) => (error as Error).name);

describe('questions in batches', () => {
  test('each get their own answer in any interleaving, and none is lost or sent twice', async () => {
    const rounds = fc.array(fc.nat(12), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.integer({ min: 1, max: 5 }), async (counts, maxBatchSize) => {
        const sizes: number[] = [];
        const seen: number[] = [];
        const ask = batchNumbers({
          ask: async (questions) => {
            sizes.push(questions.length);
            seen.push(...questions);
            await setImmediate();
            return questions.map((each) => each * 2);
          },
          intervalMs: 0,
          maxBatchSize,
        });
        const answers: Promise<number>[] = [];
        for (const count of counts) {
          for (let more = 0; more < count; more += 1) answers.push(ask(answers.length));
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
    const ask = batchNumbers({ ask: hand.ask, intervalMs: 0 });
    const first = [ask(1), ask(2)];
    const batch = await hand.next();
    const second = [ask(3), ask(4)];
    await setImmediate();
    assert.deepEqual([batch.questions, hand.asked.length], [[1, 2], 0]);
    batch.answer.resolve([10, 20]);
    const more = await hand.next();
    more.answer.resolve([30, 40]);
    assert.deepEqual(await Promise.all([...first, ...second]), [10, 20, 30, 40]);
  });

  test('start a batch at once after a quiet time, and then no sooner than the interval', async () => {
    using time = clock();
    const hand = manualBatch();
    const ask = batchNumbers({ ask: hand.ask, intervalMs: 40 });
    const first = ask(1);
    (await hand.next()).answer.resolve([10]);
    assert.equal(await first, 10);
    const more = [ask(2), ask(3)];
    await time.go(39);
    assert.equal(hand.asked.length, 0);
    await time.go(1);
    const batch = await hand.next();
    batch.answer.resolve([20, 30]);
    assert.deepEqual(
      [batch.questions, await Promise.all(more)],
      [
        [2, 3],
        [20, 30],
      ],
    );
  });

  test('are sent at once when a batch is full', async () => {
    using time = clock();
    const hand = manualBatch();
    const ask = batchNumbers({ ask: hand.ask, intervalMs: 40, maxBatchSize: 2 });
    const all = numbers(5).map((each) => ask(each));
    for (const expected of [
      [0, 1],
      [2, 3],
    ]) {
      const batch = await hand.next();
      assert.deepEqual(batch.questions, expected);
      batch.answer.resolve(expected);
    }
    await time.go(39);
    assert.equal(hand.asked.length, 0);
    await time.go(1);
    (await hand.next()).answer.resolve([4]);
    assert.deepEqual(await Promise.all(all), numbers(5));
  });

  test('are all rejected when a batch fails, and immediately for a while after', async () => {
    using time = clock();
    const hand = manualBatch();
    const ask = batchNumbers({ ask: hand.ask, intervalMs: 0, failurePauseMs: 60 });
    const before = ask(1);
    const batch = await hand.next();
    const waiting = [ask(2), ask(3)];
    batch.answer.reject(new Error('deadlock'));
    assert.deepEqual(await Promise.all([before, ...waiting].map(outcome)), Array(3).fill('BatchUnavailable'));
    await time.go(59);
    const refused = outcome(ask(4));
    await time.go(0);
    assert.equal(hand.asked.length, 0);
    assert.equal(await refused, 'BatchUnavailable');
    await time.go(1);
    const again = ask(5);
    (await hand.next()).answer.resolve([50]);
    assert.equal(await again, 50);
  });

  test('are rejected when a batch takes too long, along with all that arrived meanwhile', async () => {
    using time = clock();
    const hand = manualBatch();
    const ask = batchNumbers({ ask: hand.ask, intervalMs: 0, timeoutMs: 100, failurePauseMs: 60 });
    const first = outcome(ask(1));
    const { answer } = await hand.next();
    await time.go(99);
    const second = outcome(ask(2));
    await time.go(1);
    assert.deepEqual(await Promise.all([first, second]), ['BatchUnavailable', 'BatchUnavailable']);
    answer.resolve([10]);
    await time.go(60);
    const third = ask(3);
    (await hand.next()).answer.resolve([30]);
    assert.equal(await third, 30, 'a late answer is dropped');
  });

  test('wait no longer than the timeout, counted from each question, the previous batch included', async () => {
    using time = clock();
    const hand = manualBatch();
    const ask = batchNumbers({ ask: hand.ask, intervalMs: 0, timeoutMs: 100 });
    const first = ask(1);
    const { answer } = await hand.next();
    const second = outcome(ask(2));
    await time.go(60);
    const third = ask(3);
    answer.resolve([10]);
    assert.equal(await first, 10);
    const batch = await hand.next();
    assert.deepEqual(batch.questions, [2, 3]);
    await time.go(40);
    assert.equal(await second, 'BatchUnavailable');
    batch.answer.resolve([20, 30]);
    assert.equal(await third, 30);
  });

  test('are rejected, not lost, when `ask` throws synchronously', async () => {
    const ask = batchNumbers({
      ask() {
        throw new Error('there is no database');
      },
      failurePauseMs: 0,
    });
    assert.deepEqual([await outcome(ask(1)), await outcome(ask(2))], ['BatchUnavailable', 'BatchUnavailable']);
  });

  test('are rejected with the caller’s error class; an error of that class is passed on', async () => {
    class Undecided extends Error {}
    const own = new Undecided('no key');
    const failures = [own, new Error('deadlock')];
    const ask = batchNumbers({
      ask: () => Promise.reject(failures.shift()),
      failurePauseMs: 0,
      intervalMs: 0,
      Unavailable: Undecided,
    });
    await assert.rejects(ask(1), (error) => error === own);
    await assert.rejects(ask(2), (error) => error instanceof Undecided && error.message === 'deadlock');
  });
});
