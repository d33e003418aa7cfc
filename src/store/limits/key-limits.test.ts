import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { HeldAnswers } from '../../../test/support/database/held-answers.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { stopTime } from '../../../test/support/manual-time.ts';
import { KeyLimits } from './key-limits.ts';
import { LimitsUnavailable } from './limit-batch.ts';

let database: TestDatabase;
let key: { id: number; quota: number };
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `with made as (insert into api_keys (plan, created_at) values ('pro', now()) returning id)
    insert into key_usage (key_id) select id from made returning key_id as id`,
  );
  key = { id: (rows[0] as { id: number }).id, quota: 10 };
});

function heldLimits() {
  const held = new HeldAnswers(database);
  return { held, limits: new KeyLimits(held, () => undefined) };
}

async function counts(): Promise<{ used: number; total: number; today: number }> {
  const { rows } = await database.pool.query(
    'select used, total::int as total, days[30] as today from key_usage where key_id = $1',
    [key.id],
  );
  return rows[0];
}

describe('a decision that comes after its request stopped waiting', () => {
  test('is refunded if the batch was in time', async (t) => {
    const { held, limits } = heldLimits();
    const letPass = stopTime(t);
    const [slow, next] = [held.holdNext(), held.holdNext()];
    const first = limits.tryTake(key, true);
    await slow.committed;
    const others = [true, true, false].map(async (counts) => limits.tryTake(key, counts));
    letPass(700);
    slow.release();
    assert.equal((await first).outcome, 'granted');
    await next.committed;
    letPass(100);
    for (const other of others) await assert.rejects(other, LimitsUnavailable);
    assert.equal((await counts()).used, 3);
    t.mock.reset();
    next.release();
    await waitFor('the refund', 2_000, async () => (await counts()).used === 1);
    assert.deepEqual(await counts(), { used: 1, total: 1, today: 1 });
  });

  test('is refunded if the batch itself took too long', async (t) => {
    const { held, limits } = heldLimits();
    const letPass = stopTime(t);
    const slow = held.holdNext();
    const requests = [true, true].map(async (counts) => limits.tryTake(key, counts));
    await slow.committed;
    letPass(800);
    for (const request of requests) await assert.rejects(request, LimitsUnavailable);
    assert.equal((await counts()).used, 2);
    t.mock.reset();
    slow.release();
    await waitFor('the refund', 2_000, async () => (await counts()).used === 0);
    assert.deepEqual(await counts(), { used: 0, total: 0, today: 0 });
  });
});

test('what a batch counted before one of its statements failed is refunded', async () => {
  const asked: (string | undefined)[] = [];
  const limits = new KeyLimits(
    {
      state: 'ready',
      query: (statement, limit) => {
        asked.push(statement.name);
        if (statement.name === 'pompa-keys-grant-in-part') return Promise.reject(new Error('deadlock'));
        return database.query(statement, limit);
      },
    },
    () => undefined,
  );
  const unknown = { id: 0, quota: 10 };
  const requests = [key, key, unknown].map(async (each) => limits.tryTake(each, true));
  for (const request of requests) await assert.rejects(request, LimitsUnavailable);
  assert.deepEqual(asked, ['pompa-keys-grant-in-full', 'pompa-keys-grant-in-part', 'pompa-keys-refund']);
  await waitFor('the refund', 2_000, async () => (await counts()).used === 0);
  assert.deepEqual(await counts(), { used: 0, total: 0, today: 0 });
});
