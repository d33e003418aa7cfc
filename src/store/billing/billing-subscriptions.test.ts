import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { PaidPlan } from '../../domain/billing/paid-plans.ts';
import { standing } from '../../domain/billing/standing.ts';
import type { FetchedSubscription } from '../../domain/billing/subscription.ts';
import type { MailContent, MailKind } from '../../domain/mail/mail-content.ts';
import { readKeyVersion } from '../keys/key-queries.ts';
import { storeFetch, storeMissing, subscriptionsOf, subscriptionsToCheck } from './billing-subscriptions.ts';
import { isStillNews } from './mail-relevance.ts';
import { type DueMail, deferMail, finishMail, queueMail, takeDueMail } from './mails.ts';
import { noteDispute, noteRefund } from './subscription-notes.ts';
import { type Declarant, withdraw } from './withdrawals.ts';

const DAY = 24 * 3_600_000;
const START = Date.parse('2026-11-22T10:00:00Z');
const TRIAL_END = START + 3 * DAY;

/** Of each kind of mail: whether it is sent although no subscription is as it says. */
const NEWS_WITHOUT_REASON: Readonly<Record<MailKind, boolean>> = {
  ...{ trial_ending: false, payment_failed: false, webhook_failing: false, webhook_stopped: false },
  ...{ key: true, cancelled: true, ended: true, withdrawn: true, usage: true, login: true, key_replaced: true },
  ...{
    free_key: true,
    free_key_confirmation: true,
    free_key_unused: true,
    new_address: true,
    address_changed: true,
  },
  account_deleted: true,
};

const ANA: Declarant = { name: 'Ana', email: 'ana@exemplu.ro', language: 'ro' };

let database: TestDatabase;
let accountId = 0;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await sql`truncate accounts, orders, billing_subscriptions, mails, api_keys, key_changes restart identity cascade`.execute(
    database.kysely,
  );
  const { id } = await database.kysely
    .insertInto('accounts')
    .values({ email: 'ana@exemplu.ro', language: 'ro', created_at: new Date(START) })
    .returning('id')
    .executeTakeFirstOrThrow();
  accountId = id;
  await database.kysely
    .insertInto('orders')
    .values({
      ...{ id: 'order-1', account_id: id, mailbox: 'ana@exemplu.ro', plan: 'pro', trial_days: 3, language: 'ro' },
      ...{ terms_version: '2026-11', consented_at: new Date(START), state: 'open' },
    })
    .execute();
});

const trialing = (change: Partial<FetchedSubscription> = {}): FetchedSubscription => ({
  ...{ status: 'trialing', plan: 'pro', trialEnd: TRIAL_END, periodEnd: TRIAL_END, cancelAt: null, fetchedAt: START },
  ...change,
});
const store = (change: Partial<FetchedSubscription> = {}, orderId: string | null = 'order-1') =>
  storeFetch(database, { id: 'sub_1', customer: 'cus_1', orderId, fetched: trialing(change) });
const keys = () =>
  database.kysely.selectFrom('api_keys').select(['id', 'plan', 'subscription', 'account_id']).execute();
const queued = async () => {
  const rows = await database.kysely.selectFrom('mails').select(['kind', 'occasion', 'due_at']).orderBy('id').execute();
  return rows.map(({ kind, occasion }) => `${kind} ${occasion}`);
};

/** The plan of each queued warning, and whether it is still true. */
const warnings = async (kind: MailKind) => {
  const rows = await database.kysely.selectFrom('mails').selectAll().where('kind', '=', kind).orderBy('id').execute();
  return Promise.all(
    rows.map(async ({ parameters, account_id }) => {
      const content = { kind, ...(parameters as object) } as Extract<MailContent, { plan: PaidPlan }>;
      return [content.plan, await isStillNews(database.kysely, { content, accountId: account_id } as DueMail)];
    }),
  );
};

