import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import { WebhookReceiver } from '../../../test/support/webhooks/webhook-receiver.ts';
import { webhookBody } from '../../api/webhooks/webhook-bodies.ts';
import { createWebhookService } from '../../app/webhooks/stored-webhooks.ts';
import { createWebhookSender } from '../../clients/webhook-sender.ts';
import { parseCursor } from '../../domain/changes/cursor.ts';
import { MAX_TRIES } from '../../domain/webhooks/retry-schedule.ts';
import type { WebhookContent, WebhookFilter } from '../../domain/webhooks/webhook.ts';
import { createKey } from '../../store/keys/keys.ts';
import { deliverToWebhooks } from './deliver-webhooks.ts';

const HOUR_MS = 3_600_000;
const ALL: WebhookFilter = { fuel: null, county: null, city: null, network: null, stations: null };
const EPOCH = 'epoch_01';
const WANTED = { plan: 'business', quota: null, email: null, subscription: null } as const;

let database: TestDatabase;
/** The receivers verify the time of a signature, so this starts at the present. */
let now = Date.now();
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  now = Date.now();
  await sql`truncate webhooks, served_changes, served_states, served_prices, api_keys cascade`.execute(database.kysely);
  await sql`update change_feed set epoch = null, seq = 0, states = 0, version = 0`.execute(database.kysely);
  await tell(database, [], { epoch: EPOCH });
});

async function setUp(t: TestContext, { timeoutMs = 2_000 } = {}) {
  const receiver = await WebhookReceiver.during(t);
  const allowedOrigins = [receiver.origin];
  const sender = createWebhookSender({ allowedOrigins, userAgent: 'test', timeoutMs, clock: Date.now });
  t.after(() => sender.close());
  const service = createWebhookService(database, sender, () => now);
  const { id: key } = await createKey(database, WANTED);
  const job = {
    ...{ db: database.kysely, holder: 'test', leaseMs: 30_000, clock: () => now, random: () => 0.5 },
    ...{ write: webhookBody, send: sender.send, log: { info: () => undefined, warn: () => undefined } },
  };
  const deliver = () => deliverToWebhooks(job, new AbortController().signal);
  const make = async (content: Partial<WebhookContent> = {}, of = key) => {
    const made = await service.create(of, { url: `${receiver.origin}/`, filter: ALL, kinds: ['price'], ...content });
    if (made === 'too many') throw new Error(made);
    receiver.secret ??= made.secret;
    await service.ping(of, made.webhook.id);
    return made;
  };
  const state = async (id: string) => (await service.find(key, id))?.state;
  return { receiver, service, key, deliver, make, state, allowedOrigins };
}

const changesIn = (receiver: WebhookReceiver) =>
  receiver.received.filter(({ payload }) => payload.type === 'modificari');

