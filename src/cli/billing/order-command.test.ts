import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { assertRefused, runCommand } from '../../../test/support/run-command.ts';
import { CommandError, UsageError } from '../../app/command.ts';
import { isoInstant } from '../../domain/days.ts';
import { readBillingStatus } from '../../store/billing/billing-status.ts';
import { deleteAccount } from '../../store/billing/erase-accounts.ts';
import { finishMail, takeDueMail } from '../../store/billing/mails.ts';
import { noteDispute } from '../../store/billing/subscription-notes.ts';
import { finishEvents, storeEvent } from '../../store/billing/webhook-inbox.ts';
import { withdraw } from '../../store/billing/withdrawals.ts';
import { keysCommand } from '../keys.ts';
import { mailsCommand } from './mail-command.ts';
import { ordersCommand } from './order-command.ts';

/** Later than every event, µs. */
const FAR_US = Date.UTC(2100, 0, 1) * 1_000;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await database.pool.query('truncate accounts, orders, mails, webhook_events, api_keys restart identity cascade');
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
});

const orders = (line: string) => runCommand(ordersCommand, line, { DATABASE_URL: database.url });
const mails = (line: string) => runCommand(mailsCommand, line, { DATABASE_URL: database.url });
const keys = (line: string) => runCommand(keysCommand, line, { DATABASE_URL: database.url });
const objects = ({ out }: { out: string[] }) => out.map((line) => JSON.parse(line) as Record<string, unknown>);

/** The one of the customer, as `show` has it. */
async function subscription(): Promise<Record<string, unknown>> {
  const [customer = {}] = objects(await orders('show sub_1@exemplu.ro --json'));
  const [only] = customer.subscriptions as Record<string, unknown>[];
  assert.ok(only);
  return only;
}

describe('pompa orders', () => {
  test('list shows orders with what became of them', async () => {
    const { out } = await orders('list');
    assert.match(out.join('\n'), /^order order of sub_1: done, pro, 3 days of trial, sub_1@exemplu\.ro, .*, sub_1$/);
    const [object] = objects(await orders('list --json'));
    assert.deepEqual(Object.keys(object ?? {}), [
      ...['id', 'email', 'plan', 'state', 'trial_days', 'consented', 'ended', 'session', 'subscription'],
      ...['withdrawn', 'refunded'],
    ]);
  });

  test('show tells all of a customer: the verdict on the key and why, events and mails', async () => {
    await storeEvent(database.kysely, { id: 'evt_1', type: 'customer.subscription.updated', object: 'sub_1' });
    await storeEvent(database.kysely, { id: 'evt_2', type: 'invoice.paid', object: 'in_1' });
    await finishEvents(database.kysely, { object: 'in_1', takenAtUs: FAR_US }, 'sub_1');
    const { out } = await orders('show SUB_1@exemplu.ro');
    const text = out.join('\n');
    assert.match(text, /^account 1: sub_1@exemplu\.ro, since /);
    assert.match(
      text,
      /subscription sub_1 of cus sub_1: pro, trialing; key 1 is served \(trial since \d{4}-\S+\) until \d{4}-/,
    );
    assert.match(text, /event evt_1: customer\.subscription\.updated of sub_1, .*, NOT DONE after 0 tries/);
    assert.match(text, /event evt_2: invoice\.paid of in_1, .*, done/);
    assert.match(text, /mail 1: key to sub_1@exemplu\.ro, waiting, due .*, tried 0 times/);
    await noteDispute(database, 'sub_1', 'dp_1', false);
    const { open, reason, until } = await subscription();
    assert.deepEqual([open, reason, until], [false, 'disputed', null]);
    await assertRefused(
      orders('show bob@exemplu.ro'),
      CommandError,
      /^nobody with this e-mail address has an account$/,
    );
  });

  test('refunded notes a refund, and refuses what it does not know', async () => {
    await orders('refunded sub_1');
    assert.match(String(objects(await orders('list --json'))[0]?.refunded), /^\d{4}-/);
    await assertRefused(
      orders('refunded sub_2'),
      CommandError,
      /^there is no order or subscription sub_2; orders list/,
    );
  });

  test('a refund is owed to whoever withdrew after a charge, also once the account is deleted, until it is noted', async () => {
    const owed = async () => (await readBillingStatus(database)).unrefunded;
    const kysely = database.kysely;
    await withdraw(database, 'sub_1', { name: 'Ana', email: 'sub_1@exemplu.ro', language: 'ro' });
    assert.deepEqual(await owed(), [], 'nothing was charged in the trial');
    const trialEnd = new Date(Date.now() - 3_600_000);
    await kysely.updateTable('billing_subscriptions').set({ trial_end: trialEnd }).execute();
    await kysely
      .updateTable('orders')
      .set({ consented_at: new Date(Date.now() - 4 * 86_400_000) })
      .execute();
    assert.deepEqual(await owed(), ['order of sub_1']);
    await deleteAccount(database, { accountId: 1, email: 'sub_1@exemplu.ro', ended: ['sub_1'] }, { withinMs: 1_000 });
    assert.deepEqual(await owed(), ['order of sub_1']);
    assert.match((await orders('list')).out.join(), /account deleted, [^,]*, withdrawn \d{4}-/);
    await orders('refunded "order of sub_1"');
    assert.deepEqual(await owed(), []);
  });

  test('nothing is owed to whoever deleted a paid account without a withdrawal', async () => {
    await database.kysely
      .updateTable('orders')
      .set({ consented_at: new Date(Date.now() - 40 * 86_400_000) })
      .execute();
    await deleteAccount(database, { accountId: 1, email: 'sub_1@exemplu.ro', ended: ['sub_1'] }, { withinMs: 1_000 });
    assert.deepEqual((await readBillingStatus(database)).unrefunded, []);
  });

  test('nothing is owed to whoever withdrew after a deletion in the trial', async () => {
    await deleteAccount(database, { accountId: 1, email: 'sub_1@exemplu.ro', ended: ['sub_1'] }, { withinMs: 1_000 });
    await database.kysely
      .updateTable('orders')
      .set({ withdrawn_at: new Date(Date.now() + 5 * 86_400_000) })
      .execute();
    assert.deepEqual((await readBillingStatus(database)).unrefunded, []);
  });

  test('address corrects one that does not work, and sends the key that did not arrive', async () => {
    const mail = await takeDueMail(database.kysely);
    assert.ok(mail);
    await finishMail(database.kysely, mail, 'refused', 'no such mailbox');
    assert.deepEqual((await readBillingStatus(database)).keyMailsNotArrived, [1]);
    const { out } = await orders('address sub_1@exemplu.ro ana@exemplu.ro');
    assert.match(
      out.join('\n'),
      /keys that are sent again: 1\nchange the e-mail of cus sub_1 in Stripe’s Dashboard, too:/,
    );
    const mailbox = await database.kysely.selectFrom('orders').select('mailbox').executeTakeFirst();
    assert.equal(mailbox?.mailbox, 'ana@exemplu.ro', 'by which one withdraws');
    assert.deepEqual((await readBillingStatus(database)).keyMailsNotArrived, []);
    const again = await takeDueMail(database.kysely);
    assert.deepEqual([again?.id, again?.recipient, again?.tries], [1, 'ana@exemplu.ro', 0]);
    const [customer] = objects(await orders('show ana@exemplu.ro --json'));
    assert.deepEqual([customer?.email, customer?.mail_refused], ['ana@exemplu.ro', null]);
    await aSubscribedKey(database, 'sub_2', aFetch(Date.now()));
    const refused = (line: string, why: RegExp) => assertRefused(orders(`address ${line}`), CommandError, why);
    await refused('sub_2@exemplu.ro ANA@exemplu.ro', /^the new address belongs to another account$/);
    await refused('ana@exemplu.ro ana@exemplu.ro', /^the account has this address already$/);
    await refused('bob@exemplu.ro bo@exemplu.ro', /^nobody with this e-mail address/);
    await assertRefused(orders('address ana@exemplu.ro ana'), UsageError, /^NEW_EMAIL must be an e-mail address/);
  });

  test('sync and close say what is missing where nothing is sold', async () => {
    for (const line of ['sync sub_1', 'close sub_1'])
      await assertRefused(orders(line), CommandError, /^nothing is sold here: STRIPE_SECRET_KEY and SMTP_URL are not/);
  });
});

