import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Stripe from 'stripe';
import { createStripeClient } from './stripe.ts';

const SECONDS = 1_795_359_600;
const SECRET = 'whsec_test_secret';
const clientAt = (seconds: number, secretKey = 'sk_test_x') =>
  createStripeClient({
    ...{ secretKey, webhookSecret: SECRET, salesMode: 'own' },
    apiUrl: new URL('http://127.0.0.1:1'),
    clock: () => seconds * 1000,
  });

const event = (change: object = {}) =>
  JSON.stringify({
    ...{ id: 'evt_1', object: 'event', type: 'customer.subscription.updated', livemode: false },
    data: { object: { id: 'sub_1', object: 'subscription' } },
    ...change,
  });
/** Signed by the maker of the SDK itself. */
const signed = (payload: string, { secret = SECRET, timestamp = SECONDS } = {}) =>
  new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret, timestamp });

describe('an event of Stripe', () => {
  it('is read by its id, its type and the id of its object', async () => {
    const body = event();
    const read = await clientAt(SECONDS).readEvent(Buffer.from(body), signed(body));
    assert.deepEqual(read, { id: 'evt_1', type: 'customer.subscription.updated', object: 'sub_1' });
  });

  it('is read where one of several signatures is right', async () => {
    const body = event();
    const [time, right] = signed(body).split(',');
    const several = `${time},v0=${'0'.repeat(64)},v1=${'1'.repeat(64)},${right}`;
    assert.notEqual(await clientAt(SECONDS).readEvent(Buffer.from(body), several), null);
  });

  it('is refused with another signature, body, age or mode', async () => {
    const body = event();
    const refused: [what: string, body: string, signature: string, seconds?: number][] = [
      ['none', body, ''],
      ['another secret', body, signed(body, { secret: 'whsec_other' })],
      ['another body', body.replace('sub_1', 'sub_2'), signed(body)],
      ['replayed after five minutes', body, signed(body), SECONDS + 301],
      ['of the live mode', event({ livemode: true }), signed(event({ livemode: true }))],
      ['no JSON', '{', signed('{')],
      ['no event', '{}', signed('{}')],
      ['a scheme of tests only', body, signed(body).replace('v1=', 'v0=')],
    ];
    for (const [what, bytes, signature, seconds = SECONDS] of refused)
      assert.equal(await clientAt(seconds).readEvent(Buffer.from(bytes), signature), null, what);
  });

  it('may be about what has no id, so that nothing can be looked at', async () => {
    const body = event({ type: 'balance.available', data: { object: {} } });
    const read = await clientAt(SECONDS).readEvent(Buffer.from(body), signed(body));
    assert.deepEqual([read?.type, read?.object], ['balance.available', null]);
  });

  it('is signed as the notes on Stripe have it', async () => {
    const body = '{"id":"evt_1","object":"event"}';
    const signature = `t=${SECONDS},v1=022d309aee19e977388decdad96981108445dbeae1c489779db65f390ed01ed2`;
    assert.equal(signed(body), signature);
  });
});
