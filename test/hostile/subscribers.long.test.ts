/** One address subscribes without end to push messages: what others get meanwhile. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createPushSubscriptions } from '../../src/app/push-subscriptions.ts';
import { trustedProxies } from '../../src/config/address-lists.ts';
import { pushHosts } from '../../src/config/web-push-settings.ts';
import { SimulatedBrowser } from '../../src/simulation/browser.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { subscriberHash } from '../support/database/named-hashes.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';

const SUBSCRIBERS = 200;
/** Of each test; each sends at most the 5 requests that it may send in a second. */
const KEYS = 8;
const KEY_REQUESTS = 40;
const ATTACKER = '198.51.100.1';
const HOST = 'https://push.example.com';
const silentLog = { info: () => undefined, warn: () => undefined };
const { p256dh, auth } = new SimulatedBrowser();

let guarded: GuardedServices;
let keys: string[];
before(async () => {
  guarded = await GuardedServices.start(1, null, (database, hashes) => {
    const settings = { TRUSTED_PROXIES: trustedProxies('127.0.0.1'), PUSH_HOSTS: pushHosts(HOST), vapid: null };
    return { push: createPushSubscriptions(settings, { database, hashes, log: silentLog }) };
  });
  const created = await Promise.all(Array.from({ length: 2 * KEYS }, () => guarded.key({ plan: 'business' })));
  keys = created.map(({ key }) => key);
});
after(() => guarded.close());

async function subscribeOnce(from: string): Promise<number> {
  const { status } = await guarded.service.ask('/api/v1/push/subscribe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ endpoint: `${HOST}/${randomBytes(8).toString('hex')}`, p256dh, auth }),
  });
  return status;
}

async function statusesOfKeyHolders(): Promise<number[]> {
  const own = keys.splice(0, KEYS);
  const statuses: number[] = [];
  for (let sent = 0; sent < KEY_REQUESTS; sent += 1) {
    const headers = { 'X-Api-Key': own[sent % KEYS] as string };
    statuses.push((await guarded.service.ask('/api/v1/judete/CJ', { headers })).status);
  }
  return statuses;
}

describe(`while ${SUBSCRIBERS} connections of one address subscribe without end`, () => {
  test('key holders and other subscribers are served, and the address waits for no connection', async () => {
    const { pool } = guarded.database;
    let isOver = false;
    let mostWaiting = 0;
    const flood = Array.from({ length: SUBSCRIBERS }, async () => {
      while (!isOver) {
        assert.equal(await subscribeOnce(ATTACKER), 200);
        mostWaiting = Math.max(mostWaiting, pool.waitingCount);
        await setImmediate();
      }
    });
    const others = [newAddress(), newAddress(), newAddress()];
    const [keyed, subscribed] = await Promise.all([
      statusesOfKeyHolders(),
      Promise.all(others.map((from) => subscribeOnce(from))),
    ]);
    isOver = true;
    await Promise.all(flood);
    assert.deepEqual(new Set(keyed), new Set([200]));
    assert.deepEqual(subscribed, [200, 200, 200]);
    assert.equal(mostWaiting, 0);
    const { rows } = await pool.query('select count(*)::int as count from push_subscriptions where client = $1', [
      (await subscriberHash(guarded.database, ATTACKER)).current,
    ]);
    assert.deepEqual(rows, [{ count: 20 }]);
  });

  test('key holders are served even while the database stores none of the subscriptions', async () => {
    const { pool } = guarded.database;
    await pool.query(`create function wait_for_the_test() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return null; end';
      create trigger wait before insert on push_subscriptions for each statement execute function wait_for_the_test()`);
    const lockHolder = await pool.connect();
    await lockHolder.query('select pg_advisory_lock(1)');
    const flood = Array.from({ length: SUBSCRIBERS }, () => subscribeOnce(ATTACKER));
    const keyed = await statusesOfKeyHolders();
    await lockHolder.query('select pg_advisory_unlock(1)');
    lockHolder.release(true);
    assert.deepEqual(new Set(keyed), new Set([200]));
    assert.ok((await Promise.all(flood)).every((status) => status === 200 || status === 503));
  });
});
