/** Webhooks that are far behind the feed, and filters that nothing passes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import { storeWebhooks, tellMany } from '../../../test/support/webhooks/stored-webhooks.ts';
import { EPOCH, emptyFeed, toldIn, webhookWorld } from '../../../test/support/webhooks/webhook-world.ts';
import { pruneHistoryAndAlerts } from '../../store/maintenance/prune-history.ts';
import { findDeliveries } from '../../store/webhooks/find-deliveries.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => emptyFeed(database));

/** Looks once at those that are behind; returns how many that were, and the places and counts of all webhooks. */
async function lookOnce() {
  const looked = await findDeliveries(database.kysely, Date.now(), []);
  const { rows } = await sql<{ position: number; scanned: number | null; found: number }>`
    select position, scanned, found from webhooks order by id`.execute(database.kysely);
  return { looked, places: rows.map(({ position, scanned, found }) => [position, scanned, found]) };
}

test('a filter that nothing passes takes 10,000 changes at a time, and its place moves past them', async () => {
  await storeWebhooks(database, 1, { url: 'https://a.example/', city: 'nowhere' });
  await tellMany(database, 25_000);
  for (const position of [10_000, 20_000, 25_000])
    assert.deepEqual(await lookOnce(), { looked: 1, places: [[position, null, 0]] });
  assert.equal((await lookOnce()).looked, 0);
});

test('one statement goes through 50,000 changes, those of webhooks that are nearly up to date first', async () => {
  await storeWebhooks(database, 9, { url: 'https://a.example/', city: 'nowhere' });
  await tellMany(database, 12_000);
  await storeWebhooks(database, 1, { url: 'https://b.example/', city: 'nowhere' });
  await tellMany(database, 10);
  const { looked, places } = await lookOnce();
  assert.equal(looked, 6);
  assert.deepEqual(places.at(-1), [12_010, null, 0]);
  assert.equal(places.filter(([position]) => position === 10_000).length, 5);
});

test('a backlog of several steps is one delivery, whose number is that of all of them', async (t) => {
  const { receiver, deliver, make, service, key } = await webhookWorld(t, database);
  const { webhook } = await make();
  await service.change(key, webhook.id, { paused: true });
  for (const count of [9_000, 9_000, 7_000]) await tellMany(database, count);
  await service.change(key, webhook.id, { paused: false });
  await lookOnce();
  assert.deepEqual((await lookOnce()).places, [[0, 20_000, 20_000]]);
  assert.equal(await deliver(), 1);
  const [only, ...more] = toldIn(receiver).map(({ payload }) => payload.data);
  assert.deepEqual(
    [only, more],
    [{ webhook_id: webhook.id, dupa: `${EPOCH}.0`, pana_la: `${EPOCH}.jag`, total: 25_000 }, []],
  );
});

test('few changes far apart are told by their number, so that no try goes through all in between', async (t) => {
  const { receiver, deliver, make } = await webhookWorld(t, database);
  await make({ kinds: ['flag'] });
  await tell(database, [{ kind: 'flag' }]);
  await tellMany(database, 10_000);
  assert.equal(await deliver(), 1);
  const [{ total, modificari }] = toldIn(receiver).map(({ payload }) => payload.data) as [Record<string, unknown>];
  assert.deepEqual([total, modificari], [1, undefined]);
});

test('webhooks that are locked, by whoever changes them, keep no other waiting and fail nothing', async (t) => {
  const { receiver, deliver, make, newKey } = await webhookWorld(t, database);
  const { webhook } = await make();
  receiver.secret = null;
  const other = await make({}, await newKey());
  await tell(database, [{}]);
  await database.kysely.transaction().execute(async (tx) => {
    await sql`update webhooks set city = 'iasi' where id = ${webhook.id}`.execute(tx);
    assert.equal(await deliver(), 1);
  });
  assert.deepEqual(
    toldIn(receiver).map(({ payload }) => payload.data.webhook_id),
    [other.webhook.id],
  );
});

