import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { createStripeClient, STRIPE_API_VERSION, whyStripeFailed } from './stripe.ts';
import type { CheckoutOrder } from './stripe-objects.ts';

const NOW = Date.parse('2026-11-22T15:00:00Z');
const SECONDS = NOW / 1000;
const DAY = 24 * 3_600;

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
};
type Reply = readonly [status: number, body: object];

/** An API on loopback that answers by method and path, and what it was asked. */
async function stripeAt(t: TestContext, replies: Readonly<Record<string, Reply | (() => Reply)>>) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push({
      ...{ method: request.method ?? '', path, headers: request.headers },
      body: new URLSearchParams(await text(request)),
    });
    const given = replies[`${request.method} ${path}`];
    const [status, body] = (typeof given === 'function' ? given() : given) ?? missing(path);
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_1' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const apiUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = createStripeClient({ ...KEYS, apiUrl, salesMode: 'own', clock: () => NOW });
  return { asked, client, apiUrl };
}

const KEYS = { secretKey: 'sk_test_x', webhookSecret: 'whsec_test_secret' };

const missing = (path: string): Reply => [
  404,
  { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: ${path}` } },
];

const aPrice = (lookup_key: string | null) => ({
  id: `price_${lookup_key}`,
  object: 'price',
  lookup_key,
  active: true,
});
const anItem = (lookup_key: string | null, end: number) => ({
  ...{ id: 'si_1', object: 'subscription_item', price: aPrice(lookup_key) },
  current_period_end: end,
});
const aSubscription = (change: object = {}) => ({
  ...{ id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'trialing', metadata: { order: 'order-1' } },
  ...{ trial_end: SECONDS + 3 * DAY, cancel_at: null, cancel_at_period_end: false },
  items: { object: 'list', data: [anItem('pro', SECONDS + 3 * DAY)] },
  ...change,
});
const aSession = (change: object = {}) => ({
  ...{ id: 'cs_1', object: 'checkout.session', status: 'open', url: 'https://checkout.stripe.com/c/1' },
  ...{ client_reference_id: 'order-1', subscription: null },
  ...change,
});
const ORDER: CheckoutOrder = {
  ...{ id: 'order-1', plan: 'pro', email: 'ana@exemplu.ro', trialDays: 3, language: 'ro' },
  ...{
    successUrl: 'https://p.example/cont/gata?sesiune={CHECKOUT_SESSION_ID}',
    cancelUrl: 'https://p.example/planuri',
  },
} as const;
const PRICES: Reply = [200, { object: 'list', data: [aPrice('pro')], has_more: false, url: '/v1/prices' }];

describe('a subscription at Stripe', () => {
  const fetchedWith = async (t: TestContext, change: object = {}) => {
    const { client } = await stripeAt(t, { 'GET /v1/subscriptions/sub_1': [200, aSubscription(change)] });
    return (await client.fetchSubscription('sub_1'))?.fetched;
  };

  it('has its plan, periods and order', async (t) => {
    const { client, asked } = await stripeAt(t, { 'GET /v1/subscriptions/sub_1': [200, aSubscription()] });
    const end = NOW + 3 * DAY * 1000;
    assert.deepEqual(await client.fetchSubscription('sub_1'), {
      ...{ id: 'sub_1', customer: 'cus_1', orderId: 'order-1' },
      fetched: { status: 'trialing', plan: 'pro', trialEnd: end, periodEnd: end, cancelAt: null },
    });
    assert.equal(asked[0]?.headers['stripe-version'], STRIPE_API_VERSION);
    assert.equal(asked[0]?.headers.authorization, 'Bearer sk_test_x');
  });

  it('says in two ways that it will end', async (t) => {
    assert.equal((await fetchedWith(t, { cancel_at_period_end: true }))?.cancelAt, NOW + 3 * DAY * 1000);
    assert.equal((await fetchedWith(t, { cancel_at: SECONDS + DAY }))?.cancelAt, NOW + DAY * 1000);
  });

  it('keeps a status that we do not know, and has no plan for a price that is not ours', async (t) => {
    const odd = { status: 'hibernating', items: { data: [anItem(null, SECONDS + DAY)] } };
    const fetched = await fetchedWith(t, odd);
    assert.deepEqual([fetched?.status, fetched?.plan], ['hibernating', null]);
    const two = { items: { data: [anItem(null, SECONDS + DAY), anItem('business', SECONDS + 2 * DAY)] } };
    assert.deepEqual(
      [(await fetchedWith(t, two))?.plan, (await fetchedWith(t, two))?.periodEnd],
      ['business', NOW + 2 * DAY * 1000],
    );
  });

  it('that does not exist is none; other failures are errors that name no key', async (t) => {
    const { client } = await stripeAt(t, {
      'GET /v1/subscriptions/sub_9': [
        401,
        { error: { type: 'invalid_request_error', message: 'Invalid API Key: sk_x' } },
      ],
    });
    assert.equal(await client.fetchSubscription('sub_2'), null);
    await assert.rejects(client.fetchSubscription('sub_9'), (error) => {
      assert.equal(whyStripeFailed(error), 'StripeAuthenticationError, status 401, req_1');
      return true;
    });
  });
});

describe('a dispute at Stripe', () => {
  const statuses: [isWon: boolean, ...statuses: string[]][] = [
    [true, 'won', 'warning_closed', 'prevented'],
    [false, 'needs_response', 'under_review', 'lost', 'warning_needs_response', 'warning_under_review'],
    [false, 'appeal_needs_response', 'appeal_under_review', 'one that we do not know'],
  ];
  for (const [isWon, ...each] of statuses)
    for (const status of each)
      it(`is ${isWon ? '' : 'not '}won while its status is ${status}`, async (t) => {
        const dispute = { id: 'du_1', object: 'dispute', status, charge: { id: 'ch_1', customer: 'cus_1' } };
        const { client } = await stripeAt(t, { 'GET /v1/disputes/du_1': [200, dispute] });
        assert.deepEqual(await client.fetchDispute('du_1'), { customer: 'cus_1', isWon });
      });
});

describe('a checkout', () => {
  it('is of the plan’s price, with the order in all three places, a trial and a key against repetition', async (t) => {
    const { client, asked } = await stripeAt(t, {
      'GET /v1/prices': PRICES,
      'POST /v1/checkout/sessions': [200, aSession()],
    });
    const session = await client.createCheckout(ORDER);
    assert.deepEqual([session.id, session.url, session.status], ['cs_1', 'https://checkout.stripe.com/c/1', 'open']);
    await client.createCheckout({ ...ORDER, id: 'order-2', trialDays: 0 });
    const [, first, second] = asked;
    assert.equal(first?.headers['idempotency-key'], 'checkout-order-1');
    const fields = Object.fromEntries(first?.body ?? []);
    for (const [name, value] of Object.entries({
      mode: 'subscription',
      'line_items[0][price]': 'price_pro',
      client_reference_id: 'order-1',
      'metadata[order]': 'order-1',
      'subscription_data[metadata][order]': 'order-1',
      'subscription_data[trial_period_days]': '3',
      'automatic_tax[enabled]': 'true',
      locale: 'ro',
    }))
      assert.equal(fields[name], value, name);
    assert.equal(asked.length, 3, 'the price is looked up once');
    assert.equal(second?.body.has('subscription_data[trial_period_days]'), false);
  });

  it('leaves taxes to Stripe where it is the merchant of record', async (t) => {
    const { asked, apiUrl } = await stripeAt(t, {
      'GET /v1/prices': PRICES,
      'POST /v1/checkout/sessions': [200, aSession()],
    });
    const client = createStripeClient({ ...KEYS, apiUrl, salesMode: 'mor', clock: () => NOW });
    await client.createCheckout(ORDER);
    const fields = Object.fromEntries(asked[1]?.body ?? []);
    assert.equal(fields['managed_payments[enabled]'], 'true');
    assert.ok(!Object.keys(fields).some((name) => /^(automatic_tax|tax_id_collection)/.test(name)));
  });

  it('is refused while its plan has no price', async (t) => {
    const { client } = await stripeAt(t, { 'GET /v1/prices': [200, { object: 'list', data: [], has_more: false }] });
    await assert.rejects(client.createCheckout(ORDER), /no active price with the lookup key "pro"/);
  });

  it('is found with the subscription that came of it, and ended only while it is open', async (t) => {
    let session: object = aSession({ status: 'complete', url: null, subscription: 'sub_1' });
    const { client, asked } = await stripeAt(t, {
      'GET /v1/checkout/sessions/cs_1': () => [200, session],
      'POST /v1/checkout/sessions/cs_1/expire': [200, aSession({ status: 'expired' })],
    });
    assert.deepEqual(await client.findCheckout('cs_1'), {
      ...{ id: 'cs_1', url: null, status: 'complete', orderId: 'order-1', subscription: 'sub_1' },
    });
    assert.equal(await client.findCheckout('cs_2'), null);
    await client.expireCheckout('cs_1');
    session = aSession();
    await client.expireCheckout('cs_1');
    assert.deepEqual(
      asked.filter(({ method }) => method === 'POST').map(({ path }) => path),
      ['/v1/checkout/sessions/cs_1/expire'],
    );
  });
});