describe('a fetched subscription', () => {
  test('makes its key and its mail once, however often and at once it is stored', async () => {
    const outcomes = await Promise.all([store(), store(), store({ fetchedAt: START + 1 })]);
    assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['stored']));
    assert.deepEqual(await keys(), [{ id: 1, plan: 'pro', subscription: 'sub_1', account_id: accountId }]);
    assert.deepEqual(await queued(), ['key sub_1', `trial_ending sub_1 ${TRIAL_END} pro`]);
    const order = await database.kysely.selectFrom('orders').select(['state']).executeTakeFirstOrThrow();
    assert.equal(order.state, 'done');
  });

  test('of an order that nobody made here changes nothing', async () => {
    assert.deepEqual(await store({}, null), { kind: 'unknown order' });
    assert.deepEqual(await store({}, 'order-2'), { kind: 'unknown order' });
    assert.deepEqual([await keys(), await queued()], [[], []]);
  });

  test('changes the plan of its key at once, and every process hears of it', async () => {
    await store();
    const version = await readKeyVersion(database, 1_000);
    await store({ plan: 'business', status: 'active', fetchedAt: START + DAY });
    assert.deepEqual(
      (await keys()).map(({ plan }) => plan),
      ['business'],
    );
    assert.equal(await readKeyVersion(database, 1_000), version + 1);
    await store({ plan: 'starter', fetchedAt: START });
    assert.deepEqual(
      (await keys()).map(({ plan }) => plan),
      ['business'],
      'an earlier fetch changes nothing',
    );
    assert.equal(await readKeyVersion(database, 1_000), version + 1);
  });

  test('that is to end only after the next charge says nothing of an end until that charge', async () => {
    const cancelAt = TRIAL_END + 60 * DAY;
    await store({ cancelAt });
    const [warning] = await warnings('trial_ending');
    assert.deepEqual(warning, ['pro', true]);
    await store({ status: 'active', cancelAt, periodEnd: TRIAL_END + 30 * DAY, fetchedAt: TRIAL_END + 1 });
    assert.deepEqual(await queued(), ['key sub_1', `trial_ending sub_1 ${TRIAL_END} pro`]);
    await store({ status: 'active', cancelAt, periodEnd: TRIAL_END + 61 * DAY, fetchedAt: TRIAL_END + 31 * DAY });
    assert.deepEqual((await queued()).slice(2), [`cancelled sub_1 ${cancelAt} ${TRIAL_END + 31 * DAY}`]);
  });

  test('tells the customer of a failed payment three times, of a cancellation and of the end once each', async () => {
    await store();
    const overdueAt = START + 4 * DAY;
    for (const fetchedAt of [overdueAt, overdueAt + DAY])
      await store({ status: 'past_due', periodEnd: START + 33 * DAY, fetchedAt });
    const cancelAt = START + 33 * DAY;
    for (const fetchedAt of [overdueAt + 2 * DAY, overdueAt + 3 * DAY])
      await store({ status: 'active', cancelAt, periodEnd: cancelAt, fetchedAt });
    for (const fetchedAt of [cancelAt, cancelAt + 1]) await store({ status: 'canceled', cancelAt, fetchedAt });
    assert.deepEqual((await queued()).slice(2), [
      ...[0, 3, 6].map((day) => `payment_failed sub_1 ${overdueAt} ${day}`),
      `cancelled sub_1 ${cancelAt} ${overdueAt + 2 * DAY}`,
      'ended sub_1',
    ]);
    const [stored] = await subscriptionsOf(database.kysely, accountId);
    assert.deepEqual([stored?.facts.status, stored?.facts.pastDueSince], ['canceled', null]);
  });

  test('that had ended before it was first seen makes no key, and only its end is told', async () => {
    assert.deepEqual(await store({ status: 'canceled' }), { kind: 'stored', keyId: null });
    assert.deepEqual([await keys(), await queued()], [[], ['ended sub_1']]);
    const order = await database.kysely.selectFrom('orders').select('state').executeTakeFirstOrThrow();
    assert.equal(order.state, 'done');
  });

  test('that was pruned after its end makes no key again', async () => {
    await store();
    await store({ status: 'canceled', fetchedAt: START + 1 });
    await sql`delete from billing_subscriptions`.execute(database.kysely);
    await sql`delete from api_keys`.execute(database.kysely);
    await sql`delete from mails`.execute(database.kysely);
    assert.deepEqual(await store({ status: 'canceled', fetchedAt: START + 2 }), { kind: 'stored', keyId: null });
    assert.deepEqual([await keys(), await queued()], [[], []]);
  });

  test('with the order of another one was not ordered here', async () => {
    await store();
    const copied = { id: 'sub_2', customer: 'cus_2', orderId: 'order-1', fetched: trialing() };
    assert.deepEqual(await storeFetch(database, copied), { kind: 'unknown order' });
    assert.equal((await keys()).length, 1);
  });

  test('whose trial was extended has its first charge announced for the new day', async () => {
    await store();
    const trialEnd = TRIAL_END + 7 * DAY;
    await store({ trialEnd, periodEnd: trialEnd, fetchedAt: START + 1 });
    assert.deepEqual((await queued()).slice(1), [
      `trial_ending sub_1 ${TRIAL_END} pro`,
      `trial_ending sub_1 ${trialEnd} pro`,
    ]);
  });

  test('whose plan changes in the trial has its first charge announced as it will be', async () => {
    await store();
    await store({ plan: 'business', fetchedAt: START + 1 });
    assert.deepEqual(await warnings('trial_ending'), [
      ['pro', false],
      ['business', true],
    ]);
  });

  test('whose payment failed is warned of while that is so, and of the end of that grace only', async () => {
    await store();
    const news = async () => (await warnings('payment_failed')).map(([, isNews]) => isNews);
    const overdue = { status: 'past_due', periodEnd: START + 33 * DAY };
    await store({ ...overdue, fetchedAt: START + 4 * DAY });
    assert.deepEqual(await news(), [true, true, true]);
    await store({ ...overdue, status: 'active', fetchedAt: START + 5 * DAY });
    assert.deepEqual(await news(), [false, false, false]);
    await store({ ...overdue, fetchedAt: START + 6 * DAY });
    assert.deepEqual(await news(), [false, false, false, true, true, true]);
    await store({ status: 'canceled', fetchedAt: START + 7 * DAY });
    assert.deepEqual(await news(), Array(6).fill(false));
  });

  test('that is cancelled while a payment is overdue is told when its key closes, and after the payment when it ends', async () => {
    await store();
    const periodEnd = START + 33 * DAY;
    const fetchedAt = START + 4 * DAY;
    await store({ status: 'past_due', periodEnd, fetchedAt });
    await store({ status: 'past_due', periodEnd, cancelAt: periodEnd, fetchedAt: fetchedAt + 1 });
    await store({ status: 'past_due', periodEnd, cancelAt: periodEnd, fetchedAt: fetchedAt + 2 });
    await store({ status: 'active', periodEnd, cancelAt: periodEnd, fetchedAt: fetchedAt + 3 });
    const mails = await database.kysely
      .selectFrom('mails')
      .select('parameters')
      .where('kind', '=', 'cancelled')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      mails.map(({ parameters }) => parameters),
      [
        { plan: 'pro', endsAt: periodEnd, closesAt: fetchedAt + 7 * DAY },
        { plan: 'pro', endsAt: periodEnd, closesAt: null },
      ],
    );
  });

  test('is told of each cancellation, also of one after another was taken back, and once of each', async () => {
    await store();
    for (const [n, cancelAt] of [TRIAL_END, null, TRIAL_END, TRIAL_END].entries())
      await store({ cancelAt, fetchedAt: START + n + 1 });
    const kinds = (await queued()).map((each) => each.split(' ')[0]);
    assert.equal(kinds.filter((kind) => kind === 'cancelled').length, 2);
  });

  test('says with its key what is charged when', async () => {
    const terms: [change: Partial<FetchedSubscription>, term: object][] = [
      [{}, { kind: 'trial', until: TRIAL_END }],
      [
        { status: 'active', trialEnd: null, periodEnd: START + 30 * DAY },
        { kind: 'paid', until: START + 30 * DAY },
      ],
      [{ cancelAt: TRIAL_END + DAY }, { kind: 'trial', until: TRIAL_END }],
      [{ cancelAt: TRIAL_END }, { kind: 'ending', until: TRIAL_END }],
    ];
    for (const [change, term] of terms) {
      await sql`truncate billing_subscriptions, mails, api_keys cascade`.execute(database.kysely);
      await sql`update orders set state = 'open'`.execute(database.kysely);
      await store(change);
      const { parameters } = await database.kysely
        .selectFrom('mails')
        .select('parameters')
        .where('kind', '=', 'key')
        .executeTakeFirstOrThrow();
      assert.deepEqual((parameters as { term: object }).term, term);
    }
  });

  test('that changes nothing of the verdict is told to no cache of keys', async () => {
    await store();
    const version = await readKeyVersion(database, 1_000);
    await store({ fetchedAt: START + 1 });
    assert.equal(await readKeyVersion(database, 1_000), version);
    await store({ status: 'past_due', fetchedAt: START + 2 });
    assert.equal(await readKeyVersion(database, 1_000), version + 1);
  });

  test('that Stripe does not find stays open and as it is, and the operator is told', async () => {
    await store({ status: 'active' });
    assert.deepEqual(await storeMissing(database, 'sub_1'), { kind: 'stored', keyId: 1 });
    const facts = async () => (await subscriptionsOf(database.kysely, accountId))[0]?.facts;
    assert.deepEqual([(await facts())?.status, (await facts())?.unrecognized], ['active', 'not found at Stripe']);
    await store({ status: 'active', fetchedAt: START + 1 });
    assert.equal((await facts())?.unrecognized, null);
    assert.deepEqual(await storeMissing(database, 'sub_9'), { kind: 'unknown order' });
  });

  test('closes its key while any dispute stands, whichever look is stored last, and every process hears of it', async () => {
    await store();
    const disputed = async () => (await subscriptionsOf(database.kysely, accountId))[0]?.facts.disputedAt !== null;
    const version = await readKeyVersion(database, 1_000);
    const looks: [dispute: string, isWon: boolean, isClosed: boolean][] = [
      ['dp_1', false, true],
      ['dp_2', false, true],
      ['dp_1', true, true],
      ['dp_1', false, true],
      ['dp_2', true, false],
      ['dp_1', false, false],
      ['dp_3', true, false],
    ];
    for (const [dispute, isWon, isClosed] of looks) {
      await noteDispute(database, 'sub_1', dispute, isWon);
      assert.equal(await disputed(), isClosed, `${dispute} ${isWon}`);
    }
    assert.equal(await readKeyVersion(database, 1_000), version + looks.length);
  });

  test('is looked at when its time is up, however many there are whose time is not', async () => {
    for (let n = 0; n < 3; n += 1) {
      await sql`insert into orders (id, account_id, mailbox, plan, trial_days, language, terms_version, consented_at, state)
        values (${`order of ${n}`}, ${accountId}, 'x', 'pro', 3, 'ro', '1', now(), 'expired')`.execute(database.kysely);
      const fetched = trialing({ status: 'active', periodEnd: TRIAL_END + 30 * DAY, fetchedAt: TRIAL_END + n });
      await storeFetch(database, { id: `sub_a${n}`, customer: 'cus_1', orderId: `order of ${n}`, fetched });
    }
    await store({ status: 'active', periodEnd: TRIAL_END + 2 * DAY, fetchedAt: TRIAL_END + DAY });
    assert.deepEqual(await subscriptionsToCheck(database.kysely, TRIAL_END + 3 * DAY, 2), ['sub_1']);
    await storeMissing(database, 'sub_1');
    assert.deepEqual(await subscriptionsToCheck(database.kysely, TRIAL_END + 3 * DAY, 2), []);
  });

  test('closes its key once it is withdrawn from, and every process hears of it', async () => {
    await store();
    const version = await readKeyVersion(database, 1_000);
    assert.equal(await withdraw(database, 'sub_1', ANA), true);
    const [stored] = await subscriptionsOf(database.kysely, accountId);
    assert.deepEqual(stored && standing(stored.facts, START), { isOpen: false, reason: 'withdrawn' });
    assert.equal(await readKeyVersion(database, 1_000), version + 1);
    assert.equal(await withdraw(database, 'sub_2', ANA), false);
  });

  test('has its withdrawal acknowledged to whoever declares it, and to the account where that has another address', async () => {
    const acknowledged = async () => {
      const mails = await database.kysely
        .selectFrom('mails')
        .select('recipient')
        .where('kind', '=', 'withdrawn')
        .execute();
      return mails.map(({ recipient }) => recipient);
    };
    await store();
    await withdraw(database, 'sub_1', { ...ANA, email: 'ANA@exemplu.ro' });
    assert.deepEqual(await acknowledged(), ['ana@exemplu.ro']);
    await sql`delete from mails`.execute(database.kysely);
    await withdraw(database, 'sub_1', { ...ANA, email: 'former@exemplu.ro' });
    assert.deepEqual(await acknowledged(), ['ana@exemplu.ro', 'former@exemplu.ro']);
  });

  test('has a dispute, a withdrawal and a refund noted beside it, which no fetch removes', async () => {
    await store();
    assert.equal(await noteDispute(database, 'sub_1', 'dp_1', false), true);
    assert.equal(await withdraw(database, 'sub_1', ANA), true);
    assert.equal(await noteRefund(database.kysely, 'sub_1'), true);
    assert.equal(await noteDispute(database, 'sub_2', 'dp_1', false), false);
    const facts = async () => (await subscriptionsOf(database.kysely, accountId))[0]?.facts;
    const { disputedAt = null, withdrawnAt = null } = (await facts()) ?? {};
    assert.ok(disputedAt !== null && withdrawnAt !== null);
    await noteDispute(database, 'sub_1', 'dp_1', false);
    await store({ status: 'active', fetchedAt: START + DAY });
    assert.deepEqual([(await facts())?.disputedAt, (await facts())?.withdrawnAt], [disputedAt, withdrawnAt]);
    await noteDispute(database, 'sub_1', 'dp_1', true);
    assert.equal((await facts())?.disputedAt, null);
  });
});

