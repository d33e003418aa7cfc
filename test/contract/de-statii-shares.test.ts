/** What one address, or one network, may take of the German budget from the others. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { createGermanSearchService, type GermanSearchDependencies } from '../../src/api/endpoints/german-search.ts';
import { createTankerkoenig } from '../../src/clients/tankerkoenig.ts';
import type { GermanPlace } from '../../src/domain/places/german-places.ts';
import { loadGermanPlaces } from '../../src/geodata/load-german-places.ts';
import { type Database, openDatabase } from '../../src/store/connection/database.ts';
import type { DatabaseConnection } from '../../src/store/connection/database-connection.ts';
import { GermanStore } from '../../src/store/germany/german-store.ts';
import type { KeyedHasher } from '../../src/store/limits/address-hash.ts';
import { addressHashOn } from '../support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { aWaitingSite } from '../support/service/site-builders.ts';
import { TestService } from '../support/service/test-service.ts';
import { aGermanList, GermanSourceDouble, json } from '../support/simulators/german-source.ts';

const PATH = '/api/v1/de-statii';
const BERLIN = `${PATH}?lat=52.5219&lng=13.4132&rad=5`;
const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let hasher: KeyedHasher;
/** The same database, as another process connects to it. */
let otherDatabase: Database;
let upstream: GermanSourceDouble;
before(async () => {
  database = await testDatabase();
  hasher = (await addressHashOn(database)).for('german shares');
  otherDatabase = await openDatabase({ databaseUrl: database.url, dataDir: '', log: silentLog });
});
after(async () => {
  await otherDatabase.close();
  await database.drop();
});
beforeEach(async () => {
  upstream = await GermanSourceDouble.start();
  await database.pool.query(`truncate german_answers; update german_budget
    set recent = '{}', caller_times = '{}', caller_clients = '{}', caller_networks = '{}'`);
});
afterEach(() => upstream.close());

/** The address in X-Forwarded-For, of its /24; those that tests make up (10.x) are of a network of their own. */
const byHeader: GermanSearchDependencies['identify'] = ({ headers }) => {
  const client = String(headers['x-forwarded-for']);
  return { client, network: /^10\..+|^\d+\.\d+\.\d+/.exec(client)?.[0] ?? client };
};
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

/** A process with the German channel, by default on the shared database. */
function startInstance(t: TestContext, perHour: number, on: DatabaseConnection = database): Promise<TestService> {
  const source = createTankerkoenig({ url: upstream.url, apiKey: 'x', userAgent: 'Pompa test', allowPrivate: true });
  t.after(() => source.close());
  const store = new GermanStore(on, perHour, hasher);
  return TestService.during(t, {
    germany: createGermanSearchService({ source, store, identify: byHeader, log: silentLog }),
  });
}

const statusOf = async (service: TestService, target: string) => (await service.ask(target)).status;
const statuses = (service: TestService, targets: readonly string[]) =>
  Promise.all(targets.map((target) => statusOf(service, target)));
/** Points in different cells. */
const cells = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `${PATH}?lat=${50 + (from + at) / 100}&lng=9`);

