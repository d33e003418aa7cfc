import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SITE_RATE_LIMITS } from '../../src/domain/access/request-limits.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { logged, withMcp } from '../support/service/mcp-service.ts';

let guarded: GuardedServices;
before(async () => {
  guarded = await GuardedServices.start(1, null, () => withMcp('https://pompa.example.ro'));
});
after(async () => {
  await guarded.close();
  assert.deepEqual(logged, []);
});

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const post = (body: unknown, headers: Record<string, string> = {}) =>
  guarded.service.ask('/mcp', {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

describe('where a message comes from', () => {
  for (const host of ['pompa.example.ro', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
    test(`${host} is this service`, async () => {
      assert.equal((await post(LIST, { Host: host })).status, 200);
    });

  for (const [what, headers] of [
    ['another Host', { Host: 'evil.example' }],
    ['another Host with its own Origin', { Host: 'evil.example', Origin: 'http://evil.example' }],
    ['a Host that begins like ours', { Host: 'localhost.evil.example' }],
    ['another Origin', { Host: 'localhost', Origin: 'http://evil.example' }],
    ['an opaque Origin', { Host: 'localhost', Origin: 'null' }],
    ['a page of another site', { Host: 'localhost', 'Sec-Fetch-Site': 'cross-site' }],
  ] as const)
    test(`${what} → 403`, async () => {
      const { status, json } = await post(LIST, headers);
      assert.equal(status, 403);
      assert.match(json.error.message, /Host or Origin/);
    });

  test('our own pages may call', async () => {
    assert.equal((await post(LIST, { Origin: 'https://pompa.example.ro' })).status, 200);
  });

  test('no page of another origin may read an answer', async () => {
    const { headers } = await post(LIST);
    assert.equal(headers['access-control-allow-origin'], undefined);
    const preflight = await guarded.service.ask('/mcp', { method: 'OPTIONS' });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  });
});

describe('what a message is', () => {
  for (const method of ['GET', 'DELETE', 'PUT'])
    test(`${method} → 405 with POST as what is allowed`, async () => {
      const { status, headers, json } = await guarded.service.ask('/mcp', { method });
      assert.equal(status, 405);
      assert.equal(headers.allow, 'POST, OPTIONS');
      assert.match(json.error.message, /Only POST/);
    });

  for (const [what, body, status, message] of [
    ['no JSON', '{"a":', 400, /not JSON/],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, /not JSON in UTF-8/],
    ['nothing', '', 400, /not JSON/],
    ['a batch', [LIST, LIST], 400, /batches are not answered/],
    ['a text', '"tools/list"', 400, /an object/],
    ['deeply nested', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 400, /too many members/],
    ['more than 64 KiB', { ...LIST, params: { a: 'x'.repeat(65_536) } }, 413, /64 KiB/],
    ['a subscription', { ...LIST, method: 'subscriptions/listen' }, 404, /no subscriptions/],
  ] as const)
    test(`${what} → ${status}`, async () => {
      const reply = await post(body);
      assert.equal(reply.status, status);
      assert.equal(reply.json.jsonrpc, '2.0');
      assert.match(reply.json.error.message, message);
    });

  test('another content type → 415, an unknown method → an error of the protocol', async () => {
    assert.equal((await post(LIST, { 'Content-Type': 'text/plain' })).status, 415);
    const { json } = await post({ ...LIST, method: 'tools/steal' });
    assert.equal(json.error.code, -32_601);
    assert.equal(json.id, 7);
  });

  test('a notification → 202 without a body', async () => {
    const { status, raw } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([status, raw.length], [202, 0]);
  });

  test('an answer is JSON that no cache stores, without a session', async () => {
    const { headers } = await post(LIST);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['mcp-session-id'], undefined);
  });
});

test('messages of one address beyond the pages that it may read in a minute → 429 before they are read', async () => {
  const from = newAddress();
  const limit = guarded.siteLimit();
  const caller = { headers: { 'x-forwarded-for': from }, peer: { remoteAddress: '127.0.0.1' } };
  for (let n = 0; n < SITE_RATE_LIMITS.pagesPerMinute; n += 1) limit.waitMsOf(caller, '/mcp');
  const { status, headers, json } = await post('not read', { 'X-Forwarded-For': from });
  assert.equal(status, 429);
  assert.ok(Number(headers['retry-after']) >= 1);
  assert.match(json.error.message, /Too many messages from this address/);
  assert.equal((await post(LIST)).status, 200, 'another address');
});
