import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenComplete } from './when-complete.ts';

/** Waits, with a number of checks that say that something is missing, and returns what was logged. */
async function wait(missing: number, more: Partial<Parameters<typeof whenComplete>[0]> = {}) {
  const logged: string[] = [];
  let checks = 0;
  const isComplete = () => {
    checks += 1;
    return checks > missing;
  };
  const { signal } = new AbortController();
  const log = { warn: (line: string) => void logged.push(line) };
  await whenComplete({ isComplete, database: Promise.resolve(), log, signal, ...more });
  return { logged, checks };
}

test('a process that takes over waits until nothing is missing', async () => {
  assert.deepEqual(await wait(0), { logged: [], checks: 1 });
  assert.deepEqual(await wait(2), { logged: [], checks: 3 });
});

test('it does not wait for ever, and says that it serves before', async () => {
  const { logged } = await wait(Number.POSITIVE_INFINITY, { withinMs: 0 });
  assert.deepEqual(logged, ['this process serves before it has read everything: it waited 0 s for it']);
});

test('it does not wait for a database that is still to be opened, if nothing is missing', async () => {
  assert.equal((await wait(1, { database: new Promise(() => undefined) })).checks, 2);
});

test('a wrong setting of the database ends the wait with its reason', async () => {
  const database = Promise.reject(new Error('the password is wrong'));
  await assert.rejects(wait(Number.POSITIVE_INFINITY, { database }), /the password is wrong/);
});

test('a stop ends the wait', async () => {
  assert.deepEqual(await wait(Number.POSITIVE_INFINITY, { signal: AbortSignal.abort() }), { logged: [], checks: 0 });
});
