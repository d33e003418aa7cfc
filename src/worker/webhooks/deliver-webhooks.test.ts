import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import { ALL, EPOCH, emptyFeed, toldIn, webhookWorld } from '../../../test/support/webhooks/webhook-world.ts';
import { isoInstant } from '../../domain/days.ts';

const HOUR_MS = 3_600_000;
const PACE_MS = 10_000;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => emptyFeed(database));

const many = (count: number, change: Parameters<typeof tell>[1][number] = {}) =>
  Array.from({ length: count }, () => change);

describe('a webhook', () => {
  test('is sent nothing until its address has answered a signed ping with 2xx', async (t) => {
    const { receiver, service, key, deliver, make, state } = await webhookWorld(t, database);
    receiver.answer = () => 500;
    const { webhook } = await make();
    const { id } = webhook;
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    const failed = await service.ping(key, id);
    assert.deepEqual([failed?.webhook.state, failed?.delivery.failure], ['unverified', 'status']);
    receiver.answer = () => 204;
    const pinged = await service.ping(key, id);
    assert.deepEqual([pinged?.webhook.state, pinged?.delivery.state], ['active', 'delivered']);
    assert.deepEqual(
      receiver.received.map(({ payload }) => [payload.type, payload.data]),
      many(3).map(() => ['ping', { webhook_id: id }]),
    );
    assert.equal(await deliver(), 1);
    assert.equal(await state(id), 'active');
  });

  test('is sent one delivery a publication, in order, each from where the one before ended', async (t) => {
    const { receiver, deliver, make, cursor, time } = await webhookWorld(t, database);
    const { webhook } = await make();
    const toldAt = [Date.UTC(2026, 10, 20, 8), Date.UTC(2026, 10, 20, 8, 5)] as const;
    await tell(database, [{}, {}], { now: toldAt[0] });
    assert.equal(await deliver(), 1);
    time.now += PACE_MS;
    await tell(database, [{}], { now: toldAt[1] });
    assert.equal(await deliver(), 1);
    assert.deepEqual(
      toldIn(receiver).map(({ id, payload: { timestamp, data } }) => [
        ...[id, timestamp, data.dupa, data.pana_la, data.total],
      ]),
      [
        [`${webhook.id}-0-${EPOCH}-0-2`, isoInstant(toldAt[0]), `${EPOCH}.0`, `${EPOCH}.2`, 2],
        [`${webhook.id}-0-${EPOCH}-2-3`, isoInstant(toldAt[1]), `${EPOCH}.2`, `${EPOCH}.3`, 1],
      ],
    );
    const [first] = toldIn(receiver);
    const [{ cursor: at, statie_id, pret_vechi, pret_nou }] = first?.payload.data.modificari ?? [];
    assert.deepEqual([at, statie_id, pret_vechi, pret_nou], [`${EPOCH}.1`, '0a1b2c3d4e5f', 7.49, 7.44]);
    assert.equal(await cursor(webhook.id), `${EPOCH}.3`);
    assert.equal(await deliver(), 0);
  });

  test('is sent only what passes its filter and kinds', async (t) => {
    const { receiver, deliver, make, cursor } = await webhookWorld(t, database);
    const filter = { ...ALL, fuel: 'lpg', county: 'IS' } as const;
    const { webhook } = await make({ filter, kinds: ['price', 'withdrawn'] });
    await tell(database, [{ fuel: 'lpg' }, { county: 'IS' }]);
    await tell(database, [
      { fuel: 'lpg', county: 'IS', kind: 'flag' },
      { fuel: 'lpg', county: 'IS' },
    ]);
    assert.equal(await deliver(), 1);
    const [only] = toldIn(receiver).map(({ payload }) => payload.data);
    assert.deepEqual([only.total, only.modificari.length], [1, 1]);
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    assert.equal(await cursor(webhook.id), `${EPOCH}.4`);
  });

  test('is sent the number alone of more than 50 changes', async (t) => {
    const { receiver, deliver, make, time } = await webhookWorld(t, database);
    await make();
    await tell(database, many(50));
    await deliver();
    time.now += PACE_MS;
    await tell(database, many(51));
    await deliver();
    const [whole, thin] = toldIn(receiver).map(({ payload }) => payload.data);
    assert.deepEqual([whole.total, whole.modificari.length], [50, 50]);
    assert.deepEqual([thin.total, thin.modificari], [51, undefined]);
  });

  test('is posted to once in ten seconds at most; what is told meanwhile comes together', async (t) => {
    const { receiver, deliver, make, time } = await webhookWorld(t, database);
    await make();
    const sent = [];
    for (let told = 0; told < 3; told += 1) {
      await tell(database, [{}]);
      sent.push(await deliver());
      time.now += PACE_MS / 2;
    }
    assert.deepEqual(sent, [1, 0, 1]);
    assert.deepEqual(
      toldIn(receiver).map(({ payload }) => payload.data.total),
      [1, 2],
    );
  });

  test('that is paused gets all that came meanwhile in one delivery; a replay is sent again under the same id', async (t) => {
    const { receiver, deliver, make, service, key, state, time } = await webhookWorld(t, database);
    const { webhook } = await make();
    const paused = await service.change(key, webhook.id, { paused: true });
    assert.deepEqual([webhook.isPaused, paused?.isPaused], [false, true]);
    for (let told = 0; told < 20; told += 1) await tell(database, many(3));
    assert.deepEqual([await deliver(), await state(webhook.id)], [0, 'paused']);
    await service.change(key, webhook.id, { paused: false });
    assert.equal(await deliver(), 1);
    await service.replay(key, webhook.id, { epoch: EPOCH, seq: 0, ahead: null });
    time.now += PACE_MS;
    assert.equal(await deliver(), 1);
    const [first, again] = toldIn(receiver);
    assert.deepEqual([first?.payload.data.total, first?.payload.data.modificari], [60, undefined]);
    assert.deepEqual([again?.id, again?.payload], [first?.id, first?.payload]);
  });

  test('that is replayed from a place not told yet gets all that is told from now on', async (t) => {
    const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
    const { webhook } = await make();
    await tell(database, many(3));
    const replayed = await service.replay(key, webhook.id, { epoch: EPOCH, seq: 1_000, ahead: null });
    assert.equal(replayed?.cursor, `${EPOCH}.3`);
    time.now += PACE_MS;
    assert.equal(await deliver(), 0);
    await tell(database, many(2));
    assert.equal(await deliver(), 1);
    assert.deepEqual(
      toldIn(receiver).map(({ payload }) => payload.data.total),
      [2],
    );
  });

  test('with another filter or other kinds has other ids: no id comes with another content', async (t) => {
    const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
    const { webhook } = await make({ filter: { ...ALL, county: 'IS' } });
    await tell(database, [{ county: 'IS' }, {}]);
    await deliver();
    const again = async (changes: Parameters<typeof service.change>[2]) => {
      await service.change(key, webhook.id, changes);
      await service.replay(key, webhook.id, { epoch: EPOCH, seq: 0, ahead: null });
      time.now += PACE_MS;
      await deliver();
    };
    await again({ filter: ALL });
    // The same as before.
    await again({ filter: ALL });
    await again({ kinds: ['price', 'flag'] });
    assert.deepEqual(
      toldIn(receiver).map(({ id, payload }) => [id, payload.data.total]),
      [
        [`${webhook.id}-0-${EPOCH}-0-2`, 1],
        [`${webhook.id}-1-${EPOCH}-0-2`, 2],
        [`${webhook.id}-1-${EPOCH}-0-2`, 2],
        [`${webhook.id}-2-${EPOCH}-0-2`, 2],
      ],
    );
  });

  test('whose filter is changed while a delivery waits, or is under way, is sent what passes the new one', async (t) => {
    const { receiver, deliver, make, service, key, cursor, time } = await webhookWorld(t, database);
    const { webhook } = await make({ filter: { ...ALL, county: 'IS' } });
    receiver.answer = () => 500;
    await tell(database, [{ county: 'IS' }, {}]);
    await deliver();
    await service.change(key, webhook.id, { filter: { ...ALL, county: 'CJ' } });
    receiver.answer = () => null;
    const hangs = Promise.withResolvers<() => void>();
    receiver.onHang = hangs.resolve;
    const delivering = deliver();
    const end = await hangs.promise;
    await service.change(key, webhook.id, { filter: { ...ALL, county: 'AB' } });
    end();
    await delivering;
    // What arrived was of the earlier filter; of the new one there is nothing, and no delivery says otherwise.
    time.now += PACE_MS;
    assert.equal(await deliver(), 0);
    assert.deepEqual(
      toldIn(receiver).map(({ id }) => id.split('-')[1]),
      ['0', '1'],
    );
    assert.equal(await cursor(webhook.id), `${EPOCH}.2`);
    const events = (await service.deliveries(key, webhook.id))?.map(({ event }) => event);
    assert.deepEqual(events, ['ping']);
  });

  test('has two signatures for a day after its secret was renewed', async (t) => {
    const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
    const { webhook, secret } = await make();
    const renewed = await service.renewSecret(key, webhook.id);
    assert.ok(renewed !== null && renewed !== 'too many');
    assert.notEqual(renewed.secret, secret);
    await tell(database, [{}]);
    await deliver();
    receiver.secret = renewed.secret;
    for (const later of [PACE_MS, 25 * HOUR_MS]) {
      time.now += later;
      await tell(database, [{}]);
      await deliver();
    }
    assert.deepEqual(
      toldIn(receiver).map(({ signatures }) => signatures),
      [2, 2, 1],
    );
  });

  test('renewed again and again is signed with every secret for a day; a sixth within a day is refused', async (t) => {
    const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
    const { webhook, secret } = await make();
    for (let count = 1; count <= 4; count += 1) {
      time.now += HOUR_MS;
      assert.notEqual(await service.renewSecret(key, webhook.id), 'too many');
    }
    await tell(database, [{}]);
    await deliver();
    assert.deepEqual([toldIn(receiver)[0]?.signatures, receiver.secret], [5, secret]);
    assert.equal(await service.renewSecret(key, webhook.id), 'too many');
    // That of the first hour signs no more.
    time.now += 21 * HOUR_MS;
    const atOnce = await Promise.all([1, 2].map(() => service.renewSecret(key, webhook.id)));
    assert.equal(atOnce.filter((each) => each === 'too many').length, 1);
    await service.delete(key, webhook.id);
    assert.equal(await database.kysely.selectFrom('webhook_old_secrets').selectAll().executeTakeFirst(), undefined);
  });

  test('belongs to its key: others see, change and delete nothing of it, and a revoked one ends it', async (t) => {
    const { make, service, key, newKey, deliver } = await webhookWorld(t, database);
    const { webhook } = await make();
    const other = await newKey();
    const id = webhook.id;
    assert.deepEqual(
      [
        ...[await service.find(other, id), await service.change(other, id, { paused: true })],
        ...[await service.deliveries(other, id), await service.ping(other, id), await service.renewSecret(other, id)],
        ...[await service.delete(other, id), (await service.list(other)).length],
      ],
      [null, null, null, null, null, false, 0],
    );
    await tell(database, [{}]);
    await sql`update api_keys set revoked_at = now() where id = ${key}`.execute(database.kysely);
    assert.equal(await deliver(), 0);
  });

  test('is one of at most five of a key, however many are made at once', async (t) => {
    const { service, key, receiver } = await webhookWorld(t, database);
    const content = { url: `${receiver.origin}/`, filter: ALL, kinds: ['price'] as const };
    const made = await Promise.all(Array.from({ length: 8 }, () => service.create(key, content)));
    assert.equal(made.filter((each) => each === 'too many').length, 3);
  });
});