describe('a queued mail', () => {
  const mailTo = () => ({ accountId, language: 'ro' as const });
  const ended = { kind: 'ended', plan: 'pro' } as const;

  test('is taken by one process, oldest first, and not before it is due', async () => {
    await queueMail(database.kysely, mailTo(), ended, { occasion: 'a' });
    await queueMail(database.kysely, mailTo(), ended, { occasion: 'b' });
    await queueMail(database.kysely, mailTo(), ended, { occasion: 'c', dueAt: Date.now() + DAY });
    const [one, other] = await Promise.all([takeDueMail(database.kysely), takeDueMail(database.kysely)]);
    assert.deepEqual([one?.id, other?.id].sort(), [1, 2]);
    for (const { recipient, content, tries } of [one, other] as DueMail[])
      assert.deepEqual({ recipient, content, tries }, { recipient: 'ana@exemplu.ro', content: ended, tries: 0 });
    assert.equal(await takeDueMail(database.kysely), null);
  });

  test('whose process died while it sent it is taken by another after two minutes', async () => {
    await queueMail(database.kysely, mailTo(), ended, { occasion: 'a' });
    const first = await takeDueMail(database.kysely);
    assert.ok(first);
    const age = (seconds: number) =>
      sql`update mails set due_at = due_at - ${seconds} * interval '1 second'`.execute(database.kysely);
    await age(100);
    assert.equal(await takeDueMail(database.kysely), null);
    await age(20);
    assert.deepEqual(await takeDueMail(database.kysely), { ...first, tries: 1 });
  });

  test('is no news where its reason has gone, if it is a warning; all others are', async () => {
    await store({ status: 'active' });
    for (const [kind, isNews] of Object.entries(NEWS_WITHOUT_REASON)) {
      const mail = { content: { kind }, accountId } as DueMail;
      assert.equal(await isStillNews(database.kysely, mail), isNews, kind);
    }
  });

  test('about usage is no news to whoever declined it while it waited, or has no account any more', async () => {
    const isNews = (owner: number | null) =>
      isStillNews(database.kysely, { content: { kind: 'usage' }, accountId: owner } as DueMail);
    assert.deepEqual([await isNews(accountId), await isNews(null)], [true, false]);
    await database.kysely.updateTable('accounts').set({ usage_mails: false }).execute();
    assert.equal(await isNews(accountId), false);
  });

  test('comes again after a failure, and never after its end', async () => {
    await queueMail(database.kysely, mailTo(), ended, { occasion: 'a' });
    const first = await takeDueMail(database.kysely);
    assert.ok(first);
    await deferMail(database.kysely, first.id, 0, 'it answered 451');
    const second = await takeDueMail(database.kysely);
    assert.deepEqual([second?.id, second?.tries], [first.id, 1]);
    await finishMail(database.kysely, first, 'sent');
    await deferMail(database.kysely, first.id, 0, 'late');
    assert.equal(await takeDueMail(database.kysely), null);
  });

  test('that the relay refuses is told to its account, until another arrives', async () => {
    const refusedAt = async () =>
      (await database.kysely.selectFrom('accounts').select('mail_refused_at').executeTakeFirstOrThrow())
        .mail_refused_at;
    const { email: recipient } = await database.kysely.selectFrom('accounts').select('email').executeTakeFirstOrThrow();
    await finishMail(database.kysely, { id: 0, accountId, recipient }, 'refused', 'it answered 550');
    assert.notEqual(await refusedAt(), null);
    await finishMail(database.kysely, { id: 0, accountId, recipient }, 'sent');
    assert.equal(await refusedAt(), null);
  });

  test('that is refused after its account got another address is sent there', async () => {
    await queueMail(database.kysely, mailTo(), ended, { occasion: 'a' });
    const mail = await takeDueMail(database.kysely);
    assert.ok(mail);
    await database.kysely.updateTable('accounts').set({ email: 'noua@exemplu.ro' }).execute();
    await finishMail(database.kysely, mail, 'refused', 'no such mailbox');
    const again = await takeDueMail(database.kysely);
    assert.deepEqual([again?.id, again?.recipient], [mail.id, 'noua@exemplu.ro']);
    const account = await database.kysely.selectFrom('accounts').select('mail_refused_at').executeTakeFirst();
    assert.equal(account?.mail_refused_at, null);
  });
});
