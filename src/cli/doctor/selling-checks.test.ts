import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { testDatabase } from '../../../test/support/database/test-database.ts';
import { readConfig } from '../../config/config.ts';
import { type BillingStatus, readBillingStatus } from '../../store/billing/billing-status.ts';
import { pruneBilling } from '../../store/billing/prune-billing.ts';
import { finishEvents, storeEvent } from '../../store/billing/webhook-inbox.ts';
import type { Finding } from '../reports/finding.ts';
import { billingFindings, sellingSettingsFinding } from './selling-checks.ts';

const SELLING = {
  ...{ STRIPE_SECRET_KEY: 'rk_live_123456', STRIPE_WEBHOOK_SECRET: 'whsec_123456' },
  ...{ SMTP_URL: 'smtps://u:p@smtp.example.org', MAIL_FROM: 'Pompa <pompa@example.org>' },
  ...{ SELLER_NAME: 'Pompa SRL', SELLER_ADDRESS: 'Cluj', SELLER_TAX_ID: 'RO1', SELLER_CONTACT: 'ops@example.org' },
  PUBLIC_URL: 'https://pompa.example.ro',
};
const finding = (settings: Record<string, string | undefined>) =>
  sellingSettingsFinding(readConfig(settings as NodeJS.ProcessEnv, '/nowhere'));

describe('selling', () => {
  test('is off, on, or says what does not fit', () => {
    assert.deepEqual([finding({}).ok, finding({}).detail], [true, 'off']);
    assert.match(finding(SELLING).detail, /^on, live, sales mode own; no free keys$/);
    const wrong: [Record<string, string | undefined>, RegExp][] = [
      [{ ...SELLING, SMTP_URL: undefined, MAIL_FROM: undefined }, /SMTP_URL is not: nothing is sold/],
      [{ FREE_KEY_QUOTA: '1000' }, /SMTP_URL is not: there are no free keys/],
      [{ ...SELLING, STRIPE_SECRET_KEY: 'sk_test_123456' }, /a test key of Stripe sells at a public address/],
      [{ ...SELLING, PUBLIC_URL: undefined }, /a live key of Stripe, but PUBLIC_URL is not public/],
      [{ ...SELLING, PUBLIC_URL: 'http://pompa.example.ro' }, /without encryption/],
    ];
    for (const [settings, why] of wrong) {
      const { ok, detail, advice } = finding(settings);
      assert.equal(ok, false);
      assert.match(detail, why);
      assert.ok(advice !== null);
    }
  });

  test('does not start with a part of its settings, and says which are missing', () => {
    assert.throws(
      () => finding({ ...SELLING, SELLER_NAME: undefined, SELLER_TAX_ID: undefined }),
      /SELLER_NAME, SELLER_TAX_ID must be set where STRIPE_SECRET_KEY is/,
    );
    assert.throws(
      () => finding({ ...SELLING, STRIPE_SECRET_KEY: undefined }),
      /STRIPE_SECRET_KEY must be set where STRIPE_WEBHOOK_SECRET is/,
    );
    assert.throws(
      () => finding({ SALES_MODE: 'mor' }),
      /STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, SELLER_NAME, .* must be set where SALES_MODE=mor is/,
    );
    assert.throws(() => finding({ ...SELLING, MAIL_FROM: undefined }), /MAIL_FROM must be set where SMTP_URL is/);
    assert.throws(() => finding({ ...SELLING, SMTP_URL: undefined }), /SMTP_URL must be set where MAIL_FROM is/);
    assert.equal(finding({ SELLER_NAME: 'Pompa SRL', SALES_MODE: 'own' }).detail, 'off');
    assert.throws(() => finding({ ...SELLING, STRIPE_API_URL: 'http://stripe.example.org' }), /must be https/);
  });
});

test('late mails and events, and what this version does not know, are findings', () => {
  const now = Date.UTC(2026, 10, 23);
  const calm: BillingStatus = {
    orders: { open: 0, done: 1, expired: 0 },
    mails: { waiting: 0, sent: 1, refused: 0, expired: 0 },
    events: { waiting: 0, done: 1 },
    ...{ oldestMailAt: null, oldestEventAt: null, lastEventAt: now - 60_000, runningSince: null, now },
    ...{ unrecognized: [], unrefunded: [] },
    keyMailsNotArrived: [],
  };
  const config = readConfig(SELLING, '/nowhere');
  const failed = (change: Partial<BillingStatus>) =>
    billingFindings({ ...calm, ...change }, config).flatMap(({ check, ok }) => (ok ? [] : [check]));
  assert.deepEqual(failed({}), []);
  assert.deepEqual(failed({ oldestMailAt: now - 11 * 60_000 }), ['mails']);
  assert.deepEqual(failed({ oldestEventAt: now - 11 * 60_000 }), ['events of Stripe']);
  assert.deepEqual(failed({ keyMailsNotArrived: [7] }), ['mails']);
  assert.deepEqual(failed({ unrefunded: ['order 1'] }), ['refunds']);
  assert.deepEqual(failed({ unrecognized: ['sub_1: price'] }), ['subscriptions']);
  assert.deepEqual(billingFindings(calm, readConfig({}, '/nowhere')), [], 'nothing where nothing is sold');
});

test('events that do not come are a finding where a subscription runs, whatever is deleted of them', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const { kysely } = database;
  const config = readConfig(SELLING, '/nowhere');
  /** Lets all that was ordered and came lie further back. */
  const letPass = async (days: number) => {
    await sql`update orders set consented_at = consented_at - ${days} * interval '1 day'`.execute(kysely);
    await sql`update webhook_events set received_at = received_at - ${days} * interval '1 day'`.execute(kysely);
    await pruneBilling(database);
  };
  const events = async () => {
    const found = billingFindings(await readBillingStatus(database), config);
    return found.find(({ check }) => check === 'events of Stripe') as Finding;
  };
  assert.equal((await events()).ok, true, 'nobody has ordered');
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  assert.equal((await events()).ok, true, 'the first is about to come');
  await letPass(1.1);
  assert.match((await events()).detail, /^none in 35 days; 0 to look at; subscriptions are running$/);
  await storeEvent(kysely, { id: 'evt_1', type: 'invoice.paid', object: 'in_1' });
  await finishEvents(kysely, { object: 'in_1', takenAtUs: (Date.now() + 60_000) * 1_000 }, null);
  for (const [days, isGood] of [
    [32, true],
    [2, false],
    [2, false],
  ] as const) {
    await letPass(days);
    assert.equal((await events()).ok, isGood, (await events()).detail);
  }
  await kysely.updateTable('billing_subscriptions').set({ status: 'canceled' }).execute();
  assert.equal((await events()).ok, true, 'none runs any more');
});