describe('a webhook', () => {
  test('is sent nothing until its address has answered a signed ping with 2xx', async (t) => {
    const { receiver, service, key, deliver, state } = await setUp(t);
    const made = await service.create(key, { url: `${receiver.origin}/`, filter: ALL, kinds: ['price'] });
    assert.ok(made !== 'too many');
    receiver.secret = made.secret;
    const { id } = made.webhook;
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    receiver.answer = () => 500;
    const failed = await service.ping(key, id);
    assert.deepEqual([failed?.webhook.state, failed?.delivery.failure], ['unverified', 'status']);
    receiver.answer = () => 204;
    const pinged = await service.ping(key, id);
    assert.deepEqual([pinged?.webhook.state, pinged?.delivery.state], ['active', 'delivered']);
    assert.deepEqual(
      receiver.received.map(({ payload }) => [payload.type, payload.data]),
      [
        ['ping', { webhook_id: id }],
        ['ping', { webhook_id: id }],
      ],
    );
    assert.equal(await deliver(), 1);
    assert.equal(await state(id), 'active');
  });

  test('is sent one delivery a publication, in order, each from where the one before ended', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    await tell(database, [{}, {}]);
    await tell(database, [{}]);
    assert.equal(await deliver(), 2);
    assert.deepEqual(
      changesIn(receiver).map(({ id, payload: { data } }) => [id, data.dupa, data.pana_la, data.total]),
      [
        [`${webhook.id}.${EPOCH}.0.2`, `${EPOCH}.0`, `${EPOCH}.2`, 2],
        [`${webhook.id}.${EPOCH}.2.3`, `${EPOCH}.2`, `${EPOCH}.3`, 1],
      ],
    );
    const [first] = changesIn(receiver);
    const [{ cursor, statie_id, pret_vechi, pret_nou }] = first?.payload.data.modificari ?? [];
    assert.deepEqual([cursor, statie_id, pret_vechi, pret_nou], [`${EPOCH}.1`, '0a1b2c3d4e5f', 7.49, 7.44]);
    assert.equal((await service.find(key, webhook.id))?.cursor, `${EPOCH}.3`);
    assert.equal(await deliver(), 0);
  });

  test('is sent only what passes its filter and kinds', async (t) => {
    const { receiver, deliver, make } = await setUp(t);
    await make({ filter: { ...ALL, fuel: 'lpg', county: 'IS' }, kinds: ['price', 'withdrawn'] });
    await tell(database, [{ fuel: 'lpg' }, { county: 'IS' }]);
    await tell(database, [
      { fuel: 'lpg', county: 'IS', kind: 'flag' },
      { fuel: 'lpg', county: 'IS' },
    ]);
    assert.equal(await deliver(), 1);
    const [only] = changesIn(receiver).map(({ payload }) => payload.data);
    assert.deepEqual([only.total, only.modificari.length], [1, 1]);
  });

  test('is sent the number alone of more than 50 changes', async (t) => {
    const { receiver, deliver, make } = await setUp(t);
    await make();
    await tell(
      database,
      Array.from({ length: 50 }, () => ({})),
    );
    await tell(
      database,
      Array.from({ length: 51 }, () => ({})),
    );
    await deliver();
    const [whole, thin] = changesIn(receiver).map(({ payload }) => payload.data);
    assert.deepEqual([whole.total, whole.modificari.length], [50, 50]);
    assert.deepEqual([thin.total, thin.modificari], [51, undefined]);
  });

  test('is told to begin anew when the feed does', async (t) => {
    const { receiver, deliver, make } = await setUp(t);
    await make();
    await tell(database, [{}]);
    await tell(database, [{}], { epoch: 'epoch_02' });
    assert.equal(await deliver(), 1);
    await tell(database, [{}]);
    assert.equal(await deliver(), 1);
    const [restart, changes] = receiver.received.slice(1).map(({ payload }) => payload);
    assert.deepEqual([restart.type, restart.data.pana_la], ['reluare', 'epoch_02.2']);
    assert.deepEqual([changes.data.dupa, changes.data.pana_la], ['epoch_02.2', 'epoch_02.3']);
  });

  test('that is paused gets what came meanwhile afterwards; one that is replayed, everything again under the same ids', async (t) => {
    const { receiver, deliver, make, service, key, state } = await setUp(t);
    const { webhook } = await make();
    await tell(database, [{}]);
    await service.change(key, webhook.id, { paused: true });
    assert.deepEqual([await deliver(), await state(webhook.id)], [0, 'paused']);
    await service.change(key, webhook.id, { paused: false });
    assert.equal(await deliver(), 1);
    const cursor = parseCursor(`${EPOCH}.0`);
    assert.ok(cursor !== null);
    await service.replay(key, webhook.id, cursor);
    assert.equal(await deliver(), 1);
    const [first, again] = changesIn(receiver);
    assert.deepEqual([again?.id, again?.payload.data], [first?.id, first?.payload.data]);
  });

  test('has two signatures for a day after its secret was renewed', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook, secret } = await make();
    const renewed = await service.renewSecret(key, webhook.id);
    assert.ok(renewed !== null && renewed !== 'too many');
    assert.notEqual(renewed.secret, secret);
    await tell(database, [{}]);
    await deliver();
    receiver.secret = renewed.secret;
    await tell(database, [{}]);
    await deliver();
    now += 25 * HOUR_MS;
    await tell(database, [{}]);
    await deliver();
    assert.deepEqual(
      changesIn(receiver).map(({ signatures }) => signatures),
      [2, 2, 1],
    );
  });

  test('renewed again and again is signed with every secret for a day; a sixth within a day is refused', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook, secret } = await make();
    for (let count = 1; count <= 4; count += 1) {
      now += HOUR_MS;
      assert.notEqual(await service.renewSecret(key, webhook.id), 'too many');
    }
    await tell(database, [{}]);
    await deliver();
    assert.deepEqual([changesIn(receiver)[0]?.signatures, receiver.secret], [5, secret]);
    assert.equal(await service.renewSecret(key, webhook.id), 'too many');
    // That of the first hour signs no more.
    now += 21 * HOUR_MS;
    const atOnce = await Promise.all([1, 2].map(() => service.renewSecret(key, webhook.id)));
    assert.equal(atOnce.filter((each) => each === 'too many').length, 1);
    await service.delete(key, webhook.id);
    assert.equal(await database.kysely.selectFrom('webhook_old_secrets').selectAll().executeTakeFirst(), undefined);
  });

  test('with another address has to be verified again', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    await service.change(key, webhook.id, { url: `${receiver.origin}/other` });
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    assert.equal((await service.ping(key, webhook.id))?.webhook.state, 'active');
    assert.equal(await deliver(), 1);
  });

  test('belongs to its key: others see, change and delete nothing of it, and a revoked one ends it', async (t) => {
    const { make, service, key, deliver } = await setUp(t);
    const { webhook } = await make();
    const { id: other } = await createKey(database, WANTED);
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
    const { service, key, receiver } = await setUp(t);
    const content = { url: `${receiver.origin}/`, filter: ALL, kinds: ['price'] as const };
    const made = await Promise.all(Array.from({ length: 8 }, () => service.create(key, content)));
    assert.equal(made.filter((each) => each === 'too many').length, 3);
  });
});

