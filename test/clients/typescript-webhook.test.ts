/** The client for TypeScript checks deliveries of webhooks. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  verifyWebhook,
  type WebhookDelivery,
  type WebhookPayload,
  WebhookRefusedError,
} from '../../clients/typescript/src/index.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const KEY = randomBytes(24);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"modificari":[{"pret_nou":7.19}]}';

describe('a delivery', () => {
  test('that the secret signed is genuine, and read', async () => {
    const { id, sentAt, payload } = await verifyWebhook(delivery());

    assert.deepEqual([id, sentAt.getTime(), payload], ['1.2-40', NOW, JSON.parse(BODY)]);
  });

  test('is genuine as text and as bytes, with headers of Node and of the web, in any letter case', async () => {
    const { headers } = delivery();
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      await verifyWebhook(delivery({ body }));
    await verifyWebhook(delivery({ headers: new Headers(headers as Record<string, string>) }));
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    await verifyWebhook(delivery({ headers: Object.fromEntries(upper) }));
  });

  test('is genuine when one of several signatures is, as while a secret is replaced', async () => {
    const signature = `v1,${Buffer.alloc(32).toString('base64')} v1a,other ${sign('1.2-40', NOW / 1000, BODY)}`;
    await verifyWebhook(delivery({ headers: headersOf({ signature }) }));
  });

  test('matches the example of the specification', async () => {
    const { payload } = await verifyWebhook({
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: '{"test": 2432232314}',
      now: 1_614_265_330_000,
    });
    assert.deepEqual(payload, { test: 2432232314 });
  });

  for (const [what, reason, change] of [
    ['another body', 'signature', { body: BODY.replace('7.19', '7.18') }],
    ['the same JSON with other bytes', 'signature', { body: BODY.replace(':', ': ') }],
    ['another id', 'signature', { headers: headersOf({ id: '1.2-41' }) }],
    ['another time', 'signature', { headers: headersOf({ time: NOW / 1000 + 1 }) }],
    ['another secret', 'signature', { secret: `whsec_${randomBytes(24).toString('base64')}` }],
    ['a time more than five minutes ago', 'time', { now: NOW + 300_001 }],
    ['a time more than five minutes ahead', 'time', { now: NOW - 300_001 }],
    ['no signature', 'headers', { headers: headersOf({ signature: '' }) }],
    ['no headers', 'headers', { headers: {} }],
  ] as const satisfies [string, WebhookRefusedError['reason'], Partial<WebhookDelivery>][]) {
    test(`with ${what} is refused, by reason`, async () => {
      await assert.rejects(verifyWebhook(delivery(change)), (error) => {
        assert.ok(error instanceof WebhookRefusedError);
        assert.equal(error.reason, reason);
        return true;
      });
    });
  }

  test('that is genuine and no JSON is refused, too', async () => {
    for (const body of ['{', '[[[']) {
      const headers = headersOf({ signature: sign('1.2-40', NOW / 1000, body) });
      await assert.rejects(verifyWebhook(delivery({ body, headers })), { name: 'WebhookRefusedError', reason: 'body' });
    }
  });

  test('has a payload whose type says what its data are', async () => {
    const { payload } = await verifyWebhook(delivery());
    const cursorOf = (sent: WebhookPayload): string | null => {
      switch (sent.type) {
        case 'ping':
          return null;
        case 'reluare':
          return sent.data.pana_la;
        case 'modificari': {
          const price: number | null | undefined = sent.data.modificari?.[0]?.pret_nou;
          return price === undefined ? null : sent.data.pana_la;
        }
      }
    };
    assert.equal(cursorOf({ ...payload, type: 'ping', timestamp: '', data: { webhook_id: '1' } }), null);
  });

  test('that was parsed before, or a secret that is none, is a mistake of the program', async () => {
    await assert.rejects(verifyWebhook(delivery({ body: JSON.parse(BODY) })), { name: 'TypeError', message: /bytes/ });
    const cut = SECRET.slice(0, 'whsec_'.length + 17);
    for (const secret of ['', 'whsec_', 'whsec_ä', cut, undefined as unknown as string])
      await assert.rejects(verifyWebhook(delivery({ secret })), { name: 'TypeError', message: /secret/ });
  });
});

function delivery(change: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return { secret: SECRET, headers: headersOf({}), body: BODY, now: NOW, ...change };
}

/** The headers of a delivery that was signed before one of them was changed. */
function headersOf({ id = '1.2-40', time = NOW / 1000, signature = sign('1.2-40', NOW / 1000, BODY) }) {
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signature };
}

function sign(id: string, seconds: number, body: string): string {
  return `v1,${createHmac('sha256', KEY).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}
