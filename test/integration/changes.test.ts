/** The feed of changes on a real database: who is told, how soon, and what it costs a key. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChangeLog } from '../../src/api/changes/change-log.ts';
import { ChangeTeller } from '../../src/worker/changes/change-teller.ts';
import { followChanges } from '../../src/worker/serving/change-follower.ts';
import { EventClient } from '../support/changes/event-client.ts';
import { changesAfter } from '../support/changes/feed-reader.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { COLLECTION_SETTINGS, setUpCollector } from '../support/collection/collector-fixture.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';

const PATH = '/api/v1/modificari';
const silentLog = { info: () => undefined, warn: () => undefined };

const { database, fakeSource, bench } = setUpCollector();

const OPTIONS = { database, settings: COLLECTION_SETTINGS, clock: () => bench.clock.now, log: silentLog };

describe('a publication', () => {
  test('is told once by workers that run side by side, to every process that follows', async (t) => {
    // Only notifications wake anybody.
    const options = { ...OPTIONS, pollMs: 3_600_000 };
    fakeSource.respondsWith({ R1: { petrol: 7_500 } });
    await bench.run('2026-11-20T08:00Z', { force: true });
    const tellers = [new ChangeTeller(options), new ChangeTeller(options)];
    const logs = [new ChangeLog(), new ChangeLog()];
    const followers = logs.map((log) => followChanges(database, log, { ...options, servedVersion: () => 0 }));
    t.after(() => Promise.all([...tellers, ...followers].map((each) => each.close())));
    for (const teller of tellers) teller.start();
    await Promise.all(logs.map((log) => waitFor('the first state', 10_000, () => log.head !== null)));
    for (const [index, petrol] of [7_450, 7_400, 7_350].entries()) {
      fakeSource.respondsWith({ R1: { petrol } });
      await bench.run(`2026-11-20T09:0${index}Z`, { force: true });
      await Promise.all(logs.map((log) => waitFor('the change', 10_000, () => log.head?.seq === index + 1)));
    }
    const [one, other] = logs.map((log) => changesAfter(log, 0));
    assert.deepEqual(one, other);
    assert.deepEqual(
      one?.map(({ pret_vechi, pret_nou }) => [pret_vechi, pret_nou]),
      [
        [7.5, 7.45],
        [7.45, 7.4],
        [7.4, 7.35],
      ],
    );
  });

  test('whose changes nobody tells is reported by each process that follows', async (t) => {
    fakeSource.respondsWith({ R1: { petrol: 7_500 } });
    await bench.run('2026-11-20T08:00Z', { force: true });
    let now = bench.clock.now;
    await new ChangeTeller(OPTIONS).tell();
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (line: string) => warnings.push(line) };
    const holder = new ChangeLog();
    const follower = followChanges(database, holder, {
      ...{ log, clock: () => now, servedVersion: () => 1, pollMs: 5 },
    });
    t.after(() => follower.close());
    await waitFor('the first state', 10_000, () => holder.head !== null);
    assert.deepEqual(warnings, []);
    now = (holder.head?.until as number) + 60_001;
    await waitFor('the warning', 10_000, () => warnings.length > 0);
    assert.match(warnings[0] ?? '', /^changes of served prices are not told since /);
  });

  test('is told by a worker that runs once', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_500 } });
    await bench.run('2026-11-20T08:00Z', { force: true });
    await new ChangeTeller(OPTIONS).tell();
    const { rows } = await database.pool.query('select version from change_feed');
    assert.equal(rows[0].version, 1);
  });
});

describe('a key', () => {
  let guarded: GuardedServices;
  const feed = new ToldFeed();
  before(async () => {
    feed.tellSome(3);
    guarded = await GuardedServices.start(1, null, () => ({ changes: feed.log }));
  });
  after(() => guarded.close());
  const ask = (key: string, target: string, headers = {}) =>
    guarded.service.ask(target, { headers: { 'X-Api-Key': key, ...headers } });
  const used = async (key: string) => (await ask(key, '/api/v1/cheie')).json.consum_luna;

  test('pays one request for a page, nothing for 304, 400, 404 and 410', async () => {
    const { key } = await guarded.key();
    const { status, headers } = await ask(key, PATH);
    assert.deepEqual([status, await used(key)], [200, 1]);
    assert.equal((await ask(key, PATH, { 'If-None-Match': headers.etag })).status, 304);
    const other = (await guarded.key()).key;
    for (const [query, refused] of [
      ['?dupa=x', 400],
      ['?judet=Atlantida', 404],
      ['?dupa=epoch_99.1', 410],
    ])
      assert.equal((await ask(other, `${PATH}${query}`)).status, refused);
    assert.deepEqual([await used(key), await used(other)], [1, 0]);
  });

  test('pays one request for a stream, which lasts a minute at most, and sees its quota', async () => {
    const { key } = await guarded.key();
    const client = await EventClient.connect(guarded.service.port, `${PATH}/flux?dupa=${EPOCH}.0`, {
      'X-Api-Key': key,
    });
    await client.until(({ events }) => events.length === 3);
    assert.equal(client.headers['x-ratelimit-remaining'], String(Number(client.headers['x-ratelimit-limit']) - 1));
    client.close();
    assert.equal(await used(key), 1);
  });
});