test('a webhook is told to begin anew when the feed does', async (t) => {
  const { receiver, deliver, make, time } = await webhookWorld(t, database);
  const { webhook } = await make();
  await tell(database, [{}]);
  await tell(database, [{}], { epoch: 'epoch_02' });
  assert.equal(await deliver(), 1);
  time.now += 10_000;
  await tell(database, [{}]);
  assert.equal(await deliver(), 1);
  const [restart, changes] = toldIn(receiver);
  assert.match(restart?.id ?? '', new RegExp(`^${webhook.id}-reluare-\\d+$`));
  assert.deepEqual([restart?.payload.type, restart?.payload.data.pana_la], ['reluare', 'epoch_02.2']);
  const { dupa, pana_la } = changes?.payload.data ?? {};
  assert.deepEqual([dupa, pana_la], ['epoch_02.2', 'epoch_02.3']);
});

test('a webhook whose place the feed no longer reaches back to is told to begin anew', async (t) => {
  const { receiver, deliver, make, time } = await webhookWorld(t, database);
  const { webhook } = await make();
  await tell(database, [{}], { now: time.now - 30 * DAY_MS });
  await tell(database, [{}]);
  assert.equal(await deliver(), 1);
  assert.deepEqual(
    toldIn(receiver).map(({ payload: { type, data } }) => [type, data]),
    [['reluare', { webhook_id: webhook.id, pana_la: `${EPOCH}.2` }]],
  );
});

test('a webhook 200,000 changes behind, which the memory of a process may not hold, is told to begin anew', async (t) => {
  const { receiver, deliver, make } = await webhookWorld(t, database);
  await make();
  // Changes without rows: only their numbers count.
  await sql`update change_feed set seq = 200001`.execute(database.kysely);
  await sql`insert into served_changes (seq, version, told_at, station_id, fuel, kind, county, city, network)
    select n, 1, now(), '0a1b2c3d4e5f', 0, 'price', '', '', '' from unnest(array[1, 200001]) n`.execute(
    database.kysely,
  );
  await sql`update change_feed set told_at = now()`.execute(database.kysely);
  assert.equal(await deliver(), 1);
  assert.deepEqual(
    toldIn(receiver).map(({ payload: { type } }) => type),
    ['reluare'],
  );
});

test('a delivery whose changes are deleted, or too old for the feed, while it waits never counts as delivered', async (t) => {
  const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
  const { webhook } = await make();
  receiver.answer = () => 500;
  await tell(database, [{}]);
  await deliver();
  time.now += 101 * DAY_MS;
  await tell(database, [{}], { now: time.now });
  await pruneHistoryAndAlerts(database.kysely, time.now);
  receiver.answer = () => 204;
  assert.equal(await deliver(), 1);
  assert.deepEqual(
    toldIn(receiver).map(({ payload: { type } }) => type),
    ['modificari', 'reluare'],
  );
  const ended = (await service.deliveries(key, webhook.id))?.filter(({ state }) => state === 'delivered');
  assert.deepEqual(
    ended?.map(({ event }) => event),
    ['restart'],
  );
});

test('what was sent is deleted after 7 days; what waits stays', async (t) => {
  const { receiver, deliver, make, time } = await webhookWorld(t, database);
  await make();
  await tell(database, [{}]);
  await deliver();
  time.now += 10_000;
  await tell(database, [{}]);
  receiver.answer = () => 500;
  await deliver();
  const left = async () => {
    const { rows } = await sql<{ state: string }>`select state from webhook_deliveries order by id`.execute(
      database.kysely,
    );
    return rows.map(({ state }) => state);
  };
  await pruneHistoryAndAlerts(database.kysely, time.now + 7 * DAY_MS - 60_000);
  assert.deepEqual(await left(), ['delivered', 'delivered', 'waiting']);
  await pruneHistoryAndAlerts(database.kysely, time.now + 8 * DAY_MS);
  assert.deepEqual(await left(), ['waiting']);
});
