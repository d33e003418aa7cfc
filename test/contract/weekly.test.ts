import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAddress } from '../support/builders/client-addresses.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import type { Reply } from '../support/service/test-service.ts';
import { TURZII } from '../support/worlds/contract-world.ts';

const CAPPED = [
  ['/api/v1/judete/CJ', '/api/v1/judete/IS'],
  ['/api/v1/retele', '/api/v1/retele?zeros=1'],
  ['/api/v1/statii', '/api/v1/statii?tip=gpl'],
  [`/api/v1/statie/${TURZII}/istoric`, `/api/v1/statie/${TURZII}/istoric?days=7`],
  ['/api/v1/geocode?q=cluj', '/api/v1/geocode?q=iasi'],
] as const;

let guarded: GuardedServices;
before(async () => {
  guarded = await GuardedServices.start(2);
});
after(() => guarded.close());

const ask = (target: string, from: string, method = 'GET', process = 0): Promise<Reply> =>
  (guarded.services[process] as GuardedServices['service']).ask(target, {
    method,
    headers: { 'X-Forwarded-For': from },
  });

describe('without a key, a second request within a week → 429', () => {
  test('on each capped endpoint separately, whatever its parameters, in every process', async () => {
    const from = newAddress();
    for (const [first, second] of CAPPED) {
      assert.equal((await ask(first, from)).status, 200, first);
      assert.equal((await ask(second, from)).status, 429, second);
      assert.equal((await ask(second, from, 'GET', 1)).status, 429, second);
      assert.equal((await ask(first, newAddress())).status, 200, 'another client');
    }
    for (const open of ['/api/v1/preturi', '/api/v1/preturi/minime', '/api/v1/health'])
      for (const _ of [1, 2]) assert.notEqual((await ask(open, from)).status, 429, open);
  });

  test('says when the next one is accepted, and where to get a key', async () => {
    const from = newAddress();
    await ask('/api/v1/retele', from);
    const { json, headers } = await ask('/api/v1/retele', from);
    const { message, message_en, next_allowed, retry_after_seconds, upgrade_mesaj, upgrade_message, ...rest } = json;
    assert.deepEqual(rest, {
      status: 'error',
      upgrade_url: 'http://127.0.0.1/planuri',
      upgrade_url_en: 'http://127.0.0.1/en/plans',
    });
    for (const text of [message, message_en, upgrade_mesaj, upgrade_message]) assert.equal(typeof text, 'string');
    assert.ok(retry_after_seconds > 7 * 86_400 - 5 && retry_after_seconds <= 7 * 86_400, retry_after_seconds);
    assert.equal(headers['retry-after'], String(retry_after_seconds));
    assert.ok(Math.abs(Date.parse(next_allowed) - Date.now() - 7 * 86_400_000) < 5_000);
    assert.match(next_allowed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.match(String(headers.link), /rel="license".*<http:\/\/127\.0\.0\.1\/planuri>; rel="payment"/);
  });

  test('HEAD counts as GET', async () => {
    const from = newAddress();
    assert.equal((await ask('/api/v1/retele', from, 'HEAD')).status, 200);
    assert.equal((await ask('/api/v1/retele', from)).status, 429);
  });

  test('an invalid request, or one that finds nothing, is answered as such and costs nothing', async () => {
    const from = newAddress();
    assert.equal((await ask('/api/v1/judete/Atlantida', from)).status, 404);
    assert.equal((await ask('/api/v1/judete/CJ?zeros=1&zeros=1', from)).status, 400);
    assert.equal((await ask('/api/v1/judete/CJ', from)).status, 200);
    assert.equal((await ask('/api/v1/judete/Atlantida', from)).status, 404, 'before the limit');
  });

  test('searches of fewer than two letters are never refused, and cost nothing', async () => {
    const from = newAddress();
    for (const _ of [1, 2]) assert.deepEqual((await ask('/api/v1/geocode?q=%20c', from)).json, { results: [] });
    assert.equal((await ask('/api/v1/geocode?q=cluj', from)).status, 200);
    assert.deepEqual((await ask('/api/v1/geocode?q=', from)).json, { results: [] });
  });

  test('exactly one of 500 concurrent requests over two processes is accepted', async () => {
    const from = newAddress();
    const replies = await Promise.all(Array.from({ length: 500 }, (_, i) => ask('/api/v1/retele', from, 'GET', i % 2)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 429).length, 499);
  });

  test('an IPv6 customer is one client, and an IPv4-mapped address is that IPv4 address', async () => {
    assert.equal((await ask('/api/v1/retele', '2001:db8:1:2::1')).status, 200);
    assert.equal((await ask('/api/v1/retele', '2001:db8:1:2:ffff::9')).status, 429);
    assert.equal((await ask('/api/v1/retele', '2001:db8:1:3::1')).status, 200);
    assert.equal((await ask('/api/v1/retele', '192.0.2.77')).status, 200);
    assert.equal((await ask('/api/v1/retele', '::ffff:192.0.2.77')).status, 429);
  });

  test('an address that a client claims in front of the proxy is not trusted', async () => {
    const from = newAddress();
    assert.equal((await ask('/api/v1/retele', `1.1.1.1, ${from}`)).status, 200);
    assert.equal((await ask('/api/v1/retele', `2.2.2.2, ${from}`)).status, 429);
  });
});
