import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { addressHashOn, subscriberHash } from '../../../test/support/database/named-hashes.ts';
import { alertAll, saveSubscription, subscribe } from '../../../test/support/database/stored-push.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { prunePushClients } from './prune-push-clients.ts';
import { newSubscribers, saveSubscriptions } from './subscriptions.ts';

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
  const client = await subscriberHash(database, '192.0.2.9');
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
  const lockHolder = await database.pool.connect();
  try {
    await lockHolder.query('select pg_advisory_lock(1)');
    const both = [save(20), save(21)];
    await waitFor('both to wait, for the test or for each other', 20_000, async () => {
      const { rows } = await lockHolder.query<{ count: number }>(`select count(*)::int from pg_locks
        where not granted and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
      return rows[0]?.count === both.length;
    });
    await lockHolder.query('select pg_advisory_unlock(1)');
    await Promise.all(both);
  } finally {
    lockHolder.release(true);
  }
  const { rows } = await database.pool.query('select from push_subscriptions where client = $1', [client.current]);
  assert.equal(rows.length, 20);
});

/** Stores one subscription of each client, all at once. */
async function subscribeAll(clients: readonly string[], maxUnreached?: number): Promise<void> {
  const hasher = (await addressHashOn(database)).for('push');
  const submitted = clients.map((client) => {
    subscribed += 1;
    const endpoint = `https://push.example.com/all/${subscribed}`;
    const subscription = { endpoint, p256dh: Buffer.alloc(65), auth: Buffer.alloc(16), city: null, fuel: null };
    return { subscription, client: hasher.hash(client), network: hasher.hash(clientNetwork(client)) };
  });
  await saveSubscriptions(database, submitted, 20_000, maxUnreached);
}
let subscribed = 0;

const clientsOf = (network: string, count: number) =>
  Array.from({ length: count }, (_, n) => `2001:db8:${network}:${n.toString(16)}::/64`);

async function countOf(clients: readonly string[]): Promise<number> {
  const hasher = (await addressHashOn(database)).for('push');
  const hashes = clients.map((client) => hasher.hash(client).current);
  const { rows } = await database.pool.query('select from push_subscriptions where client = any ($1)', [hashes]);
  return rows.length;
}

test('a network with more addresses than it can need keeps the newest 500, and no other network loses one', async () => {
  await database.pool.query('truncate push_subscriptions cascade');
  const neighbours = clientsOf('2', 3);
  const attackers = clientsOf('1', 1_100);
  await subscribeAll(neighbours);
  await subscribeAll(attackers.slice(0, 900));
  for (let n = 900; n < 1_100; n += 50) await subscribeAll(attackers.slice(n, n + 50));
  const counts = [neighbours, attackers, attackers.slice(-500)].map((clients) => countOf(clients));
  assert.deepEqual(await Promise.all(counts), [3, 500, 500]);
});

test('in a full network those with many subscriptions make room first', async () => {
  await database.pool.query('truncate push_subscriptions cascade');
  const [honest, newest, ...greedy] = clientsOf('3', 32) as [string, string, ...string[]];
  await subscribeAll([honest]);
  for (const client of greedy) await subscribeAll(Array.from({ length: 20 }, () => client));
  await subscribeAll([newest]);
  assert.deepEqual(await Promise.all([countOf([honest]), countOf([newest]), countOf(greedy)]), [1, 1, 498]);
});

test('only the newest subscriptions without a delivered message are kept; those with one always stay', async () => {
  await database.pool.query('truncate push_subscriptions cascade');
  const reached = ['192.0.2.1', '192.0.2.2'];
  await subscribeAll(reached);
  await database.pool.query('update push_subscriptions set alerted_at = clock_timestamp()');
  const madeUp = Array.from({ length: 12 }, (_, n) => `2001:db8:${n}::/64`);
  for (const client of madeUp) await subscribeAll([client], 10);
  assert.deepEqual(await Promise.all([countOf(reached), countOf(madeUp), countOf(madeUp.slice(-10))]), [2, 10, 10]);
});

test('a subscription stays, and its address and network are forgotten within 7 days', async () => {
  await database.pool.query('truncate push_subscriptions cascade');
  for (const hours of [166, 167.1, 9_000]) {
    const id = await subscribe(database);
    await database.pool.query(
      `update push_subscriptions set created_at = clock_timestamp() - $1 * interval '1 hour' where id = $2`,
      [hours, id],
    );
  }
  assert.equal(await prunePushClients(database.pool), 2);
  const { rows } = await database.pool.query(
    'select num_nonnulls(client, network) as known from push_subscriptions order by id',
  );
  assert.deepEqual(
    rows.map(({ known }) => known),
    [2, 0, 0],
  );
});
