import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFetch, aSubscribedKey } from '../../../test/support/builders/billing-fixture.ts';
import { testDatabase } from '../../../test/support/database/test-database.ts';
import type { SubscriptionAnswer } from '../../clients/stripe-objects.ts';
import { readConfig } from '../../config/config.ts';
import { startSimulatedStripe } from '../../simulation/stripe/stripe-server.ts';
import {
  endpointProblems,
  listRunning,
  portalProblems,
  pricesProblems,
  stripeFindings,
  unorderedFinding,
} from './stripe-checks.ts';

test('a price at Stripe is that of the plan, in euros a month, with its tax', () => {
  const prices = (['starter', 'pro', 'business'] as const).map((plan, at) => ({
    ...{ plan, cents: [1_900, 4_900, 14_900][at] as number, currency: 'eur', interval: 'month', includesTax: true },
  }));
  const [starter, pro, business] = prices as [object, object, object];
  const problemsWith = (change: object) => pricesProblems([starter, { ...pro, ...change }, business] as typeof prices);
  assert.deepEqual(pricesProblems(prices), []);
  assert.deepEqual(pricesProblems(prices.slice(1)), ['starter has no active price with the lookup key "starter"']);
  assert.deepEqual(problemsWith({ cents: 9_900 }), ['pro costs 99.00 EUR a month, not 49 EUR a month']);
  assert.deepEqual(problemsWith({ currency: 'ron' }), ['pro costs 49.00 RON a month, not 49 EUR a month']);
  assert.deepEqual(problemsWith({ interval: 'year' }), ['pro costs 49.00 EUR a year, not 49 EUR a month']);
  assert.deepEqual(problemsWith({ includesTax: false }), ['the price of pro does not include tax']);
});

test('the portal at Stripe changes plans, keeps trials and cancels at the end', () => {
  const portal = { changesPlans: true, keepsTrials: true, cancelsAtEnd: true };
  assert.deepEqual(portalProblems(portal), []);
  assert.equal(portalProblems(null).length, 1);
  for (const name of Object.keys(portal)) assert.equal(portalProblems({ ...portal, [name]: false }).length, 1, name);
});

test('the endpoint at Stripe has our address, version and events, and not the one that delays charges', () => {
  const url = 'https://pompa.example/stripe/webhook';
  const events = [
    ...['checkout.session.completed', 'checkout.session.expired', 'customer.updated', 'customer.deleted'],
    ...['created', 'updated', 'deleted', 'paused', 'resumed'].map((what) => `customer.subscription.${what}`),
    ...['invoice.paid', 'invoice.payment_failed', 'invoice.payment_action_required', 'charge.refunded'],
    ...['charge.dispute.created', 'charge.dispute.closed'],
  ];
  const endpoint = { url, isEnabled: true, version: '2026-10-28.endive', events };
  const problemsWith = (change: object) => endpointProblems([{ ...endpoint, ...change }], url);
  assert.deepEqual(problemsWith({}), []);
  assert.deepEqual(problemsWith({ url: 'https://other.example' }), [`none has the address ${url}`]);
  assert.deepEqual(problemsWith({ isEnabled: false }), ['it is disabled']);
  assert.deepEqual(problemsWith({ version: null }), ['its version is the default, not 2026-10-28.endive']);
  assert.deepEqual(problemsWith({ events: events.slice(1) }), ['it does not get checkout.session.completed']);
  for (const more of ['invoice.created', '*'])
    assert.match(problemsWith({ events: [...events, more] })[0] ?? '', /it gets invoice\.created/);
});

test('all three are read from Stripe, and what cannot be read is a finding', async (t) => {
  const stripe = await startSimulatedStripe({
    secretKey: 'sk_test_123456',
    webhookSecret: 'whsec_123456',
    clock: Date.now,
  });
  t.after(() => stripe.close());
  const findings = (STRIPE_SECRET_KEY: string) =>
    stripeFindings(
      readConfig(
        {
          ...{
            STRIPE_SECRET_KEY,
            STRIPE_WEBHOOK_SECRET: 'whsec_123456',
            STRIPE_API_URL: stripe.url.origin,
            PUBLIC_URL: 'https://pompa.example.ro',
          },
          ...{ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Pompa <pompa@example.org>', SELLER_NAME: 'Pompa SRL' },
          ...{ SELLER_ADDRESS: 'Cluj', SELLER_TAX_ID: 'RO1', SELLER_CONTACT: 'ops@example.org' },
        } as NodeJS.ProcessEnv,
        '/nowhere',
      ),
    );
  const good = async () => (await findings('sk_test_123456')).map(({ ok }) => ok);
  assert.deepEqual(await good(), [true, true, false]);
  stripe.delivery.url = 'https://pompa.example.ro/stripe/webhook';
  assert.deepEqual(await good(), [true, true, true], JSON.stringify(await findings('sk_test_123456')));
  for (const { ok, detail } of await findings('sk_test_other1'))
    assert.deepEqual([ok, /^cannot be read: Stripe\w+, status 401/.test(detail)], [false, true]);
});

test('the subscriptions of our plans that are paid for are read, on whichever page of the list', async () => {
  const page = (ids: string[], status: string, plan: string | null = 'pro') =>
    ids.map((id) => ({ id, fetched: { status, plan } }) as SubscriptionAnswer);
  const pages = new Map([
    [null, { items: [...page(['sub_4', 'sub_3'], 'active'), ...page(['sub_0'], 'incomplete')], next: 'sub_3' }],
    [
      'sub_3',
      {
        items: [...page(['sub_2'], 'canceled'), ...page(['sub_1'], 'trialing'), ...page(['sub_5'], 'active', null)],
        next: null,
      },
    ],
  ] as const);
  const listSubscriptions = async (after: string | null) => pages.get(after as null) ?? assert.fail();
  assert.deepEqual(await listRunning({ listSubscriptions }), ['sub_4', 'sub_3', 'sub_1']);
});

test('one that was not ordered here is told, and so is a list that cannot be read', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  await aSubscribedKey(database, 'sub_1', aFetch(Date.now()));
  const findingOn = (ids: string[]) => unorderedFinding({ ids }, database.kysely);
  assert.equal((await findingOn(['sub_1'])).ok, true);
  const { ok, detail, advice } = await findingOn(['sub_2', 'sub_1']);
  assert.deepEqual([ok, detail], [false, 'sub_2 was not ordered here: it has no key']);
  assert.match(String(advice), /^orders sync ID if it is minutes old/);
  const unread = await unorderedFinding({ problem: 'no answer within 5 s' }, database.kysely);
  assert.deepEqual([unread.ok, unread.detail], [false, 'cannot be read: no answer within 5 s']);
});
