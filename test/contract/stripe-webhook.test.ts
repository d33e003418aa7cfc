/** `POST /stripe/webhook`: what Stripe posts is stored by its id, and everything else is refused without a word. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Stripe from 'stripe';
import { createWebhookReceiver } from '../../src/app/billing/selling.ts';
import { createStripeClient } from '../../src/clients/stripe.ts';
import { NO_DATABASE } from '../support/database/late-database.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { TestService } from '../support/service/test-service.ts';

const SECRET = 'whsec_test_secret';
const NOW = 1_795_359_600_000;
const client = createStripeClient({
  ...{ secretKey: 'sk_test_x', webhookSecret: SECRET, salesMode: 'own', clock: () => NOW },
  apiUrl: new URL('http://127.0.0.1:1'),
});

let database: TestDatabase;
let service: TestService;
let counted: string[] = [];
before(async () => {
  database = await testDatabase();
  const counts = (outcome: string) => void counted.push(outcome);
  service = await TestService.start({ webhook: createWebhookReceiver(client, { database, counts }) });
});
after(async () => {
  await service.api.close();
  await database.drop();
});
beforeEach(async () => {
  counted = [];
  await database.pool.query('truncate webhook_events');
});

const event = (id = 'evt_1') =>
  JSON.stringify({
    ...{ id, object: 'event', type: 'customer.subscription.updated', livemode: false },
    data: { object: { id: 'sub_1', object: 'subscription' } },
  });
const signed = (payload: string, timestamp = NOW / 1000) =>
  new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });

function post(body: string | Buffer, signature?: string, to = service) {
  const headers = { 'Content-Type': 'application/json', ...(signature && { 'Stripe-Signature': signature }) };
  return to.ask('/stripe/webhook', { method: 'POST', headers, body });
}

const stored = async () => (await database.pool.query('select id, type, object from webhook_events order by id')).rows;

describe('POST /stripe/webhook', () => {
  test('stores an event once, ids only, whatever it contains and however often it comes', async () => {
    const body = event();
    for (let times = 0; times < 3; times += 1) {
      const { status, text } = await post(body, signed(body));
      assert.deepEqual([status, text], [200, '{}']);
    }
    assert.deepEqual(await stored(), [{ id: 'evt_1', type: 'customer.subscription.updated', object: 'sub_1' }]);
    assert.deepEqual(counted, ['accepted', 'accepted', 'accepted']);
  });

  test('refuses what Stripe did not sign just now, without saying why', async () => {
    const body = event();
    const refused: [string | Buffer, string?][] = [
      [body],
      [body, 'nonsense'],
      [body, signed(event('evt_2'))],
      [body, signed(body, NOW / 1000 - 301)],
      [Buffer.alloc(0), signed('')],
      [Buffer.from([0xff, 0xfe]), signed('x')],
    ];
    for (const [bytes, signature] of refused) {
      const { status, text, headers } = await post(bytes, signature);
      assert.deepEqual([status, text, headers['cache-control']], [400, '{}', 'no-store']);
    }
    assert.deepEqual(await stored(), []);
  });

  test('refuses a body of more than 256 kB, and other methods', async () => {
    const large = await post(Buffer.alloc(256 * 1024 + 1, 'x'), 't=1,v1=0');
    assert.equal(large.status, 413);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status } = await service.ask('/stripe/webhook', { method });
      assert.ok(status === 404 || status === 405, `${method} ${status}`);
    }
  });

  test('asks Stripe to send it again while the database is away', async (t) => {
    const away = await TestService.during(t, { webhook: createWebhookReceiver(client, { database: NO_DATABASE }) });
    const body = event();
    assert.equal((await post(body, signed(body), away)).status, 503);
  });

  test('does not exist where nothing is sold', async (t) => {
    const other = await TestService.during(t);
    const body = event();
    assert.equal((await post(body, signed(body), other)).status, 404);
  });
});
