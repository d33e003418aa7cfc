import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { DnsServer } from '../../test/support/simulators/dns-server.ts';
import { type ReceivedPush, startSimulatedPushService } from '../simulation/push-service.ts';
import { createUntrustedLookup } from './http/untrusted-lookup.ts';
import { createPushSender, makeVapidPair, type PushMessage, type PushSenderOptions } from './web-push.ts';

const vapid = { ...makeVapidPair(), subject: 'mailto:ops@example.org' };

function sender(t: TestContext, hosts: string[], more: Partial<PushSenderOptions> = {}) {
  const made = createPushSender({ vapid, hosts, userAgent: 'Pompa test', timeoutMs: 2_000, ...more });
  t.after(() => made.close());
  return made;
}

const message = (endpoint: string, more: Partial<PushMessage> = {}): PushMessage => ({
  endpoint,
  p256dh: Buffer.from(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    'base64url',
  ),
  auth: Buffer.alloc(16, 1),
  payload: '{"title":"Benzină"}',
  ttlSeconds: 3_600,
  topic: 'topic-1',
  ...more,
});

async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a push message', () => {
  test('can be decrypted by an independent implementation, and has the headers that push services need', async (t) => {
    const seen: ReceivedPush[] = [];
    const service = await startSimulatedPushService((push) => seen.push(push));
    t.after(() => service.close());
    const { endpoint, p256dh, auth } = service.subscribe('ana');
    const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
    const { send } = sender(t, [service.origin]);
    assert.deepEqual(await send(message(endpoint, keys)), { kind: 'delivered' });
    const [{ text, headers }] = seen as [ReceivedPush];
    assert.equal(text, '{"title":"Benzină"}');
    const { ttl, topic, urgency, 'content-encoding': coding, 'user-agent': agent, authorization = '' } = headers;
    assert.deepEqual([ttl, topic, urgency, coding, agent], ['3600', 'topic-1', 'normal', 'aes128gcm', 'Pompa test']);
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
    assert.equal(key, vapid.publicKey);
    assertSigned(token, { aud: service.origin, sub: vapid.subject });
  });

  test('is signed for its push service, once for many messages', async (t) => {
    const seen: (string | undefined)[] = [];
    const record: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(201).end();
    };
    const [one, other] = [await answering(t, record), await answering(t, record)];
    const { send } = sender(t, [one, other]);
    for (const origin of [one, one, other]) await send(message(`${origin}/a`));
    const [first, second, third] = seen.map((header) => /t=([\w.-]+)/.exec(header ?? '')?.[1] ?? '');
    assert.equal(first, second);
    assertSigned(first as string, { aud: one, sub: vapid.subject });
    assertSigned(third as string, { aud: other, sub: vapid.subject });
  });

  test('is signed anew after an hour, and when the clock was set back', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T08:00:00Z') });
    const seen: (string | undefined)[] = [];
    const service = await answering(t, (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(201).end();
    });
    const { send } = sender(t, [service]);
    for (const at of ['08:00', '08:59', '09:01', '06:30']) {
      t.mock.timers.setTime(Date.parse(`2026-11-20T${at}:00Z`));
      await send(message(`${service}/a`));
    }
    assert.equal(seen[0], seen[1]);
    assert.equal(new Set(seen).size, 3);
  });

  test('to a browser whose key is not a point of the curve can never be sent', async (t) => {
    const { send } = sender(t, ['http://127.0.0.1:1']);
    assert.deepEqual(await send(message('http://127.0.0.1:1/a', { p256dh: Buffer.alloc(65, 4) })), { kind: 'gone' });
  });
});

describe('the address of a push message', () => {
  test('gets nothing if its host is no longer in PUSH_HOSTS', async (t) => {
    const { send } = sender(t, ['fcm.googleapis.com']);
    assert.equal((await send(message('http://127.0.0.1:9/a'))).kind, 'refused');
  });

  test('is not connected to if its name now resolves to a private address', async (t) => {
    // What the name server says since the subscription was made.
    const nameServer = await DnsServer.start();
    t.after(() => nameServer.close());
    nameServer.setA('push.example.com', ['127.0.0.1']);
    nameServer.setAaaa('push.example.com', ['0:0:0:0:0:0:0:1']);
    const lookup = createUntrustedLookup({ servers: [nameServer.address] });
    const { send } = sender(t, ['push.example.com'], { lookup });
    const outcome = await send(message('https://push.example.com/a'));
    assert.deepEqual(outcome, {
      kind: 'later',
      why: 'the address is a private one, which is not allowed here',
      isRateLimited: false,
      retryAfterMs: null,
    });
  });

  test('is not changed by a redirect', async (t) => {
    let followed = 0;
    const origin = await answering(t, (request, response) => {
      if (request.url === '/secret') followed += 1;
      response.writeHead(307, { Location: '/secret' }).end();
    });
    const { send } = sender(t, [origin]);
    assert.deepEqual(await send(message(`${origin}/a`)), { kind: 'refused', why: 'it answered 307' });
    assert.equal(followed, 0);
  });
});

describe('the answer of a push service', () => {
  test('becomes an outcome', async (t) => {
    const origin = await answering(t, (request, response) => {
      const [, status = '', rest] = (request.url ?? '').split('/');
      response.writeHead(Number(status), rest === undefined ? {} : { 'Retry-After': rest }).end('why not');
    });
    const { send } = sender(t, [origin]);
    const outcome = async (path: string) => send(message(`${origin}/${path}`));
    for (const status of [200, 201, 202, 204]) assert.equal((await outcome(`${status}`)).kind, 'delivered');
    for (const status of [404, 410]) assert.equal((await outcome(`${status}`)).kind, 'gone');
    for (const status of [400, 401, 403, 413]) assert.equal((await outcome(`${status}`)).kind, 'refused');
    const later = (why: string, isRateLimited: boolean, retryAfterMs: number | null) => ({
      kind: 'later',
      why,
      isRateLimited,
      retryAfterMs,
    });
    assert.deepEqual(await outcome('429'), later('it answered 429', true, null));
    assert.deepEqual(await outcome('429/120'), later('it answered 429', true, 120_000));
    assert.deepEqual(await outcome('503/60'), later('it answered 503', true, 60_000));
    assert.deepEqual(await outcome('500'), later('it answered 500', false, null));
  });

  test('is cut off if it never ends or never comes', async (t) => {
    let wrote = 0;
    const origin = await answering(t, (request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(201);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) wrote += 16_384;
      };
      response.on('drain', more);
      more();
    });
    const { send } = sender(t, [origin], { timeoutMs: 300 });
    assert.equal((await send(message(`${origin}/endless`))).kind, 'delivered');
    assert.ok(wrote < 20_000_000);
    assert.deepEqual(await send(message(`${origin}/silent`)), {
      kind: 'later',
      why: 'no answer within 0.3 s',
      isRateLimited: false,
      retryAfterMs: null,
    });
  });
});

/** The token is a JWT of our key (RFC 8292), good for at most a day. */
function assertSigned(token: string, wanted: { aud: string; sub: string }): void {
  const [head = '', body = '', signature = ''] = token.split('.');
  const { exp, ...claims } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { exp: number };
  assert.deepEqual(claims, wanted);
  assert.ok(exp * 1000 - Date.now() <= 86_400_000 && exp * 1000 > Date.now());
  const point = Buffer.from(vapid.publicKey, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')));
}
