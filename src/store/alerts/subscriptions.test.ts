import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { alertAll, subscribe } from '../../../test/support/builders/push-builders.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { newSubscribers, saveSubscription } from './subscriptions.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

test('a subscription is new until an alert is made for it, and again after it is renewed', async () => {
  const origin = 'https://push.example.com';
  const endpoint = `${origin}/ana`;
  const ids = async () => (await newSubscribers(database.kysely, origin)).map(({ id }) => id);
  const id = await subscribe(database, { endpoint });
  await subscribe(database, { endpoint: 'https://elsewhere.example.com/ana' });
  assert.deepEqual(await ids(), [id]);
  await database.pool.query(`update push_subscriptions set created_at = '2026-11-20T08:00:00Z'`);
  await alertAll(database, Date.parse('2026-11-20T09:00:00Z'));
  assert.deepEqual(await ids(), []);
  await subscribe(database, { endpoint });
  assert.deepEqual(await ids(), [id]);
});

test('two concurrent subscriptions of one address both make room, however their statements interleave', async () => {
  const client = Buffer.alloc(16, 9);
  const save = (n: number) =>
    saveSubscription(
      database,
      {
        endpoint: `https://push.example.com/at-once/${n}`,
        p256dh: Buffer.alloc(65),
        auth: Buffer.alloc(16),
        city: null,
        fuel: null,
      },
      client,
    );
  for (let n = 0; n < 20; n += 1) await save(n);
  // The one that makes room waits once it has chosen which subscription to remove.
  await database.pool.query(`
    create function wait_for_the_test() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(1); return null; end';
    create trigger wait before delete on push_subscriptions for each statement execute function wait_for_the_test()`);
  const gate = await database.pool.connect();
  try {
    await gate.query('select pg_advisory_lock(1)');
    const both = [save(20), save(21)];
    await waitFor('both to wait, for the gate or for each other', 20_000, async () => {
      const { rows } = await gate.query<{ count: number }>(`select count(*)::int from pg_locks
        where not granted and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
      return rows[0]?.count === both.length;
    });
    await gate.query('select pg_advisory_unlock(1)');
    await Promise.all(both);
  } finally {
    gate.release(true);
  }
  const { rows } = await database.pool.query('select from push_subscriptions where client = $1', [client]);
  assert.equal(rows.length, 20);
});
