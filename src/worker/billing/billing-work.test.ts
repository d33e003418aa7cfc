import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, anOrder, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { StripeClient } from '../../clients/stripe.ts';
import { queueMailTo } from '../../store/billing/mails.ts';
import { withdraw } from '../../store/billing/withdrawals.ts';
import { createBillingWork } from './billing-work.ts';

const signal = new AbortController().signal;
const DAY = 24 * 3_600_000;
const log = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

/** The work of one of several processes, and what it asked of Stripe and the relay; `null` = plans are not sold. */
function workOf(holder: string, answers: Partial<StripeClient> | null = {}) {
  const asked: string[] = [];
  const empty = (name: string) => async () => {
    asked.push(name);
    return { items: [], next: null };
  };
  const stripe = { listUndelivered: empty('undelivered'), listSubscriptions: empty('all'), ...answers };
  const work = createBillingWork({
    holder,
    stripe: answers && { database, stripe: stripe as unknown as StripeClient, whyFailed: String, log },
    mail: {
      ...{ database, log, clock: Date.now },
      mailer: {
        send: async ({ subject }) => {
          asked.push(subject);
          return { kind: 'accepted' };
        },
        verify: async () => null,
        close: () => void asked.push('closed'),
      },
      write: ({ kind }) => ({ subject: kind, text: '-', html: '-', headers: {} }),
    },
  });
  return { work, asked };
}

test('of several processes one does what is done once a period, and each mail goes out once', async () => {
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  const [one, other] = [workOf('one'), workOf('other')];
  for (let times = 0; times < 2; times += 1)
    for (const { work } of [one, other]) {
      await work.sync(signal);
      await work.sendMails(signal);
    }
  assert.deepEqual([...one.asked, ...other.asked].sort(), ['all', 'key', 'undelivered']);
  one.work.close();
  assert.ok(one.asked.includes('closed'));
});

test('what failed is done again at once, not a period later', async () => {
  await sql`delete from leases`.execute(database.kysely);
  let calls = 0;
  const { work } = workOf('one', {
    listUndelivered: async () => {
      calls += 1;
      if (calls === 1) throw new Error('Stripe is away');
      return { items: [], next: null };
    },
  });
  await assert.rejects(work.sync(signal), { message: 'Stripe is away' });
  for (let times = 0; times < 2; times += 1) await work.sync(signal);
  assert.equal(calls, 2);
});

test('looks at what is overdue, open for long, or withdrawn from, whether Stripe has told of it or not', async () => {
  await sql`delete from leases`.execute(database.kysely);
  await aSubscribedKey(database, 'sub_2', aFetch(Date.now() - 4 * DAY));
  await aSubscribedKey(database, 'sub_3', aFetch(Date.now()));
  await withdraw(database, 'sub_3', { name: 'Ana', email: 'sub_3@exemplu.ro', language: 'ro' });
  await anOrder(database, 'order 4', 'ana@exemplu.ro');
  const consented_at = new Date(Date.now() - DAY / 2);
  await database.kysely
    .updateTable('orders')
    .set({ session: 'cs_4', consented_at })
    .where('id', '=', 'order 4')
    .execute();
  const asked: string[] = [];
  const { work } = workOf('one', {
    fetchSubscription: async (id) => {
      asked.push(id);
      return { id, customer: `cus ${id}`, orderId: null, fetched: aFetch(Date.now(), { status: 'active' }) };
    },
    findCheckout: async (id) => {
      asked.push(id);
      return { id, url: null, status: 'open', orderId: null, subscription: null };
    },
    cancelNow: async (id) => asked.push(`cancel ${id}`) > 0,
  });
  await work.sync(signal);
  assert.deepEqual(asked.sort(), ['cancel sub_3', 'cs_4', 'sub_2', 'sub_3']);
});

test('what was stopped halfway is done again at once', async () => {
  await sql`delete from leases`.execute(database.kysely);
  const stop = new AbortController();
  const { work, asked } = workOf('one', {
    listUndelivered: async () => {
      stop.abort();
      return { items: [], next: null };
    },
  });
  await assert.rejects(work.sync(stop.signal));
  await workOf('other', { listUndelivered: async () => ({ items: [], next: null }) }).work.sync(signal);
  const { rows } = await sql<{ holder: string }>`select holder from leases where name = 'billing events'`.execute(
    database.kysely,
  );
  assert.deepEqual([rows[0]?.holder, asked], ['other', []]);
});

test('where plans are not sold, Stripe is not asked, and mails go out', async () => {
  await sql`truncate mails`.execute(database.kysely);
  await sql`delete from leases`.execute(database.kysely);
  await queueMailTo(
    database.kysely,
    { recipient: 'ana@exemplu.ro', language: 'ro' },
    { kind: 'account_deleted', at: 0, isFormer: false },
    'ana',
  );
  const { work, asked } = workOf('one', null);
  await work.sync(signal);
  await work.sendMails(signal);
  assert.deepEqual(asked, ['account_deleted']);
});
