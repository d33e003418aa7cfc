import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  at,
  COLLECTION_SETTINGS,
  FakeSource,
  setUpCollector,
} from '../../../test/support/collection/collector-fixture.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { subscriberHash } from '../../../test/support/database/named-hashes.ts';
import { saveSubscription, subscribe, truncatePush } from '../../../test/support/database/stored-push.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { evaluateAlerts } from './evaluate-alerts.ts';
import { simulateAlerts } from './simulate-alerts.ts';

const list = new FakeSource('rompetrol');
const { database, fakeSource, bench } = setUpCollector(list);

beforeEach(() => truncatePush(database));

const judge = () =>
  evaluateAlerts({
    db: database.kysely,
    settings: COLLECTION_SETTINGS,
    clock: () => bench.clock.now,
    log: { info: () => undefined },
  });

/** Two stations report these prices on a day, and due alerts are evaluated. */
async function publish(when: string, petrol: number, more: object = {}): Promise<number> {
  fakeSource.respondsWith({ R1: { petrol }, R2: { petrol: 7_900, ...more } });
  await bench.run(when, { force: true });
  return judge();
}

/** The same in November, where the source gives the day of its prices. */
async function publishDated(when: string, petrol: number, day: number): Promise<number> {
  fakeSource.respondsWith(
    { R1: { petrol }, R2: { petrol: 7_900 } },
    { day: `2026-11-${String(day).padStart(2, '0')}` },
  );
  await bench.run(`2026-11-${when}Z`, { force: true });
  return judge();
}

async function quietWeek(): Promise<void> {
  for (let day = 10; day < 18; day += 1) assert.equal(await publish(`2026-11-${day}T08:00Z`, 7_500), 0);
}

const alerts = async () => (await database.pool.query('select city, fuel, price, facts from alerts order by id')).rows;
const deliveries = async () =>
  (await database.pool.query('select alert_id, subscription_id from alert_deliveries order by 1, 2')).rows;

async function cityOfR1(): Promise<string> {
  const facts = await inReadSnapshot(database.kysely, loadFacts);
  const { records } = buildSnapshot({
    ...COLLECTION_SETTINGS,
    facts,
    now: bench.clock.now,
    history: new PriceHistory(),
  });
  return (
    (records.find(({ verdict }) => 'price' in verdict && verdict.price < 7_900) ?? records[0])?.station.citySlug ?? ''
  );
}

