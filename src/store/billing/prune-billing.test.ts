import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, anOrder, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { Schema } from '../connection/schema.ts';
import { storeFetch } from './billing-subscriptions.ts';
import { finishMail, queueMail, takeDueMail } from './mails.ts';
import { pruneBilling } from './prune-billing.ts';
import { finishEvents, storeEvent } from './webhook-inbox.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate accounts, orders, webhook_events, mails, logins, api_keys restart identity cascade`.execute(
    database.kysely,
  );
});

/** Lets all instants of some columns lie further back. */
async function age(table: keyof Schema, days: number, ...columns: string[]): Promise<void> {
  const sets = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${days} * interval '1 day'`);
  await sql`update ${sql.table(table)} set ${sql.join(sets)}`.execute(database.kysely);
}

const count = async (table: keyof Schema) =>
  Number((await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(database.kysely)).rows[0]?.n);

describe('what selling needs no longer', () => {
  test('of an event goes when it cannot come again, but not before it is done', async () => {
    for (const id of ['evt_1', 'evt_2'])
      await storeEvent(database.kysely, { id, type: 'customer.updated', object: id });
    await finishEvents(database.kysely, { object: 'evt_1', takenAtUs: (Date.now() + 60_000) * 1_000 }, null);
    assert.equal(await pruneBilling(database), 0);
    await age('webhook_events', 36, 'received_at');
    assert.deepEqual([await pruneBilling(database), await count('webhook_events')], [1, 1]);
  });

  test('of a mail is first its recipient, then the mail', async () => {
    const accountId = await anOrder(database, 'order 1');
    await queueMail(database.kysely, { accountId, language: 'ro' }, { kind: 'ended', plan: 'pro' }, { occasion: 'a' });
    const mail = await takeDueMail(database.kysely);
    assert.ok(mail);
    await finishMail(database.kysely, mail, 'sent');
    const recipients = async () =>
      (await database.kysely.selectFrom('mails').select('recipient').execute()).map(({ recipient }) => recipient);
    await pruneBilling(database);
    assert.deepEqual(await recipients(), ['ana@exemplu.ro']);
    await age('mails', 8, 'ended_at');
    await pruneBilling(database);
    assert.deepEqual(await recipients(), [null]);
    await age('mails', 25, 'ended_at');
    await pruneBilling(database);
    assert.deepEqual(await recipients(), []);
  });

  test('of an order that came to nothing goes after a week, with an account of which nothing else is left', async () => {
    await anOrder(database, 'order 1');
    await age('accounts', 8, 'created_at');
    await pruneBilling(database);
    assert.deepEqual([await count('orders'), await count('accounts')], [1, 1], 'its checkout may be under way');
    await age('orders', 8, 'consented_at');
    await pruneBilling(database);
    assert.deepEqual([await count('orders'), await count('accounts')], [0, 0]);
  });

  test('of an order is first the network that it came from, after an hour', async () => {
    await anOrder(database, 'order 1');
    const networkAfter = async (minutes: number) => {
      await sql`update orders set network = '\\x01', consented_at = clock_timestamp() - ${minutes} * interval '1 minute'`.execute(
        database.kysely,
      );
      await pruneBilling(database);
      return (await database.kysely.selectFrom('orders').select('network').executeTakeFirstOrThrow()).network;
    };
    assert.deepEqual([await networkAfter(59), await networkAfter(61)], [Buffer.from([1]), null]);
  });

  test('of an account stays while a mail to it waits', async () => {
    const accountId = await anOrder(database, 'order 1');
    await queueMail(database.kysely, { accountId, language: 'ro' }, { kind: 'ended', plan: 'pro' }, { occasion: 'a' });
    await age('orders', 8, 'consented_at');
    await age('accounts', 8, 'created_at');
    await pruneBilling(database);
    assert.equal(await count('accounts'), 1);
  });

  test('of a mail that goes out once a month is remembered for longer than that', async () => {
    const accountId = await anOrder(database, 'order 1');
    await queueMail(database.kysely, { accountId, language: 'ro' }, { kind: 'ended', plan: 'pro' }, { occasion: 'a' });
    await finishMail(database.kysely, { id: 1, accountId, recipient: 'ana@exemplu.ro' }, 'sent');
    await age('mails', 31, 'ended_at');
    await pruneBilling(database);
    assert.equal(await count('mails'), 1);
  });

  test('of a subscription goes three months after its end, the order three years after that', async () => {
    const now = Date.now();
    await aSubscribedKey(database, 'sub_1', aFetch(now));
    const ended = aFetch(now, { status: 'canceled', fetchedAt: now + 1 });
    await storeFetch(database, { id: 'sub_1', customer: 'cus sub_1', orderId: 'order of sub_1', fetched: ended });
    await aSubscribedKey(database, 'sub_2', aFetch(Date.now()));
    await age('billing_subscriptions', 91, 'fetched_at');
    await age('accounts', 91, 'created_at');
    await sql`delete from mails`.execute(database.kysely);
    await pruneBilling(database);
    const left = [await count('billing_subscriptions'), await count('api_keys'), await count('accounts')];
    assert.deepEqual([...left, await count('orders')], [1, 1, 1, 2]);
    await age('orders', 3 * 366, 'consented_at');
    await pruneBilling(database);
    assert.equal(await count('orders'), 2, 'three years are counted from the end of the contract');
    await age('orders', 3 * 366, 'ended_at');
    await pruneBilling(database);
    assert.deepEqual(
      await database.kysely.selectFrom('orders').select('id').execute(),
      [{ id: 'order of sub_2' }],
      'the consent to a running subscription stays',
    );
  });
});
