import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { subscribe, truncatePush } from '../../../test/support/builders/push-builders.ts';
import { at, FakeFeed, RULES, setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/history.ts';
import { inReadSnapshot, loadFacts } from '../../store/prices/publication.ts';
import { judgeAlerts } from './judge-alerts.ts';
import { simulateAlerts } from './simulate-alerts.ts';

const list = new FakeFeed('rompetrol');
const { database, feed, bench } = await setUpCollector(list);

beforeEach(() => truncatePush(database));

const judge = () =>
  judgeAlerts({ db: database.kysely, rules: RULES, clock: () => bench.clock.now, log: { info: () => undefined } });

/** Two stations report these prices on a day, and due alerts are evaluated. */
async function publish(when: string, petrol: number, more: object = {}): Promise<number> {
  feed.respondsWith({ R1: { petrol }, R2: { petrol: 7_900, ...more } });
  await bench.run(when, { force: true });
  return judge();
}

/** The same in November, where the source gives the day of its prices. */
async function publishDated(when: string, petrol: number, day: number): Promise<number> {
  feed.respondsWith({ R1: { petrol }, R2: { petrol: 7_900 } }, { day: `2026-11-${String(day).padStart(2, '0')}` });
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
  const { records } = buildSnapshot({ ...RULES, facts, now: bench.clock.now, history: new PriceHistory() });
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
    feed.respondsWith({ R1: { petrol: 7_300 }, R2: { petrol: 7_900 } });
    await bench.run('2026-11-18T08:00Z', { force: true });
    const told = await Promise.all(Array.from({ length: 8 }, judge));
    assert.deepEqual(told.sort(), [0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('are evaluated again, completely, if interrupted before their commit', async () => {
    await subscribe(database);
    await quietWeek();
    feed.respondsWith({ R1: { petrol: 7_300 }, R2: { petrol: 7_900 } });
    await bench.run('2026-11-18T08:00Z', { force: true });
    await database.pool.query('alter table alert_deliveries add constraint cut_off check (false) not valid');
    await assert.rejects(judge);
    await database.pool.query('alter table alert_deliveries drop constraint cut_off');
    assert.deepEqual(await alerts(), []);
    assert.equal(await judge(), 1);
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

  test('never fire for a doubtful price', async () => {
    await subscribe(database);
    for (let date = 10; date < 18; date += 1) assert.equal(await publishDated(`${date}T08:00`, 7_500, date - 6), 0);
    assert.equal(await publishDated('18T08:00', 7_000, 11), 0, 'its source says that it is seven days old');
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
    assert.equal(await publish('2026-11-19T06:00Z', 7_180), 1, 'published anew');
  });

  test('are not followed by others of the same place and fuel for 24 hours, over the night too', async () => {
    await subscribe(database);
    await quietWeek();
    assert.equal(await publish('2026-11-18T08:00Z', 7_300), 1);
    assert.equal(await publish('2026-11-19T06:00Z', 7_260), 0, '22 hours later, and 4 bani less');
    assert.equal(await publish('2026-11-19T08:00Z', 7_260), 1);
  });

  test('for a fuel other than petrol and diesel go to those who named it', async () => {
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
    feed.respondsWith({ R1: { petrol: 7_300 }, R2: { petrol: 7_900 } });
    await bench.run('2026-11-18T08:00Z', { force: true });
    const now = bench.clock.now + 60_000;
    const told = async (days: number) =>
      (await simulateAlerts(database.kysely, RULES, { city: null, fuel: 'petrol' }, { days, now })).map(
        ({ verdict, station }) => `${verdict.kind} ${station?.network.name ?? ''}`,
      );
    assert.deepEqual(await told(1), ['send Petrom']);
    assert.deepEqual(
      (await told(9)).filter((line) => line !== 'none '),
      ['send Petrom'],
    );
  });
});