describe('alerts', () => {
  test('fire once per publication, for the subscribers of that place and fuel', async () => {
    const country = await subscribe(database);
    await quietWeek();
    const city = await cityOfR1();
    const inCity = await subscribe(database, { city, fuel: 'petrol' });
    const diesel = await subscribe(database, { city, fuel: 'diesel' });
    const elsewhere = await subscribe(database, { city: 'iasi' });
    assert.equal(await publish('2026-11-18T08:00Z', 7_300), 2);
    const [first, second] = await alerts();
    assert.deepEqual([first.city, first.fuel, first.price], [city, 0, 7_300]);
    assert.deepEqual([first.facts.rule, first.facts.change, first.facts.network], ['lowest', 200, 'Petrom']);
    assert.equal(second.city, null);
    assert.deepEqual(
      (await deliveries()).map(({ subscription_id }) => subscription_id),
      [inCity, country],
    );
    assert.ok(![diesel, elsewhere].includes(inCity));
    assert.equal(await judge(), 0, 'a publication is judged once');
    assert.equal(await publish('2026-11-18T10:00Z', 7_290), 0, 'a day of silence');
    assert.equal(await publish('2026-11-18T12:00Z', 7_250), 2);
  });

  test('fire once when several processes evaluate them', async () => {
    await subscribe(database);
    await quietWeek();
    fakeSource.respondsWith({ R1: { petrol: 7_300 }, R2: { petrol: 7_900 } });
    await bench.run('2026-11-18T08:00Z', { force: true });
    const messageCounts = await Promise.all(Array.from({ length: 8 }, judge));
    assert.deepEqual(messageCounts.sort(), [0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('are evaluated again, completely, if interrupted before their commit', async () => {
    await subscribe(database);
    await quietWeek();
    fakeSource.respondsWith({ R1: { petrol: 7_300 }, R2: { petrol: 7_900 } });
    await bench.run('2026-11-18T08:00Z', { force: true });
    await database.pool.query('alter table alert_deliveries add constraint cut_off check (false) not valid');
    await assert.rejects(judge);
    await database.pool.query('alter table alert_deliveries drop constraint cut_off');
    assert.deepEqual(await alerts(), []);
    assert.equal(await judge(), 1);
  });

  test('fire for others while one client subscribes endlessly', async () => {
    const id = await subscribe(database);
    const client = await subscriberHash(database, '192.0.2.3');
    const browser = (n: number) => ({
      endpoint: `https://push.example.com/again/${n}`,
      ...{ p256dh: Buffer.alloc(65, 4), auth: Buffer.alloc(16), city: null, fuel: null },
    });
    for (let n = 0; n < 20; n += 1) await saveSubscription(database, browser(n), client);
    await quietWeek();
    await database.pool.query(`
      create function wait_for_the_test() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return null; end';
      create trigger wait before insert on alerts for each statement execute function wait_for_the_test()`);
    const lockHolder = await database.pool.connect();
    try {
      await lockHolder.query('select pg_advisory_lock(1)');
      const judged = publish('2026-11-18T08:00Z', 7_300);
      await waitFor('an alert to be written', 20_000, async () => {
        const waiting = `select from pg_locks where not granted and locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`;
        return (await lockHolder.query(waiting)).rowCount === 1;
      });
      for (let n = 19; n < 25; n += 1) await saveSubscription(database, browser(n), client);
      await lockHolder.query('select pg_advisory_unlock(1)');
      assert.equal(await judged, 21);
    } finally {
      lockHolder.release(true);
      await database.pool.query('drop trigger wait on alerts; drop function wait_for_the_test');
    }
    assert.ok((await deliveries()).some(({ subscription_id }) => subscription_id === id));
  });

  test('wait for the morning at night, and are dropped when no longer true', async () => {
    await subscribe(database);
    await quietWeek();
    assert.equal(await publish('2026-11-18T21:00Z', 7_300), 0, '23:00 in Bucharest');
    bench.clock.now = at('2026-11-19T04:59Z');
    assert.equal(await judge(), 0);
    bench.clock.now = at('2026-11-19T05:00Z');
    assert.equal(await judge(), 1);
    assert.equal(await judge(), 0);
    assert.equal(await publish('2026-11-20T21:00Z', 7_000), 0);
    assert.equal(await publish('2026-11-21T01:00Z', 7_500), 0);
    bench.clock.now = at('2026-11-21T05:00Z');
    assert.equal(await judge(), 0);
    assert.equal((await alerts()).length, 1);
  });

  test('never fire because a source falls silent or returns', async () => {
    await subscribe(database);
    await quietWeek();
    list.respondsWith({ R3: { petrol: 6_500 } });
    await bench.run('2026-11-18T08:00Z', { sources: ['rompetrol'], force: true });
    assert.equal(await judge(), 0, 'first seen');
    for (const day of [18, 19, 20]) assert.equal(await publish(`2026-11-${day}T09:00Z`, 7_500), 0);
    list.respondsWith({ R3: { petrol: 6_500 } });
    await bench.run('2026-11-21T08:00Z', { sources: ['rompetrol'], force: true });
    assert.equal(await judge(), 0, 'back after three days of silence');
    assert.equal(await publish('2026-11-21T09:00Z', 7_500), 0);
    for (const day of [22, 23, 24]) assert.equal(await publish(`2026-11-${day}T09:00Z`, 7_500), 0, 'dead again');
    assert.deepEqual(await alerts(), []);
  });

  describe('on the day on which a source returns', () => {
    const publishList = async (when: string, petrol: number, more: object = {}) => {
      list.respondsWith({ R3: { petrol }, ...more });
      await bench.run(when, { sources: ['rompetrol'], force: true });
      return judge();
    };
    /** The list reports for a week, is silent for three days while the register continues, and returns. */
    async function returnAfterSilence(petrol: number): Promise<number> {
      for (let day = 10; day < 18; day += 1) {
        await publish(`2026-11-${day}T08:00Z`, 7_500);
        await publishList(`2026-11-${day}T09:00Z`, 6_900);
      }
      for (const day of [18, 19, 20]) assert.equal(await publish(`2026-11-${day}T09:00Z`, 7_500), 0);
      return publishList('2026-11-21T08:00Z', petrol);
    }

    test('fire for a real drop in a later publication', async () => {
      await subscribe(database);
      assert.equal(await returnAfterSilence(6_500), 0, 'its return is no drop');
      assert.equal(await publish('2026-11-21T09:00Z', 7_500), 0, 'nor is another publication');
      assert.equal(await publishList('2026-11-21T10:00Z', 6_500), 0, 'nor the same price again');
      assert.equal(await publishList('2026-11-21T11:00Z', 6_600), 0, 'nor a rise');
      assert.equal(await publishList('2026-11-21T12:00Z', 6_340), 1);
      const [told] = await alerts();
      assert.deepEqual([told.price, told.facts.change >= 150], [6_340, true]);
    });

    test('fire for a station that was never there before, once it was published', async () => {
      await subscribe(database);
      await quietWeek();
      assert.equal(await publishList('2026-11-18T09:00Z', 6_500), 0);
      assert.equal(await publishList('2026-11-18T10:00Z', 6_500, { R4: { petrol: 6_400 } }), 0);
      assert.equal(await publishList('2026-11-18T12:00Z', 6_500, { R4: { petrol: 6_240 } }), 1);
      assert.deepEqual((await alerts())[0].facts.since, '2026-11-18');
    });

    test('wait for the morning at night', async () => {
      await subscribe(database);
      assert.equal(await returnAfterSilence(6_500), 0);
      assert.equal(await publishList('2026-11-21T21:00Z', 6_300), 0, '23:00 in Bucharest');
      bench.clock.now = at('2026-11-22T05:00Z');
      assert.equal(await judge(), 1);
    });
  });

  test('never fire for a doubtful price', async () => {
    await subscribe(database);
    for (let date = 10; date < 18; date += 1) assert.equal(await publishDated(`${date}T08:00`, 7_500, date - 6), 0);
    assert.equal(await publishDated('18T08:00', 7_000, 11), 0, 'its source dates it seven days ago');
    assert.equal(await publishDated('18T10:00', 7_000, 12), 1, 'six days');
  });

  test('never compare with a price that was doubtful', async () => {
    await subscribe(database);
    for (let date = 10; date < 17; date += 1) assert.equal(await publishDated(`${date}T08:00`, 7_000, date - 6), 0);
    assert.equal(await publishDated('17T08:00', 7_800, 10), 0, 'seven days old');
    assert.equal(await publishDated('18T08:00', 7_000, 18), 0);
    assert.equal(await publishDated('19T08:00', 6_800, 19), 1);
  });

  test('fire for a publication, not because time passes', async () => {
    await subscribe(database);
    await quietWeek();
    assert.equal(await publish('2026-11-18T08:00Z', 7_300), 1);
    assert.equal(await publish('2026-11-18T10:00Z', 7_240), 1);
    assert.equal(await publish('2026-11-18T12:00Z', 7_180), 0, 'the third of the day');
    bench.clock.now = at('2026-11-19T05:30Z');
    assert.equal(await judge(), 0, 'it did not wait for the morning');
    assert.equal(await publish('2026-11-19T06:00Z', 7_180), 1, 'published again');
  });

  test('are not followed by others for the same place and fuel for 24 hours, including the night', async () => {
    await subscribe(database);
    await quietWeek();
    assert.equal(await publish('2026-11-18T08:00Z', 7_300), 1);
    assert.equal(await publish('2026-11-19T06:00Z', 7_260), 0, '22 hours later, and 4 bani less');
    assert.equal(await publish('2026-11-19T08:00Z', 7_260), 1);
  });

  test('for a fuel other than petrol and diesel go only to subscribers of that fuel', async () => {
    await subscribe(database);
    const lpg = await subscribe(database, { fuel: 'lpg' });
    for (let day = 10; day < 18; day += 1) await publish(`2026-11-${day}T08:00Z`, 7_500, { lpg: 4_000 });
    assert.equal(await publish('2026-11-18T08:00Z', 7_500, { lpg: 3_700 }), 1);
    assert.deepEqual(
      (await deliveries()).map(({ subscription_id }) => subscription_id),
      [lpg],
    );
  });

  test('show in a simulation what would have been sent', async () => {
    await quietWeek();
    fakeSource.respondsWith({ R1: { petrol: 7_300 }, R2: { petrol: 7_900 } });
    await bench.run('2026-11-18T08:00Z', { force: true });
    const now = bench.clock.now + 60_000;
    const verdicts = async (days: number) =>
      (await simulateAlerts(database.kysely, COLLECTION_SETTINGS, { city: null, fuel: 'petrol' }, { days, now })).map(
        ({ verdict, station }) => `${verdict.kind} ${station?.network.name ?? ''}`,
      );
    assert.deepEqual(await verdicts(1), ['send Petrom']);
    assert.deepEqual(
      (await verdicts(9)).filter((line) => line !== 'none '),
      ['send Petrom'],
    );
  });
});
