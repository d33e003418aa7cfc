import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createPushSubscriptions } from '../../src/app/push-subscriptions.ts';
import { trustedProxies } from '../../src/config/address-lists.ts';
import type { Config } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { pushHosts } from '../../src/config/web-push-settings.ts';
import { openDatabase } from '../../src/store/connection/database.ts';
import type { DatabaseConnection } from '../../src/store/connection/database-connection.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { AddressHash } from '../../src/store/limits/address-hash.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { aStation, recordsOf, trusted } from '../support/builders/snapshot-builders.ts';
import { DatabaseProxy } from '../support/database/database-proxy.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { LateDatabase } from '../support/database/late-database.ts';
import { subscriberHash } from '../support/database/named-hashes.ts';
import { saveSubscription } from '../support/database/stored-push.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { TestService } from '../support/service/test-service.ts';
import { timed } from '../support/stopwatch.ts';
import { world } from '../support/worlds/contract-world.ts';

const KEY = '/api/v1/push/vapid-key';
const SUBSCRIBE = '/api/v1/push/subscribe';
const FCM = 'https://fcm.googleapis.com/fcm/send/';
const pair = createECDH('prime256v1');
const KEYS = { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
const VAPID = { publicKey: 'BPublic', privateKey: '', subject: '' };
/** The limit of one process. */
const CONNECTIONS = 10;
const silentLog = { info: () => undefined, warn: () => undefined };
const hashes = new AddressHash();
const HOSTS = pushHosts(`${SETTINGS.PUSH_HOSTS.defaultText}, http://127.0.0.1:9000`);
const CONFIG = { TRUSTED_PROXIES: trustedProxies('127.0.0.1'), PUSH_HOSTS: HOSTS };
const TURDA = aStation({ id: 'abcdefabcdef', city: 'Turda', citySlug: 'turda' });

const pushOn = (connection: DatabaseConnection, vapid: Config['vapid'] = VAPID, own = hashes) =>
  createPushSubscriptions({ ...CONFIG, vapid }, { database: connection, hashes: own, log: silentLog });

let database: TestDatabase;
let service: TestService;
before(async () => {
  database = await testDatabase();
  await hashes.readKeys(database);
  service = await TestService.start({
    push: pushOn(database),
    snapshot: world({ records: recordsOf(TURDA, { lpg: trusted(4_000) }) }),
  });
});
after(async () => {
  await service.api.close();
  await database.drop();
});

const post = (body: object | string, address = newAddress(), to = service) =>
  to.ask(SUBSCRIBE, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const newSubscription = (more: object = {}) => ({ endpoint: FCM + randomBytes(8).toString('hex'), ...KEYS, ...more });
const storedSubscriptions = async (endpoint: string) =>
  (await database.pool.query('select * from push_subscriptions where endpoint = $1', [endpoint])).rows;

describe('GET /api/v1/push/vapid-key', () => {
  test('→ 200: the public key, and nothing of the private one', async () => {
    const { status, json } = await service.ask(KEY);
    assert.equal(status, 200);
    assert.deepEqual(json, { status: 'ok', publicKey: 'BPublic' });
  });

  test('→ 500 in the standard envelope if none is configured', async (t) => {
    const without = await TestService.during(t, {
      push: pushOn(database, null),
    });
    const { status, json } = await without.ask(KEY);
    assert.equal(status, 500);
    assert.deepEqual(Object.keys(json), ['status', 'message']);
    assert.equal(json.status, 'error');
  });
});

describe('POST /api/v1/push/subscribe → 200', () => {
  test('the page determines the city and the fuel, whatever else is sent', async () => {
    const pages: [page: unknown, city: string | null, fuel: string | null][] = [
      [undefined, null, null],
      ['/', null, null],
      ['', null, null],
      ['/preturi-carburanti/cluj-napoca', 'Cluj-Napoca', null],
      ['/preturi-carburanti/targu-mures/benzina', 'Targu Mures', 'benzina_standard'],
      ['/preturi-carburanti/targu-mures/benzina-premium/', 'Targu Mures', 'benzina_premium'],
      ['/preturi-carburanti/iasi/motorina?x=1#y', 'Iasi', 'motorina_standard'],
      ['https://pompa.example.ro/preturi-carburanti/iasi/motorina-premium', 'Iasi', 'motorina_premium'],
      ['/preturi-carburanti/iasi/gpl', 'Iasi', 'gpl'],
      ['/preturi-carburanti/iasi/kerosen', 'Iasi', null],
      ['/preturi-carburanti/iasi/gpl/more', null, null],
      ['/preturi-carburanti/atlantida/gpl', null, 'gpl'],
      ['/judet/CJ', null, null],
      [`/statie/petrom-turda-${TURDA.id}`, 'Turda', null],
      [`/statie/old-name-${TURDA.id}`, 'Turda', null],
      ['/statie/petrom-turda-ffffffffffff', null, null],
      ['//[bad', null, null],
      ['http://169.254.169.254/latest', null, null],
      ['constructor/__proto__', null, null],
    ];
    for (const [pagina, city, fuel] of pages) {
      const { status, json } = await post(newSubscription({ pagina, oras: 'Brad', tip_carburant: 7, prag_pret: [] }));
      assert.deepEqual([status, json.status, json.oras, json.tip_carburant], [200, 'ok', city, fuel], String(pagina));
      assert.equal(typeof json.message, 'string');
    }
  });

  test('stores the endpoint once, the last page, and the address as a hash', async () => {
    const subscription = newSubscription({ pagina: '/preturi-carburanti/cluj-napoca/gpl' });
    await post(subscription, '10.200.0.1');
    const [first] = await storedSubscriptions(subscription.endpoint);
    assert.deepEqual([first.city, first.fuel, first.origin], ['cluj-napoca', 4, 'https://fcm.googleapis.com']);
    assert.equal(first.client.length, 16);
    await post({ ...subscription, pagina: '/' }, '10.200.0.2');
    const [again, ...more] = await storedSubscriptions(subscription.endpoint);
    assert.deepEqual([again.id, again.city, again.fuel, more.length], [first.id, null, null, 0]);
    assert.notDeepEqual(again.client, first.client);
  });

  test('one browser is one subscription, however its endpoint URL is spelled', async () => {
    const { endpoint } = newSubscription();
    const [, path] = endpoint.split('googleapis.com') as [string, string];
    const spellings = [
      `HTTPS://FCM.googleapis.com:443${path}`,
      `https:fcm.googleapis.com/x/..${path}`,
      ` https:\\\\fcm.googleapis.com${path} `,
    ];
    for (const spelled of [endpoint, ...spellings])
      assert.equal((await post(newSubscription({ endpoint: spelled }))).status, 200);
    assert.equal((await storedSubscriptions(endpoint)).length, 1);
    for (const spelled of spellings) assert.deepEqual(await storedSubscriptions(spelled), []);
    const strange = `${endpoint}\u0000\ud800`;
    assert.equal((await post(newSubscription({ endpoint: strange }))).status, 200, 'what no text column can store');
    assert.equal((await storedSubscriptions(`${endpoint}%00%EF%BF%BD`)).length, 1);
  });

  test('a host that the operator configured may be private and without TLS', async () => {
    assert.equal((await post(newSubscription({ endpoint: 'http://127.0.0.1:9000/push/1' }))).status, 200);
  });

  test('keeps 20 subscriptions per address, even if 50 arrive at once; never refuses the newest', async () => {
    const subscriptions = Array.from({ length: 50 }, () => newSubscription());
    const answers = await Promise.all(subscriptions.map((subscription) => post(subscription, '10.201.0.1')));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(
      (await Promise.all(subscriptions.map(({ endpoint }) => storedSubscriptions(endpoint)))).flat().length,
      20,
    );
    const last = newSubscription();
    await post(last, '10.201.0.1');
    assert.equal((await storedSubscriptions(last.endpoint)).length, 1);
    const left = await Promise.all(subscriptions.map(({ endpoint }) => storedSubscriptions(endpoint)));
    assert.equal(left.flat().length, 19);
  });

  test('replaces the oldest subscription of an address first, and a renewed one counts as new', async () => {
    const client = await subscriberHash(database, '192.0.2.7');
    const ids: number[] = [];
    const subscription = (n: number) => ({
      endpoint: `${FCM}order-${n}`,
      p256dh: Buffer.alloc(65),
      auth: Buffer.alloc(16),
      city: null,
      fuel: null,
    });
    for (let n = 0; n < 20; n += 1) ids.push(await saveSubscription(database, subscription(n), client));
    assert.equal(await saveSubscription(database, subscription(0), client), ids[0]);
    await saveSubscription(database, subscription(20), client);
    assert.deepEqual(
      [
        (await storedSubscriptions(subscription(0).endpoint)).length,
        (await storedSubscriptions(subscription(1).endpoint)).length,
      ],
      [1, 0],
    );
  });
});

describe('POST /api/v1/push/subscribe → 400', () => {
  test('an endpoint that is not https on a known push service is not stored', async () => {
    for (const endpoint of [
      'http://fcm.googleapis.com/fcm/send/a',
      'https://fcm.googleapis.com:8443/a',
      'https://user@fcm.googleapis.com/a',
      'https://fcm.googleapis.com.evil.example/a',
      'https://evilfcm.googleapis.com/a',
      'https://x.fcm.googleapis.com/a',
      'https://push.apple.com/a',
      'https://.push.apple.com/a',
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/a',
      'http://127.0.0.1:9001/a',
      'https://127.0.0.1:9000/a',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'blob:http://127.0.0.1:9000/a',
      'fcm.googleapis.com/a',
      `${FCM}${'a'.repeat(2_000)}`,
    ]) {
      const { status, json } = await post(newSubscription({ endpoint }));
      assert.deepEqual([status, json.status], [400, 'error'], endpoint);
      assert.deepEqual(await storedSubscriptions(endpoint), []);
    }
    assert.equal(
      (await post(newSubscription({ endpoint: 'https://web.push.apple.com/a' }))).status,
      200,
      'a valid one is accepted',
    );
  });

  test('a field that is missing, of the wrong type, or of the wrong length', async () => {
    for (const wrong of [
      { endpoint: undefined },
      { endpoint: 5 },
      { endpoint: ' ' },
      { p256dh: undefined },
      { p256dh: randomBytes(64).toString('base64url') },
      { p256dh: `${KEYS.p256dh.slice(0, -1)}+` },
      { auth: undefined },
      { auth: null },
      { auth: randomBytes(17).toString('base64url') },
      { auth: 'short' },
      { pagina: 5 },
      { pagina: ['/'] },
    ]) {
      const { status, json } = await post(newSubscription(wrong));
      assert.equal(status, 400, JSON.stringify(wrong));
      assert.match(json.message, new RegExp(`„${Object.keys(wrong)[0]}”`));
    }
    for (const body of ['', '[]', '"x"', 'null', '{"endpoint":']) assert.equal((await post(body)).status, 400, body);
  });
});

describe('POST /api/v1/push/subscribe → 503', () => {
  test('while the database is unavailable; the public key is still served', async (t) => {
    const lateHashes = new AddressHash();
    const late = new LateDatabase((opened) => lateHashes.readKeys(opened));
    t.after(() => late.close());
    const away = await TestService.during(t, { push: pushOn(late.connection, VAPID, lateHashes) });
    assert.equal((await post(newSubscription(), newAddress(), away)).status, 503);
    const broken = await testDatabase();
    await late.open(broken);
    assert.equal((await post(newSubscription(), newAddress(), away)).status, 200);
    await broken.drop();
    const { status, json } = await post(newSubscription(), newAddress(), away);
    assert.deepEqual([status, Object.keys(json)], [503, ['status', 'message']]);
    assert.equal((await away.ask(KEY)).status, 200);
    assert.equal(
      (await post(newSubscription({ endpoint: 'http://x/' }), newAddress(), away)).status,
      400,
      'an invalid request is refused first',
    );
  });

  test('in time while the database is silent, and no connection is held after the answer', async (t) => {
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    t.after(() => proxy.close());
    const proxied = await openDatabase<Schema>({ databaseUrl: proxy.url, dataDir: '', log: silentLog });
    t.after(() => proxied.close());
    const service = await TestService.during(t, { push: pushOn(proxied) });
    const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => proxied.pool.connect()));
    for (const client of all) client.release();
    proxy.hang();
    const subscribe = () => post(newSubscription(), newAddress(), service);
    const { ms, result: answers } = await timed(() => Promise.all(Array.from({ length: CONNECTIONS }, subscribe)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]));
    assert.ok(ms < 3_000, `${ms} ms`);
    const free = () => proxied.pool.totalCount === proxied.pool.idleCount;
    await waitFor('the connections to be released', 1_000, free);
    proxy.open();
    await waitFor('subscriptions to be stored again', 5_000, async () => (await subscribe()).status === 200);
  });
});
