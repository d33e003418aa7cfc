import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenHung } from './find-hung.ts';

const RUNNING = new AbortController().signal;

/** Watches a process that ends after a question, and answers some. */
async function ask(isAnswered: (question: number) => boolean, { endsAt = 100 } = {}) {
  const ended = Promise.withResolvers<{ how: string; reason: null; metrics: [] }>();
  let questions = 0;
  let waitedMs = 0;
  const child = {
    serving: Promise.resolve('http://127.0.0.1:8080'),
    ended: ended.promise,
    answer: () => {
      questions += 1;
      return isAnswered(questions) ? Promise.resolve() : new Promise<void>(() => undefined);
    },
  };
  const pause = async (ms: number) => {
    if (questions > 0) waitedMs += ms;
    if (questions === endsAt) ended.resolve({ how: 'exit code 0', reason: null, metrics: [] });
    // Whatever else can go on goes on first.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { problem: await whenHung(child, pause, RUNNING), questions, waitedMs };
}

test('a process that answers nothing for 30 s hangs', async () => {
  const problem = 'has answered nothing for 30 s';
  assert.deepEqual(await ask(() => false), { problem, questions: 10, waitedMs: 30_000 });
});

test('a process that answers one question of ten does not hang', async () => {
  assert.equal((await ask((question) => question % 10 === 0)).problem, null);
});

test('one that hangs later is found', async () => {
  const { problem, questions } = await ask((question) => question <= 3);
  assert.deepEqual([problem, questions], ['has answered nothing for 30 s', 13]);
});

test('a process that has ended does not hang', async () => {
  assert.deepEqual(await ask(() => false, { endsAt: 2 }), { problem: null, questions: 2, waitedMs: 6_000 });
});
