/** What goes wrong with the simulated Stripe on order: locks, keys at work, events that are not to be believed. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Stripe from 'stripe';
import { createStripeClient, type StripeClient } from '../../clients/stripe.ts';
import type { CheckoutOrder } from '../../clients/stripe-objects.ts';
import { type SimulatedStripe, startSimulatedStripe } from './stripe-server.ts';

const KEY = 'sk_test_simulated';
const ORDER: CheckoutOrder = {
  ...{ id: 'order_1', plan: 'pro', email: 'ana@example.com', trialDays: 3, language: 'ro' },
  ...{ successUrl: 'https://pompa.example/gata?s={CHECKOUT_SESSION_ID}', cancelUrl: 'https://pompa.example/planuri' },
};

let simulated: SimulatedStripe;
let client: StripeClient;
let sdk: Stripe;
before(async () => {
  simulated = await startSimulatedStripe({ secretKey: KEY, webhookSecret: 'whsec_simulated', clock: Date.now });
  const { url: apiUrl } = simulated;
  client = createStripeClient({
    ...{ secretKey: KEY, webhookSecret: 'whsec_simulated', apiUrl, salesMode: 'own', clock: Date.now },
  });
  const { hostname: host, port } = apiUrl;
  sdk = new Stripe(KEY, { host, port: Number(port), protocol: 'http', maxNetworkRetries: 0, telemetry: false });
});
after(() => simulated.close());

describe('a request to the simulated Stripe', () => {
  it('whose key is at work is refused, and makes one checkout when it is tried again', async () => {
    simulated.api.failNext(409);
    await assert.rejects(sdk.prices.list(), { statusCode: 409, code: 'idempotency_key_in_use' });
    await client.listPlanPrices();
    const before = Object.keys(simulated.world.state.checkouts).length;
    simulated.api.failNext(409, 409);
    const session = await client.createCheckout(ORDER);
    assert.equal(session.status, 'open');
    assert.equal(Object.keys(simulated.world.state.checkouts).length, before + 1);
  });

  it('about an object that is locked is refused, and not tried again by the client', async () => {
    simulated.api.failNext('lock timeout');
    await assert.rejects(client.fetchSubscription('sub_1'), { statusCode: 429, code: 'lock_timeout' });
    assert.equal(await client.fetchSubscription('sub_1'), null);
  });

  it('may not leave taxes to Stripe and ask for them', async () => {
    await assert.rejects(
      sdk.checkout.sessions.create({
        ...{ mode: 'subscription', success_url: 'https://a.example', line_items: [{ price: 'price_simulated_pro' }] },
        ...{ managed_payments: { enabled: true }, automatic_tax: { enabled: true } },
      }),
      { statusCode: 400, param: 'automatic_tax' },
    );
  });

  it('is checked by what Stripe publishes of its parameters', async () => {
    const listed = (change: object) => sdk.subscriptions.list(change as Stripe.SubscriptionListParams);
    await assert.rejects(listed({ status: 'expired' }), { code: 'parameter_invalid', param: 'status' });
    assert.equal((await listed({ status: 'unpaid', created: { gte: 1 } })).data.length, 0);
    const refund = (reason: string) => sdk.refunds.create({ charge: 'ch_1', reason } as Stripe.RefundCreateParams);
    await assert.rejects(refund('because'), { code: 'parameter_invalid', param: 'reason' });
    await assert.rejects(refund('duplicate'), { code: 'resource_missing' });
  });
});
