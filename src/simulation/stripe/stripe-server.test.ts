import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import Stripe from 'stripe';
import { createStripeClient, type StripeClient } from '../../clients/stripe.ts';
import type { CheckoutOrder, StripeEvent } from '../../clients/stripe-objects.ts';
import { signatureOf } from './event-delivery.ts';
import { type SimulatedStripe, startSimulatedStripe } from './stripe-server.ts';
import type { WireCharge, WireSubscription } from './wire-objects.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600;
const DAY = 24 * HOUR;
const KEY = 'sk_test_simulated';
const SECRET = 'whsec_simulated';
const ORDER: CheckoutOrder = {
  ...{ id: 'order_1', plan: 'pro', email: 'ana@example.com', trialDays: 3, language: 'ro' },
  ...{ successUrl: 'https://pompa.example/gata?s={CHECKOUT_SESSION_ID}', cancelUrl: 'https://pompa.example/planuri' },
};

let simulated: SimulatedStripe;
let client: StripeClient;
let sdk: Stripe;
let received: (StripeEvent | null)[] = [];
let status = 200;
const endpoint = createServer(async (request, response) => {
  const body = Buffer.from(await text(request));
  received.push(await client.readEvent(body, String(request.headers['stripe-signature'])));
  response.writeHead(status).end();
});

before(async () => {
  simulated = await startSimulatedStripe({ secretKey: KEY, webhookSecret: SECRET, clock: () => NOW });
  const { url: apiUrl } = simulated;
  client = createStripeClient({ secretKey: KEY, webhookSecret: SECRET, apiUrl, salesMode: 'own', clock: () => NOW });
  const { hostname: host, port } = apiUrl;
  sdk = new Stripe(KEY, { host, port: Number(port), protocol: 'http', maxNetworkRetries: 0, telemetry: false });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  simulated.delivery.url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  received = [];
  status = 200;
  simulated.delivery.mode = 'once';
});
after(async () => {
  endpoint.close();
  endpoint.closeAllConnections();
  await simulated.close();
});

let orders = 0;
/** A subscription bought on the page of payment; its events were delivered. */
async function bought(
  action = 'pay',
  change: { trialDays?: number; plan?: 'starter' } = {},
): Promise<WireSubscription> {
  orders += 1;
  const session = await client.createCheckout({ ...ORDER, ...change, id: `order_${orders}` });
  const paid = await post(session.url as string, { action });
  assert.equal(paid.headers.get('location'), `https://pompa.example/gata?s=${session.id}`);
  const { subscription } = (await client.findCheckout(session.id)) ?? {};
  return simulated.world.state.subscriptions[subscription as string] as WireSubscription;
}

