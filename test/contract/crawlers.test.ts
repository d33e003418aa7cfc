import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAddress } from '../support/builders/client-addresses.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { DnsServer } from '../support/simulators/dns-server.ts';

const GPT = 'Mozilla/5.0 AppleWebKit/537.36; compatible; GPTBot/1.1; +https://openai.com/gptbot';
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let dns: DnsServer;
let guarded: GuardedServices;
before(async () => {
  dns = await DnsServer.start();
  guarded = await GuardedServices.start(2, [dns.address]);
});
after(async () => {
  await guarded.close();
  await dns.close();
});

const ask = async (target: string, from: string, agent: string, process = 0) => {
  const headers = { 'X-Forwarded-For': from, 'User-Agent': agent };
  return (guarded.services[process] as GuardedServices['service']).ask(target, { headers });
};

describe('a crawler', () => {
  test('skips the weekly cap 60 times a minute, over all endpoints and processes', async () => {
    const from = newAddress();
    const targets = ['/api/v1/retele', '/api/v1/judete/CJ', '/api/v1/geocode?q=cluj'];
    const replies = await Promise.all(
      Array.from({ length: 70 }, (_, i) => ask(targets[i % 3] as string, from, GPT, i % 2)),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 60);
    const refused = replies.filter(({ status }) => status === 429);
    assert.equal(refused.length, 10);
    for (const { json, headers } of refused) {
      assert.deepEqual(Object.keys(json), ['status', 'message']);
      assert.ok(Number(headers['retry-after']) >= 50 && Number(headers['retry-after']) <= 61);
    }
    assert.equal((await ask('/api/v1/preturi', from, GPT)).status, 200, 'what is not capped is not counted');
  });

  test('is also counted if it requests something that does not exist', async () => {
    const from = newAddress();
    for (let i = 0; i < 60; i += 1) assert.equal((await ask('/api/v1/judete/Atlantida', from, GPT)).status, 404);
    assert.equal((await ask('/api/v1/judete/CJ', from, GPT)).status, 429);
  });

  test('has the weekly cap on stations and histories if DNS cannot confirm its operator', async () => {
    const from = newAddress();
    assert.equal((await ask('/api/v1/statii', from, GPT)).status, 200);
    const { status, json } = await ask('/api/v1/statii', from, GPT);
    assert.deepEqual([status, 'next_allowed' in json], [429, true]);
  });

  test('skips that cap too, with the public sample, if forward and reverse DNS confirm its operator', async () => {
    const from = newAddress();
    dns.setPtr(from, ['crawl-1.googlebot.com']);
    dns.setA('crawl-1.googlebot.com', [from]);
    for (const _ of [1, 2, 3]) assert.equal((await ask('/api/v1/statii', from, GOOGLE)).status, 200);
    const rest = await Promise.all(Array.from({ length: 65 }, () => ask('/api/v1/statii', from, GOOGLE)));
    assert.equal(rest.filter(({ status }) => status === 200).length, 57, '60 a minute');
  });

  test('has that cap if only its User-Agent names a crawler', async () => {
    const from = newAddress();
    dns.setPtr(from, ['crawl-1.googlebot.com.evil.example']);
    dns.setA('crawl-1.googlebot.com.evil.example', [from]);
    assert.equal((await ask('/api/v1/statii', from, GOOGLE)).status, 200);
    assert.equal((await ask('/api/v1/statii', from, GOOGLE)).status, 429);
    assert.equal((await ask('/api/v1/statii', from, 'curl/8 (ClaudeBot-assisted)')).status, 429);
  });
});
