import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { StripeClient } from '../../clients/stripe.ts';
import { queueMailTo } from '../../store/billing/mails.ts';
import { createBillingWork } from './billing-work.ts';

const signal = new AbortController().signal;
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
