import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../config/config.ts';
import type { BillingStatus } from '../../store/billing/billing-status.ts';
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
      [{ ...SELLING, SMTP_URL: undefined }, /SMTP_URL is not: nothing is sold/],
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
    assert.throws(() => finding({ ...SELLING, MAIL_FROM: undefined }), /MAIL_FROM must be set where SMTP_URL is/);
    assert.throws(() => finding({ ...SELLING, STRIPE_API_URL: 'http://stripe.example.org' }), /must be https/);
  });
});

test('late mails and events, and what this version does not know, are findings', () => {
  const now = Date.UTC(2026, 10, 23);
  const calm: BillingStatus = {
    orders: { open: 0, done: 1, expired: 0 },
    mails: { waiting: 0, sent: 1, refused: 0, expired: 0 },
    events: { waiting: 0, done: 1 },
    ...{ oldestMailAt: null, oldestEventAt: null, lastEventAt: now - 60_000, unrecognized: [], unrefunded: [], now },
    keyMailsNotArrived: [],
  };
  const config = readConfig(SELLING, '/nowhere');
  const failed = (change: Partial<BillingStatus>) =>
    billingFindings({ ...calm, ...change }, config).flatMap(({ check, ok }) => (ok ? [] : [check]));
  assert.deepEqual(failed({}), []);
  assert.deepEqual(failed({ oldestMailAt: now - 11 * 60_000 }), ['mails']);
  assert.deepEqual(failed({ oldestEventAt: now - 11 * 60_000 }), ['events of Stripe']);
  assert.deepEqual(failed({ lastEventAt: now - 36 * 86_400_000 }), ['events of Stripe']);
  assert.deepEqual(failed({ keyMailsNotArrived: [7] }), ['mails']);
  assert.deepEqual(failed({ unrefunded: ['order 1'] }), ['refunds']);
  assert.deepEqual(failed({ unrecognized: ['sub_1: price'] }), ['subscriptions']);
  assert.deepEqual(billingFindings(calm, readConfig({}, '/nowhere')), [], 'nothing where nothing is sold');
});
