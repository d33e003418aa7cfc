import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { DatabaseGate } from '../../../test/support/database-proxy.ts';
import { until } from '../../../test/support/embedded-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/test-database.ts';
import { openDatabase } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { KeyUsageView } from './key-usage-cache.ts';
import { readNews, tellUsage, USAGE_CHANNEL } from './key-usage-notifications.ts';

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

/** What a decision on allowances leaves in the table. */
async function decided(id: number, used: number, inMonth = month): Promise<void> {
  await sql`update key_usage set month = ${inMonth}, used = ${used} where key_id = ${id}`.execute(database.kysely);
}

/** The view of a process of its own. */
async function aView(url = database.url): Promise<KeyUsageView> {
  const own = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silent });
  const view = new KeyUsageView();
  open.push(own, view);
  view.attach(own);
  return view;
}

const becomes = (holds: () => boolean) => until('the count to be known', 20_000, holds);

/** Both views hear: what one tells, the other knows. */
async function hearing(...views: KeyUsageView[]): Promise<void> {
  await decided(3_000, 1);
  await until('all to hear', 20_000, async () => {
    await tellUsage(database.pool, [3_000]);
    return views.every((view) => view.used(3_000, month) === 1);
  });
}

describe('what a key has used', () => {
  test('is known from the start, of this month only', async () => {
    await decided(1, 17);
    await decided(2, 99, month - 1);
    const view = await aView();
    await becomes(() => view.used(1, month) === 17);
    assert.deepEqual([view.used(2, month), view.used(1, month + 1), view.used(777_777, month)], [0, 0, 0]);
  });

  test('is known at once where it was decided, and soon in every other process, given back or not', async () => {
    const [here, there] = [await aView(), await aView()];
    await hearing(here, there);
    await decided(5, 12);
    here.note(5, month, 12);
    assert.equal(here.used(5, month), 12);
    await becomes(() => there.used(5, month) === 12);
    await decided(5, 11);
    there.note(5, month, 11);
    await becomes(() => here.used(5, month) === 11);
  });

  test('is what its own process decided until that is told, whatever is heard meanwhile', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const view = await aView();
    await hearing(view);
    const heard = async (id: number, used: number) => {
      await decided(id, used);
      await tellUsage(database.pool, [id]);
    };
    view.note(5, month, 12);
    await heard(5, 11);
    await heard(6, 1);
    await becomes(() => view.used(6, month) === 1);
    assert.equal(view.used(5, month), 12);
    context.mock.timers.tick(400);
    await heard(5, 13);
    await becomes(() => view.used(5, month) === 13);
  });

  test('is the same everywhere in the end, whoever decided last', async () => {
    const views = [await aView(), await aView()];
    await hearing(...views);
    for (let used = 1; used <= 60; used++) {
      await decided(7, used);
      views[used % 2]?.note(7, month, used);
    }
    await decided(8, 1);
    views[0]?.note(8, month, 1);
    await becomes(() => views.every((view) => view.used(7, month) === 60 && view.used(8, month) === 1));
  });

  test('of thousands of keys fits into messages that PostgreSQL takes', async () => {
    const payloads: string[] = [];
    const [up, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await sql`update key_usage set month = ${month}, used = 2147483000 + key_id % 600`.execute(database.kysely);
    await decided(1, 7, month - 1);
    const heard = () => payloads.flatMap((payload) => readNews(payload));
    const listener = database.listen(USAGE_CHANNEL, {
      onUp: () => up.resolve(),
      onNotify: (payload) => {
        payloads.push(payload);
        if (heard().length === 3_000) all.resolve();
      },
    });
    await up.promise;
    await tellUsage(
      database.pool,
      Array.from({ length: 3_000 }, (_, index) => index + 1),
    );
    await all.promise;
    await listener.close();
    const used = new Map(heard().map((use) => [use.id, use.used]));
    assert.deepEqual([used.get(1), used.get(2), used.get(3_000)], [7, 2_147_483_002, 2_147_483_000]);
    assert.ok(payloads.every((payload) => payload.length < 8_000));
    assert.equal(payloads.length, 6, 'five of this month, as full as they can be, and one of the last');
  });

  test('begins at nothing with a new month; the last month does not come back', async () => {
    const view = await aView();
    await decided(5, 12);
    view.note(5, month, 12);
    view.note(6, month + 1, 1);
    assert.deepEqual([view.used(5, month + 1), view.used(6, month + 1)], [0, 1]);
    view.note(5, month, 13);
    assert.equal(view.used(5, month + 1), 0);
  });

  test('stays what it was when the clock is set back over the end of a month, also after a new start', async () => {
    await decided(1, 17);
    await decided(2, 40, month + 1);
    const view = await aView();
    await becomes(() => view.used(1, month) === 17);
    assert.equal(view.used(2, month), 40, 'used while the clock was ahead');
    view.note(3, month + 1, 5);
    assert.deepEqual([view.used(1, month), view.used(3, month)], [17, 5], 'in a process that saw the month turn');
  });

  test('reaches the others when the database answers again, if it did not at first', async () => {
    const there = await aView();
    const own = await openDatabase<Schema>({ databaseUrl: database.url, dataDir: '', log: silent });
    const here = new KeyUsageView();
    open.push(own, here);
    here.attach(own);
    await hearing(here, there);
    const { connect } = own.pool;
    const refused = Promise.withResolvers<void>();
    own.pool.connect = (() => {
      refused.resolve();
      return Promise.reject(new Error('away'));
    }) as unknown as typeof connect;
    await decided(11, 4);
    here.note(11, month, 4);
    await refused.promise;
    own.pool.connect = connect;
    await becomes(() => there.used(11, month) === 4);
  });

  test('is read anew when the connection that hears was lost', async () => {
    const gate = await DatabaseGate.before(database.url);
    open.push(gate);
    const view = await aView(gate.url);
    await hearing(view);
    gate.cut();
    await decided(9, 40);
    await tellUsage(database.pool, [9]);
    view.note(10, month, 2);
    assert.deepEqual([view.used(3_000, month), view.used(10, month)], [1, 2], 'what is known stays');
    await decided(10, 3);
    gate.open();
    await becomes(() => view.used(9, month) === 40 && view.used(10, month) === 3);
  });
});
