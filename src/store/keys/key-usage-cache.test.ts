import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { DatabaseProxy } from '../../../test/support/database/database-proxy.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { openDatabase } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { KeyUsageCache } from './key-usage-cache.ts';
import { notifyUsage, parseUsageNotification, USAGE_CHANNEL } from './key-usage-notifications.ts';

const silent = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
let month: number;
const open: { close(): unknown }[] = [];

before(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ month: number }>(
    `select (extract(year from now() at time zone 'UTC') * 12 + extract(month from now() at time zone 'UTC'))::int as month`,
  );
  month = (rows[0] as { month: number }).month;
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate api_keys, key_usage restart identity cascade`.execute(database.kysely);
  await sql`insert into api_keys (plan, created_at) select 'pro', now() from generate_series(1, 3000)`.execute(
    database.kysely,
  );
  await sql`insert into key_usage (key_id) select id from api_keys`.execute(database.kysely);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Writes what a decision on limits stores in the table. */
async function setStoredUsage(id: number, used: number, inMonth = month): Promise<void> {
  await sql`update key_usage set month = ${inMonth}, used = ${used} where key_id = ${id}`.execute(database.kysely);
}

/** The cache of another process. */
async function openUsageCache(url = database.url): Promise<KeyUsageCache> {
  const own = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silent });
  const view = new KeyUsageCache(own);
  open.push(own, view);
  return view;
}

const untilKnown = (holds: () => boolean) => waitFor('the count to be known', 20_000, holds);

/** Waits until both caches listen: each then receives what the other sends. */
async function untilListening(...views: KeyUsageCache[]): Promise<void> {
  // The first value may come from the load at the start, before the cache listens; the second cannot.
  for (const used of [1, 2]) {
    await setStoredUsage(3_000, used);
    await waitFor('all to listen', 20_000, async () => {
      await notifyUsage(database, [3_000]);
      return views.every((view) => view.used(3_000, month) === used);
    });
  }
}

describe('the usage of a key', () => {
  test('is known from the start, of this month only', async () => {
    await setStoredUsage(1, 17);
    await setStoredUsage(2, 99, month - 1);
    const view = await openUsageCache();
    await untilKnown(() => view.used(1, month) === 17);
    assert.deepEqual([view.used(2, month), view.used(1, month + 1), view.used(777_777, month)], [0, 0, 0]);
  });

  test('is known at once in the process that decided, and soon in every other one, also after a refund', async () => {
    const [here, there] = [await openUsageCache(), await openUsageCache()];
    await untilListening(here, there);
    await setStoredUsage(5, 12);
    here.recordUsage(5, month, 12);
    assert.equal(here.used(5, month), 12);
    await untilKnown(() => there.used(5, month) === 12);
    await setStoredUsage(5, 11);
    there.recordUsage(5, month, 11);
    await untilKnown(() => here.used(5, month) === 11);
  });

  test('is what its own process decided until that is sent, whatever is received in the meantime', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const view = await openUsageCache();
    await untilListening(view);
    const received = async (id: number, used: number) => {
      await setStoredUsage(id, used);
      await notifyUsage(database, [id]);
    };
    view.recordUsage(5, month, 12);
    await received(5, 11);
    await received(6, 1);
    await untilKnown(() => view.used(6, month) === 1);
    assert.equal(view.used(5, month), 12);
    // During a load the cache skips a tick.
    await untilKnown(() => {
      context.mock.timers.tick(400);
      return view.used(5, month) === 11;
    });
    await received(5, 13);
    await untilKnown(() => view.used(5, month) === 13);
  });

  test('is the same everywhere in the end, whichever process decided last', async () => {
    const views = [await openUsageCache(), await openUsageCache()];
    await untilListening(...views);
    for (let used = 1; used <= 60; used++) {
      await setStoredUsage(7, used);
      views[used % 2]?.recordUsage(7, month, used);
    }
    await setStoredUsage(8, 1);
    views[0]?.recordUsage(8, month, 1);
    await untilKnown(() => views.every((view) => view.used(7, month) === 60 && view.used(8, month) === 1));
  });

  test('of thousands of keys fits into payloads that PostgreSQL accepts', async () => {
    const payloads: string[] = [];
    const [up, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await sql`update key_usage set month = ${month}, used = 2147483000 + key_id % 600`.execute(database.kysely);
    await setStoredUsage(1, 7, month - 1);
    const received = () => payloads.flatMap((payload) => parseUsageNotification(payload));
    const listener = database.listen(USAGE_CHANNEL, {
      onListening: () => up.resolve(),
      onNotify: (payload) => {
        payloads.push(payload);
        if (received().length === 3_000) all.resolve();
      },
    });
    await up.promise;
    await notifyUsage(
      database,
      Array.from({ length: 3_000 }, (_, index) => index + 1),
    );
    await all.promise;
    await listener.close();
    const used = new Map(received().map((use) => [use.id, use.used]));
    assert.deepEqual([used.get(1), used.get(2), used.get(3_000)], [7, 2_147_483_002, 2_147_483_000]);
    assert.ok(payloads.every((payload) => payload.length < 8_000));
    assert.equal(payloads.length, 6, 'five of this month, as full as they can be, and one of the last');
  });

  test('starts at 0 in a new month, and the last month does not come back', async () => {
    const view = await openUsageCache();
    await setStoredUsage(5, 12);
    view.recordUsage(5, month, 12);
    view.recordUsage(6, month + 1, 1);
    assert.deepEqual([view.used(5, month + 1), view.used(6, month + 1)], [0, 1]);
    view.recordUsage(5, month, 13);
    assert.equal(view.used(5, month + 1), 0);
  });

  test('stays the same when the clock is set back over the end of a month, even after a restart', async () => {
    await setStoredUsage(1, 17);
    await setStoredUsage(2, 40, month + 1);
    const view = await openUsageCache();
    await untilKnown(() => view.used(1, month) === 17);
    assert.equal(view.used(2, month), 40, 'used while the clock was ahead');
    view.recordUsage(3, month + 1, 5);
    assert.deepEqual([view.used(1, month), view.used(3, month)], [17, 5], 'in a process that saw the month turn');
  });

  test('reaches the other processes once the database answers again', async () => {
    const there = await openUsageCache();
    const own = await openDatabase<Schema>({ databaseUrl: database.url, dataDir: '', log: silent });
    const here = new KeyUsageCache(own);
    open.push(own, here);
    await untilListening(here, there);
    const { connect } = own.pool;
    const refused = Promise.withResolvers<void>();
    own.pool.connect = (() => {
      refused.resolve();
      return Promise.reject(new Error('away'));
    }) as unknown as typeof connect;
    await setStoredUsage(11, 4);
    here.recordUsage(11, month, 4);
    await refused.promise;
    own.pool.connect = connect;
    await untilKnown(() => there.used(11, month) === 4);
  });

  test('is read again when the listening connection was lost', async () => {
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    open.push(proxy);
    const view = await openUsageCache(proxy.url);
    await untilListening(view);
    proxy.cut();
    await setStoredUsage(9, 40);
    await notifyUsage(database, [9]);
    view.recordUsage(10, month, 2);
    assert.deepEqual([view.used(3_000, month), view.used(10, month)], [2, 2], 'what is known stays');
    await setStoredUsage(10, 3);
    proxy.open();
    await untilKnown(() => view.used(9, month) === 40 && view.used(10, month) === 3);
  });
});