describe('a delivery that fails', () => {
  test('is tried again under the same id, and holds back the next ones', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    receiver.answer = () => 500;
    await tell(database, [{}]);
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    receiver.answer = () => 204;
    assert.equal(await deliver(), 0);
    now += 6_000;
    assert.equal(await deliver(), 2);
    const end = `${webhook.id}.${EPOCH}`;
    assert.deepEqual(
      changesIn(receiver).map(({ id }) => id),
      [`${end}.0.1`, `${end}.0.1`, `${end}.1.2`],
    );
    const [, first] = (await service.deliveries(key, webhook.id)) ?? [];
    assert.deepEqual([first?.tries, first?.state, first?.httpStatus, first?.failure], [2, 'delivered', 204, null]);
  });

  test('stops its webhook after 75 hours of tries; a ping starts it where it stopped', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    receiver.answer = () => 500;
    await tell(database, [{}]);
    const begun = now;
    for (let tries = 1; tries < MAX_TRIES; tries += 1) {
      await deliver();
      const [last] = (await service.deliveries(key, webhook.id)) ?? [];
      assert.deepEqual([last?.state, last?.tries], ['waiting', tries]);
      now = last?.nextTryAt as number;
    }
    assert.ok(now - begun > 75 * HOUR_MS);
    await deliver();
    const stopped = await service.find(key, webhook.id);
    assert.deepEqual([stopped?.state, stopped?.stopReason, stopped?.stoppedAt], ['stopped', 'failing', now]);
    receiver.answer = () => 204;
    assert.equal(await deliver(), 0);
    assert.equal((await service.ping(key, webhook.id))?.webhook.state, 'active');
    assert.equal(await deliver(), 1);
    assert.equal((await service.find(key, webhook.id))?.cursor, `${EPOCH}.1`);
  });

  test('is tried at once when its holder asks, with all its tries before it, if it waits after a failure', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    const { id: other } = await createKey(database, WANTED);
    await tell(database, [{}]);
    assert.equal(await service.tryNow(key, webhook.id), false);
    receiver.answer = () => 500;
    await deliver();
    receiver.answer = () => 204;
    assert.equal(await deliver(), 0);
    assert.deepEqual([await service.tryNow(other, webhook.id), await service.tryNow(key, webhook.id)], [false, true]);
    assert.equal(await deliver(), 1);
  });

  test('stops its webhook at once when the answer is 410', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    receiver.answer = () => 410;
    await tell(database, [{}]);
    await deliver();
    const stopped = await service.find(key, webhook.id);
    assert.deepEqual([stopped?.state, stopped?.stopReason], ['stopped', 'gone']);
  });

  test('waits as long as the receiver asks, and follows no redirect', async (t) => {
    const { receiver, deliver, make, service, key } = await setUp(t);
    const { webhook } = await make();
    const last = async () => ((await service.deliveries(key, webhook.id)) ?? [])[0];
    receiver.answer = () => [503, { 'Retry-After': '600' }];
    await tell(database, [{}]);
    await deliver();
    assert.equal(((await last())?.nextTryAt ?? 0) - now, 600_000);
    now += 600_000;
    receiver.answer = () => [302, { Location: `${receiver.origin}/elsewhere` }];
    await deliver();
    assert.deepEqual([(await last())?.failure, (await last())?.httpStatus], ['redirect', 302]);
    assert.equal(changesIn(receiver).length, 2);
  });

  test('to a receiver that hangs delays no other, and that of a key with several takes only two places', async (t) => {
    const { receiver, deliver, make, service, key, allowedOrigins } = await setUp(t);
    for (let count = 0; count < 3; count += 1) {
      receiver.secret = null;
      await make();
    }
    // Of three secrets none verifies all.
    receiver.secret = null;
    const other = await WebhookReceiver.during(t);
    allowedOrigins.push(other.origin);
    const { id: otherKey } = await createKey(database, WANTED);
    const made = await service.create(otherKey, { url: `${other.origin}/`, filter: ALL, kinds: ['price'] });
    assert.ok(made !== 'too many');
    await service.ping(otherKey, made.webhook.id);
    const hanging: (() => void)[] = [];
    const [twoHang, first, second] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    receiver.answer = () => null;
    receiver.onHang = (end) => {
      if (hanging.push(end) === 2) twoHang?.resolve();
    };
    other.answer = () => {
      (changesIn(other).length === 1 ? first : second)?.resolve();
      return 204;
    };
    await tell(database, [{}]);
    const delivering = deliver();
    await Promise.all([twoHang?.promise, first?.promise]);
    await tell(database, [{}]);
    // By then the third would have been begun, too, if it had a place.
    await second?.promise;
    assert.equal(hanging.length, 2);
    receiver.answer = () => 204;
    for (const end of hanging) end();
    assert.equal(await delivering, 8);
    assert.equal((await service.list(key)).length, 3);
  });

  test('is not sent to a private address that the operator has not allowed', async (t) => {
    const { receiver, deliver, make, service, key, allowedOrigins } = await setUp(t);
    const { webhook } = await make();
    allowedOrigins.length = 0;
    await tell(database, [{}]);
    await deliver();
    const [last] = (await service.deliveries(key, webhook.id)) ?? [];
    assert.deepEqual([last?.failure, last?.state, changesIn(receiver).length], ['private address', 'waiting', 0]);
  });
});
