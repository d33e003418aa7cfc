import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFoundHung } from './find-hung.ts';

/** A process that is asked until it ends with a question, and answers some. */
async function ask(isAnswered: (question: number) => boolean, { endsAt = 100 } = {}) {
  const ended = new AbortController();
  const pauses: number[] = [];
  let questions = 0;
  const child = {
    answer: () => {
      questions += 1;
      return isAnswered(questions) ? Promise.resolve() : new Promise<void>(() => undefined);
    },
  };
  const pause = async (ms: number) => {
    pauses.push(ms);
    if (questions === endsAt) ended.abort();
  };
  const isHung = await isFoundHung(child, pause, ended.signal);
  return { isHung, questions, waitedMs: pauses.reduce((sum, ms) => sum + ms, 0) };
}

test('a process that answers nothing for 30 s hangs', async () => {
  assert.deepEqual(await ask(() => false), { isHung: true, questions: 10, waitedMs: 30_000 });
});

test('a process that answers one question of ten does not hang', async () => {
  assert.equal((await ask((question) => question % 10 === 0)).isHung, false);
});

test('one that hangs later is found', async () => {
  assert.deepEqual(await ask((question) => question <= 3), { isHung: true, questions: 13, waitedMs: 39_000 });
});

test('a process that has ended does not hang', async () => {
  assert.deepEqual(await ask(() => false, { endsAt: 2 }), { isHung: false, questions: 2, waitedMs: 6_000 });
});
