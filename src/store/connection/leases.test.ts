import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { waitForBlockedSession } from '../../../test/support/collection/collector-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { holdsLease, type Lease, releaseLease, renewLease, takeLease } from './leases.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => database.kysely.deleteFrom('leases').execute());

const take = (holder: string, ms = 60_000) => takeLease(database.kysely, 'job', holder, ms);
const renew = (lease: Lease) => renewLease(database.kysely, lease, 60_000);
const holds = (lease: Lease) => database.transaction((tx) => holdsLease(tx, lease));
const runOut = () => sql`update leases set expires_at = clock_timestamp()`.execute(database.kysely);

describe('a lease', () => {
  test('has one holder, however many processes try to take it at once', async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => take(`holder ${index}`)));
    assert.equal(taken.filter((lease) => lease !== null).length, 1);
  });

  test('is independent of leases with other names', async () => {
    await take('a');
    assert.ok(await takeLease(database.kysely, 'other job', 'b', 60_000));
  });

  test('is refused even to its holder, who may have restarted', async () => {
    await take('a');
    assert.equal(await take('a'), null);
  });

  test('that expired or was released goes to the next holder, with a higher fencing number', async () => {
    const first = (await take('a')) as Lease;
    await runOut();
    const second = (await take('b')) as Lease;
    assert.ok(second.fence > first.fence);
    await releaseLease(database.kysely, second);
    assert.ok(((await take('c')) as Lease).fence > second.fence);
  });

  test('is free if it lasts longer than any, from before the clock was set back', async () => {
    const lasts = (ms: number) =>
      sql`update leases set expires_at = clock_timestamp() + ${ms} * interval '1 millisecond'`.execute(database.kysely);
    const HOUR = 3_600_000;
    const first = (await take('a')) as Lease;
    await lasts(HOUR);
    assert.equal(await take('b'), null);
    await lasts(10 * 24 * HOUR);
    const second = (await take('b')) as Lease;
    assert.ok(second.fence > first.fence);
    assert.deepEqual([await renew(first), await renew(second)], [false, true]);
  });

  test('that was lost is neither held nor renewed nor released', async () => {
    const first = (await take('a')) as Lease;
    assert.equal(await renew(first), true);
    await runOut();
    assert.deepEqual([await holds(first), await renew(first)], [false, false]);
    const second = (await take('b')) as Lease;
    assert.deepEqual([await holds(first), await renew(first)], [false, false]);
    await releaseLease(database.kysely, first);
    assert.equal(await holds(second), true);
  });

  test('is refused soon while a publication holds its row, even after it expired', async () => {
    const first = (await take('a', 200)) as Lease;
    const { promise: checked, resolve: check } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
    const publication = database.transaction(async (tx) => {
      await holdsLease(tx, first);
      check();
      await goOn;
    });
    await checked;
    const attempt = take('b');
    const late = new Promise((_, reject) => setTimeout(reject, 8_000, new Error('not refused within 8 s')).unref());
    try {
      assert.equal(await Promise.race([attempt, late]), null);
    } finally {
      end();
      await publication;
    }
  });

  test('that a transaction checks cannot be taken or changed before the transaction ends', async () => {
    const first = (await take('a')) as Lease;
    const { promise: checked, resolve: check } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
    const order: string[] = [];
    const transaction = database.transaction(async (tx) => {
      assert.equal(await holdsLease(tx, first), true);
      check();
      await goOn;
      order.push('published');
    });
    await checked;
    const running = runOut().then(() => order.push('ran out'));
    await Promise.race([waitForBlockedSession(database), running]);
    end();
    await Promise.all([transaction, running]);
    assert.deepEqual(order, ['published', 'ran out']);
  });
});
