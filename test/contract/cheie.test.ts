import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setCap } from '../../src/store/keys/holder-changes.ts';
import { revokeKey, updateKey } from '../../src/store/keys/keys.ts';
import { aFetch, aSubscribedKey } from '../support/builders/billing-fixture.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import type { Reply } from '../support/service/test-service.ts';

const PATH = '/api/v1/cheie';

let guarded: GuardedServices;
before(async () => {
  guarded = await GuardedServices.start();
});
after(() => guarded.close());

const ask = (target: string, key: string, method = 'GET') =>
  guarded.service.ask(target, { method, headers: { 'X-Api-Key': key } });
const rate = ({ headers }: Reply) => ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);

/** Unix time in seconds of the start of the next month in UTC. */
function nextMonth(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000;
}

describe('GET /api/v1/cheie → 200', () => {
  test('plan, quota and usage of a key that was never used', async () => {
    const { key } = await aSubscribedKey(guarded.database, 'sub_1', aFetch(Date.now()));
    await guarded.knows(key);
    const { status, json, headers } = await ask(PATH, key);
    assert.equal(status, 200);
    const { creata, zilnic, ...rest } = json;
    assert.deepEqual(rest, {
      status: 'ok',
      plan: 'pro',
      plan_nume: 'Pro',
      limita_lunara: 100_000,
      consum_luna: 0,
      total_cereri: 0,
      ultima_folosire: null,
      abonament: true,
    });
    assert.match(creata, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.equal(zilnic.length, 30);
    assert.equal(headers['x-ratelimit-remaining'], '100000');
  });

  test('abonament of a key that an operator tied to a subscription', async () => {
    const { key } = await guarded.key({ plan: 'dedicat', quota: 5, subscription: 'contract-7' });
    assert.equal((await ask(PATH, key)).json.abonament, true);
  });

  test('the last 30 days in UTC, oldest first, days without requests as 0; only 200 answers count', async () => {
    const { key } = await guarded.key({ plan: 'dedicat', quota: 77 });
    assert.equal((await ask('/api/v1/retele', key)).status, 200);
    assert.equal((await ask('/api/v1/judete/CJ', key, 'HEAD')).status, 200);
    assert.equal((await ask('/api/v1/judete/Atlantida', key)).status, 404);
    const { json } = await ask(PATH, key);
    assert.deepEqual(
      [json.limita_lunara, json.consum_luna, json.total_cereri, json.abonament, json.plan_nume],
      [77, 2, 2, false, 'Dedicat'],
    );
    assert.match(json.ultima_folosire, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    const days = json.zilnic.map(({ zi }: { zi: string }) => Date.parse(zi) / 86_400_000);
    for (const [index, day] of days.entries()) assert.equal(day, days[0] + index);
    assert.equal(
      json.zilnic.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
      2,
    );
    assert.equal(json.zilnic[29].count, 2);
  });

  test('costs no quota, and still answers when the quota is used up', async () => {
    const { key } = await guarded.key({ quota: 1 });
    assert.equal((await ask('/api/v1/retele', key)).status, 200);
    assert.equal((await ask('/api/v1/retele', key)).status, 429);
    const { status, json } = await ask(PATH, key);
    assert.deepEqual([status, json.consum_luna], [200, 1]);
  });

  test('reports a changed quota within a second', async () => {
    const { id, key } = await guarded.key();
    await updateKey(guarded.database, id, { quota: 5 });
    await waitFor('the new quota', 1_000, async () => rate(await ask('/api/v1/preturi/minime', key))[0] === '5');
    assert.equal((await ask(PATH, key)).json.limita_lunara, 5);
  });
});

describe('GET /api/v1/cheie → 401', () => {
  test('without a key, with an empty, mistyped or unknown one', async () => {
    const { key } = await guarded.key();
    const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    assert.equal((await guarded.service.ask(PATH)).status, 401);
    for (const wrong of ['', ' ', 'x', other, key.toUpperCase(), `${key} `.repeat(2)])
      assert.equal((await ask(PATH, wrong)).status, 401, JSON.stringify(wrong));
  });
});

describe('answers to a valid key', () => {
  test('contain all data, and report the quota on every endpoint and status', async () => {
    const { key } = await guarded.key({ quota: 40 });
    const cities = await ask('/api/v1/preturi', key);
    assert.deepEqual([cities.status, cities.json.nota], [200, undefined]);
    assert.deepEqual(rate(cities), ['40', '39', String(nextMonth())]);
    const refused = await ask('/api/v1/statii?raza=x', key);
    assert.deepEqual([refused.status, ...rate(refused)], [400, '40', '39', String(nextMonth())]);
    const unknown = await ask('/api/v1/judete/Atlantida', key);
    assert.deepEqual([unknown.status, rate(unknown)[1]], [404, '39']);
    for (const open of ['/api/v1/preturi/minime', '/api/v1/health', '/api/v1/openapi.json']) {
      const answer = await ask(open, key);
      assert.deepEqual(rate(answer), ['40', '39', String(nextMonth())], open);
    }
    assert.deepEqual(rate(await ask('/openapi.json', key)), [undefined, undefined, undefined]);
  });

  test('have the quota headers also where the method or path does not exist', async () => {
    const { key } = await guarded.key({ quota: 40 });
    for (const [method, target, status] of [
      ['DELETE', '/api/v1/preturi', 405],
      ['PUT', PATH, 405],
      ['GET', '/api/v1/review', 405],
      ['OPTIONS', '/api/v1/retele', 204],
      ['OPTIONS', '/api/v1/push/subscribe', 204],
      ['GET', '/api/v1/nope', 404],
      ['POST', '/api/v1/', 404],
      ['GET', '/api/v1/judete/', 404],
      ['GET', '/api/preturi', 410],
    ] as const) {
      const answer = await ask(target, key, method);
      assert.deepEqual(
        [answer.status, ...rate(answer)],
        [status, '40', '40', String(nextMonth())],
        `${method} ${target}`,
      );
      assert.deepEqual(rate(await ask(target, `${key}x`, method)), [undefined, undefined, undefined]);
    }
  });

  test('cost nothing if the search is too short to find anything', async () => {
    const { key } = await guarded.key({ quota: 2 });
    const { status, json, headers } = await ask('/api/v1/geocode?q=c', key);
    assert.deepEqual([status, json.results, headers['x-ratelimit-remaining']], [200, [], '2']);
  });

  test('are not affected by a bad key where none is needed', async () => {
    for (const wrong of ['', 'pompa_live_x']) {
      const { status, headers } = await ask('/api/v1/preturi/minime', wrong);
      assert.deepEqual([status, headers['x-ratelimit-limit']], [200, undefined]);
    }
  });

  test('refuse a bad key before a bad parameter', async () => {
    assert.equal((await ask('/api/v1/statii?raza=x', 'pompa_live_x')).status, 401);
  });

  test('are not given to a request with two keys', async () => {
    const { key } = await guarded.key();
    const raw = await guarded.service.raw(
      `GET /api/v1/retele HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(raw, /^HTTP\/1\.1 401 /);
  });
});

describe('the monthly quota → 429', () => {
  test('states the quota, the plans and when the quota resets', async () => {
    const { key } = await guarded.key({ quota: 1 });
    await ask('/api/v1/retele', key);
    const { status, json, headers } = await ask('/api/v1/retele', key);
    assert.equal(status, 429);
    const { message, ...rest } = json;
    assert.deepEqual(rest, { status: 'error', limit: 1, upgrade_url: 'http://127.0.0.1/planuri' });
    assert.equal(typeof message, 'string');
    assert.deepEqual(
      [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']],
      ['1', '0', String(nextMonth())],
    );
    const left = nextMonth() - Date.now() / 1000;
    assert.ok(Math.abs(Number(headers['retry-after']) - left) < 10, String(headers['retry-after']));
  });

  test('says where the limit is the holder’s own, and where it is changed', async () => {
    const { id, key } = await guarded.key({ quota: 100 });
    assert.equal(await setCap(guarded.database, id, 0), true);
    await waitFor('the limit', 1_000, async () => rate(await ask('/api/v1/preturi/minime', key))[0] === '0');
    const { message, limit } = (await ask('/api/v1/retele', key)).json;
    assert.match(
      message,
      /^Limita lunară de 0 cereri, pe care deținătorul a stabilit-o .*: http:\/\/127\.0\.0\.1\/cont\.$/,
    );
    assert.equal(limit, 0);
    assert.equal(await setCap(guarded.database, id, 101), false, 'above the quota');
  });

  test('is exact: with 3 left, 200 concurrent requests over two processes get 3 accepted', async (t) => {
    const pair = await GuardedServices.during(t, 2);
    const { key } = await pair.key({ quota: 3 });
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        (pair.services[i % 2] as GuardedServices['service']).ask('/api/v1/retele', { headers: { 'X-Api-Key': key } }),
      ),
    );
    const ok = replies.filter(({ status }) => status === 200);
    assert.equal(ok.length, 3);
    assert.deepEqual(ok.map((reply) => rate(reply)[1]).sort(), ['0', '1', '2']);
    const rest = replies.filter(({ status }) => status === 429);
    assert.equal(rest.length, 197);
  });
});

describe('the rate limit → 429', () => {
  test('refuse the sixth request within a second, and do not count it', async () => {
    const { key } = await guarded.key({ quota: 100 });
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('/api/v1/retele', key)));
    const refused = replies.filter(({ status }) => status === 429);
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
    for (const { json, headers } of refused) {
      const { message, ...rest } = json;
      const wait = Number(headers['retry-after']);
      assert.ok(wait === 1 || wait === 2, 'a little more than a second if all came within one millisecond');
      assert.deepEqual(rest, { status: 'error', retry_after_seconds: wait });
      assert.equal(headers['x-ratelimit-limit'], '100');
    }
    await waitFor('a free slot', 3_000, async () => (await ask('/api/v1/retele', key)).status === 200);
    assert.equal((await ask(PATH, key)).headers['x-ratelimit-remaining'], '94');
  });

  test('apply to answers that cost no quota, too', async () => {
    const { key } = await guarded.key({ quota: 100 });
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('/api/v1/geocode?q=c', key)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
    const refused = replies.filter(({ status }) => status === 429);
    for (const { json, headers } of refused) {
      assert.deepEqual(Object.keys(json), ['status', 'message', 'retry_after_seconds']);
      assert.equal(headers['x-ratelimit-remaining'], '100');
    }
  });

  test('let an invalid request be refused as such, whether the limit is reached or not', async () => {
    const { key } = await guarded.key();
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('/api/v1/statii?tip=apa', key)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([400]));
    assert.equal((await ask('/api/v1/retele', key)).status, 429, 'they counted towards the limit');
  });
});

describe('a revoked key → 401', () => {
  test('within a second', async () => {
    const { id, key } = await guarded.key();
    assert.equal((await ask(PATH, key)).status, 200);
    await revokeKey(guarded.database, id);
    await waitFor('401', 1_000, async () => (await ask(PATH, key)).status === 401);
  });
});

test('a valid key has its headers on a refusal for the address of a request, too, which costs nothing', async () => {
  const { key } = await guarded.key({ quota: 100 });
  for (const [path, status] of [
    ['/api/v1/nimic', 404],
    ['/api/v1/judete/%ff', 400],
    [`/api/v1/reviews/${'a'.repeat(501)}`, 414],
  ] as const) {
    const refused = await ask(path, key);
    assert.deepEqual([refused.status, ...rate(refused).slice(0, 2)], [status, '100', '100'], path);
    assert.equal(rate(await ask(path, `${key}x`))[0], undefined, path);
  }
});