describe('GET /api/v1/de-statii → 503', () => {
  test('over the budget of all processes, failed calls included; cached answers are still served', async (t) => {
    const perHour = 4;
    const [one, other] = [await startInstance(t, perHour), await startInstance(t, perHour, otherDatabase)];
    assert.equal(await statusOf(one, BERLIN), 200);
    upstream.answer = json({ ok: false });
    assert.equal(await statusOf(other, cells(1)[0] as string), 502);
    upstream.answer = json(aGermanList());
    const rest = await Promise.all([statuses(one, cells(10, 10)), statuses(other, cells(10, 20))]);
    assert.deepEqual(rest.flat().filter((status) => status === 200).length, 2);
    assert.deepEqual(new Set(rest.flat()), new Set([200, 503]));
    assert.equal(upstream.queries.length, 4);
    const { status, headers } = await one.ask(cells(1, 40)[0] as string);
    assert.equal(status, 503);
    assert.ok(Number(headers['retry-after']) > 3_500 && Number(headers['retry-after']) <= 3_601);
    assert.equal(await statusOf(other, BERLIN), 200);
  });

  test('for an address that has caused a quarter of the hour’s calls; all others get theirs', async (t) => {
    const processes = [await startInstance(t, 12), await startInstance(t, 12, otherDatabase)];
    const greedy = await Promise.all(
      cells(20).map(async (target, at) => (await processes[at % 2]?.ask(target, from('6.6.6.6')))?.status),
    );
    assert.deepEqual([upstream.queries.length, greedy.filter((status) => status === 503).length], [3, 17]);
    const [service] = processes as [TestService];
    for (const address of ['6.6.6.7', '7.7.7.7', '8.8.8.8']) {
      for (const target of cells(3, 100 + upstream.queries.length * 10)) {
        assert.equal((await service.ask(target, from(address))).status, 200, `${address} ${target}`);
      }
    }
    assert.equal(upstream.queries.length, 12);
    const [known] = cells(1, 130);
    assert.equal(
      (await service.ask(known as string, from('6.6.6.6'))).status,
      200,
      'a cached answer does not use up the share',
    );
  });

  test('an address over its share does not delay others that ask for the same at the same time', async (t) => {
    const service = await startInstance(t, 4);
    const [first, second] = cells(2) as [string, string];
    assert.equal((await service.ask(first, from('6.6.6.6'))).status, 200);
    const asked = ['6.6.6.6', '6.6.6.6', '7.7.7.7', '6.6.6.6', '8.8.8.8'].map((address) =>
      service.ask(second, from(address)),
    );
    const got = (await Promise.all(asked)).map(({ status }) => status);
    assert.deepEqual([got[2], got[4]], [200, 200]);
    assert.equal(upstream.queries.length, 2);
  });

  test('not if an answer of the last hour is cached: it is served, and its time shows its age', async (t) => {
    const service = await startInstance(t, 4);
    const { json: fresh } = await service.ask(BERLIN, from('6.6.6.6'));
    await database.pool.query(`update german_answers
      set answered_at = answered_at - interval '50 minutes', asking_until = asking_until - interval '50 minutes'`);
    const restarted = await startInstance(t, 4);
    const { status, json: stale } = await restarted.ask(BERLIN, from('6.6.6.6'));
    assert.equal(status, 200);
    assert.deepEqual(stale.statii, fresh.statii);
    assert.equal(Date.parse(fresh.generat_la) - Date.parse(stale.generat_la), 50 * 60_000);
    const { json: anew } = await restarted.ask(BERLIN, from('7.7.7.7'));
    assert.ok(
      Date.parse(anew.generat_la) >= Date.parse(fresh.generat_la),
      'a client with a share left gets a new answer',
    );
    assert.equal(upstream.queries.length, 2);
  });
});

describe('the page of the German channel', () => {
  test('shows the answer that a request to the API left, and takes no second share of the budget', async (t) => {
    const source = createTankerkoenig({ url: upstream.url, apiKey: 'x', userAgent: 'Pompa test', allowPrivate: true });
    t.after(() => source.close());
    const store = new GermanStore(database, 4, hasher);
    const channel = createGermanSearchService({ source, store, identify: byHeader, log: silentLog });
    const service = await TestService.during(t, { germany: channel });
    const places = loadGermanPlaces();
    const site = aWaitingSite({
      germany: {
        places,
        takeRequest: () => 0,
        find: (search, _, startedAt) => channel.find(search, visitor, startedAt),
      },
    });
    const visitor = { headers: { 'x-forwarded-for': '6.6.6.6' }, peer: {} };
    const { lat, lng } = places.findPlace('Berlin') as GermanPlace;
    assert.equal((await service.ask(`${PATH}?lat=${lat}&lng=${lng}&rad=15`, from('6.6.6.6'))).status, 200);
    const { status, body } = await site('/germania?loc=Berlin');
    assert.equal(status, 200);
    assert.match(body.toString(), /Lindenallee 12\/14, 10178 Berlin/);
    assert.equal(upstream.queries.length, 1);
    const refused = await site('/germania?loc=Hamburg');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['Retry-After']) > 0);
    assert.equal(upstream.queries.length, 1);
  });
});