describe('pompa mails', () => {
  test('list shows mails without what they say, resend makes one due again', async () => {
    const mail = await takeDueMail(database.kysely);
    assert.ok(mail);
    await finishMail(database.kysely, mail, 'refused', 'no such mailbox');
    const { out } = await mails('list');
    assert.match(out.join('\n'), /mail 1: key to sub_1@exemplu\.ro, refused, made .*: no such mailbox$/);
    const waiting = async () => objects(await mails('list --waiting --json')).map(({ kind }) => kind);
    assert.deepEqual(await waiting(), ['trial_ending']);
    await mails('resend 1');
    assert.deepEqual(await waiting(), ['trial_ending', 'key']);
    await database.kysely.updateTable('mails').set({ recipient: null, state: 'sent' }).where('id', '=', 1).execute();
    await mails('resend 1');
    const again = await takeDueMail(database.kysely);
    assert.deepEqual([again?.id, again?.recipient], [1, 'sub_1@exemplu.ro'], 'to the account, once it was forgotten');
    await assertRefused(mails('resend 9'), CommandError, /^there is no mail 9; mails list shows/);
    await assertRefused(mails('resend x'), UsageError, /^ID must be the number of a mail/);
  });
});

test('pompa keys show tells all of the customer of a key, and of one without an account the key alone', async () => {
  const { out } = await keys('show 1');
  assert.match(
    out.join('\n'),
    /^key 1 …\w{4}: pro[^\n]*\naccount 1: sub_1@exemplu\.ro[\s\S]*trial since[\s\S]*\n {2}mail 1: key/,
  );
  await noteDispute(database, 'sub_1', 'dp_1', false);
  const { disputed_at } = await database.kysely
    .selectFrom('billing_subscriptions')
    .selectAll()
    .executeTakeFirstOrThrow();
  const [, customer = {}] = objects(await keys('show 1 --json'));
  const [only] = customer.subscriptions as Record<string, unknown>[];
  assert.deepEqual([only?.reason, only?.since], ['disputed', isoInstant(disputed_at as number)]);
  await keys('create --plan dedicat --quota 5');
  assert.equal((await keys('show 2')).out.length, 1);
  await assertRefused(keys('show 9'), CommandError, /^there is no key 9/);
});

test('pompa keys list tells whether the key of a subscription is served, and why', async () => {
  const standing = async () => objects(await keys('list --json'))[0]?.standing as Record<string, unknown>;
  assert.deepEqual([(await standing()).open, (await standing()).reason], [true, 'trial']);
  await noteDispute(database, 'sub_1', 'dp_1', false);
  assert.deepEqual(await standing(), { open: false, reason: 'disputed', until: null });
  assert.match((await keys('list')).out.join(), /, sub_1@exemplu\.ro, sub_1, .*, CLOSED: disputed$/);
});