const post = (url: string, fields: Record<string, string>) =>
  fetch(new URL(url, simulated.url), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const press = (action: string, { id }: { id: string }) => post('/', { action, subscription: id });
const statusOf = async ({ id }: { id: string }) => (await client.fetchSubscription(id))?.fetched.status;
const typesReceived = () => received.map((each) => each?.type);

describe('the API of the simulated Stripe', () => {
  it('has the prices of all plans', async () => {
    const prices = await client.listPlanPrices();
    assert.deepEqual(
      prices.map(({ plan, cents, currency, interval }) => [plan, cents, currency, interval]),
      [
        ['starter', 1900, 'eur', 'month'],
        ['pro', 4900, 'eur', 'month'],
        ['business', 14900, 'eur', 'month'],
      ],
    );
  });

  it('refuses a wrong key, an unknown parameter at any depth and a wrong value', async () => {
    const { hostname: host, port } = simulated.url;
    const stranger = new Stripe('sk_test_other', { host, port: Number(port), protocol: 'http', telemetry: false });
    await assert.rejects(stranger.prices.list(), { statusCode: 401, type: 'StripeAuthenticationError' });
    const right = { mode: 'subscription', success_url: 'https://a.example', line_items: [{ price: 'price_x' }] };
    const wrong: [change: object, code: string, param: string][] = [
      [{ payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
      [{ subscription_data: { trial_days: 3 } }, 'parameter_unknown', 'subscription_data[trial_days]'],
      [{ line_items: [{ price: 'p', quantity: 'x' }] }, 'parameter_invalid', 'line_items[0][quantity]'],
      [{ success_url: undefined }, 'parameter_missing', 'success_url'],
    ];
    for (const [change, code, param] of wrong)
      await assert.rejects(
        sdk.checkout.sessions.create({ ...right, ...change } as Stripe.Checkout.SessionCreateParams),
        { statusCode: 400, code, param },
      );
  });

  it('wants a version, and echoes it', async () => {
    const headers = { Authorization: `Bearer ${KEY}` };
    const url = new URL('/v1/prices', simulated.url);
    assert.equal((await fetch(url, { headers })).status, 400);
    const versioned = await fetch(url, { headers: { ...headers, 'Stripe-Version': '2026-10-28.endive' } });
    assert.equal(versioned.headers.get('stripe-version'), '2026-10-28.endive');
  });

  it('repeats the answer to the same request, and refuses another with the same key', async () => {
    const [first, again] = [await client.createCheckout(ORDER), await client.createCheckout(ORDER)];
    assert.equal(again.id, first.id);
    await assert.rejects(client.createCheckout({ ...ORDER, email: 'b@example.com' }), {
      type: 'StripeIdempotencyError',
    });
  });

  it('fails on order, and the client tries again after 500 but not after 429', async () => {
    simulated.api.failNext(500);
    assert.equal((await client.listPlanPrices()).length, 3);
    simulated.api.failNext(429);
    await assert.rejects(client.listPlanPrices(), { type: 'StripeRateLimitError' });
  });

  it('says that it has no such object', async () => {
    assert.equal(await client.fetchSubscription('sub_none'), null);
    assert.equal(await client.findCheckout('cs_none'), null);
    assert.equal(await client.fetchCharge('ch_none'), null);
  });

  it('ends an open checkout only', async () => {
    const session = await client.createCheckout({ ...ORDER, id: 'order_expired' });
    await client.expireCheckout(session.id);
    assert.deepEqual(await client.findCheckout(session.id), { ...session, status: 'expired', url: null });
    await assert.rejects(sdk.checkout.sessions.expire(session.id), { statusCode: 400 });
  });
});

describe('a life at the simulated Stripe', () => {
  it('begins with a trial, is active at its end and paid an hour later', async () => {
    const subscription = await bought();
    const begun = await client.fetchSubscription(subscription.id);
    assert.equal(begun?.fetched.status, 'trialing');
    assert.equal(begun?.fetched.plan, 'pro');
    assert.equal(begun?.orderId, `order_${orders}`);
    assert.equal(begun?.fetched.trialEnd, simulated.world.now() * 1000 + 3 * DAY * 1000);
    assert.deepEqual(typesReceived(), [
      ...['invoice.paid', 'customer.subscription.created', 'checkout.session.completed'],
    ]);
    assert.deepEqual(await client.subscriptionOfInvoice(subscription.latest_invoice as string), subscription.id);
    received = [];
    await press('trial-end', subscription);
    assert.equal(await statusOf(subscription), 'active');
    assert.deepEqual(typesReceived(), ['customer.subscription.updated']);
    await post('/', { action: 'hour' });
    assert.deepEqual(typesReceived(), ['customer.subscription.updated', 'invoice.paid']);
  });

  it('is past due when the card is refused, active when it is mended, and canceled when it never is', async () => {
    const [mended, lost] = [await bought('later'), await bought('later')];
    await press('trial-end', lost);
    await post('/', { action: 'hour' });
    assert.deepEqual([await statusOf(mended), await statusOf(lost)], ['past_due', 'past_due']);
    await press('mended', mended);
    assert.equal(await statusOf(mended), 'active');
    simulated.world.advance(16 * DAY);
    assert.deepEqual([await statusOf(mended), await statusOf(lost)], ['active', 'canceled']);
  });

  it('charges at once where there is no trial; disputes and refunds lead back to the customer', async () => {
    const subscription = await bought('pay', { trialDays: 0 });
    const { customer } = subscription;
    const charge = Object.values(simulated.world.state.charges).find(
      (each) => each.customer === customer,
    ) as WireCharge;
    assert.equal(await statusOf(subscription), 'active');
    received = [];
    await press('dispute', subscription);
    const [event] = received;
    assert.deepEqual(await client.fetchDispute(event?.object as string), { customer, isWon: false });
    await press('won', subscription);
    assert.deepEqual(await client.fetchDispute(event?.object as string), { customer, isWon: true });
    await sdk.refunds.create({ charge: charge.id });
    assert.deepEqual(await client.fetchCharge(charge.id), { customer, isRefunded: true });
  });

  it('is cancelled at its end, taken back, ended at once, and ends with its customer', async () => {
    const [subscription, other] = [await bought(), await bought()];
    await client.setCancellation(subscription.id, true);
    const { trialEnd, cancelAt } = (await client.fetchSubscription(subscription.id))?.fetched ?? {};
    assert.equal(cancelAt, trialEnd);
    await client.setCancellation(subscription.id, false);
    assert.equal((await client.fetchSubscription(subscription.id))?.fetched.cancelAt, null);
    await client.cancelNow(subscription.id);
    await client.cancelNow(subscription.id);
    assert.equal(await statusOf(subscription), 'canceled');
    await sdk.customers.del(other.customer);
    assert.equal(await statusOf(other), 'canceled');
    const all = await client.listSubscriptions(null);
    assert.equal(all.items[0]?.id, other.id);
    assert.equal((await client.listSubscriptions(other.id)).items[0]?.id, subscription.id);
  });

  it('ends at the end of the trial once it is cancelled', async () => {
    const subscription = await bought();
    await client.setCancellation(subscription.id, true);
    await press('trial-end', subscription);
    assert.equal(await statusOf(subscription), 'canceled');
  });
});

describe('the pages of the simulated Stripe', () => {
  it('lets customers pay, be refused, and answer their bank', async () => {
    const session = await client.createCheckout({ ...ORDER, id: 'order_page' });
    const page = await (await fetch(session.url as string)).text();
    assert.match(page, /SIMULARE[\s\S]*3 zile gratuit, apoi 49 EUR pe lună[\s\S]*ana@example\.com/);
    for (const action of ['refuse', 'bank-no'])
      assert.equal((await post(session.url as string, { action })).status, 402);
    assert.match(await (await post(session.url as string, { action: 'bank' })).text(), /Banca aprobă/);
    assert.equal((await client.findCheckout(session.id))?.status, 'open');
    assert.equal((await post(session.url as string, { action: 'bank-yes' })).status, 303);
    assert.equal((await client.findCheckout(session.id))?.status, 'complete');
    assert.equal((await post(session.url as string, { action: 'pay' })).status, 404);
  });

  it('has a portal where plans change', async () => {
    const subscription = await bought();
    const url = await client.openPortal(subscription.customer, 'https://pompa.example/cont', 'ro');
    assert.match(await (await fetch(url)).text(), /https:\/\/pompa\.example\/cont/);
    await post(url, { action: 'plan', plan: 'starter', subscription: subscription.id });
    assert.equal((await client.fetchSubscription(subscription.id))?.fetched.plan, 'starter');
  });
});

describe('events of the simulated Stripe', () => {
  it('are signed as the SDK signs', () => {
    const payload = '{"id":"evt_1","object":"event"}';
    const timestamp = 1_795_359_600;
    const made = sdk.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });
    assert.equal(signatureOf(SECRET, payload, timestamp), made);
    assert.equal(
      signatureOf('whsec_test_secret', payload, timestamp),
      `t=${timestamp},v1=022d309aee19e977388decdad96981108445dbeae1c489779db65f390ed01ed2`,
    );
  });

  it('come twice, swapped, late or never; those that were not accepted are listed', async () => {
    const { delivery, world } = simulated;
    const subscription = await bought();
    received = [];
    const change = (isCancelled: boolean) => world.setCancellation(subscription, isCancelled);
    delivery.mode = 'twice';
    change(true);
    await delivery.idle();
    assert.equal(received.length, 2);
    assert.equal(received[0]?.id, received[1]?.id);
    received = [];
    delivery.mode = 'swapped';
    change(false);
    change(true);
    await delivery.idle();
    const latest = world.state.events.slice(-2).map(({ id }) => id);
    assert.deepEqual(
      received.map((each) => each?.id),
      latest.reverse(),
    );
    received = [];
    delivery.mode = 'late';
    change(false);
    await delivery.idle();
    assert.equal(received.length, 0);
    delivery.deliverLate();
    await delivery.idle();
    assert.equal(received.length, 1);
    delivery.mode = 'never';
    change(true);
    status = 500;
    delivery.mode = 'once';
    change(false);
    await delivery.idle();
    const ids = world.state.events.slice(-2).map(({ id }) => id);
    assert.deepEqual(
      (await client.listUndelivered(null)).items.map(({ id }) => id),
      ids.reverse(),
    );
    status = 200;
    delivery.retry(world.state.events);
    await delivery.idle();
    assert.deepEqual((await client.listUndelivered(null)).items, []);
  });
});
