/** What becomes of deliveries whose receiver fails, moves or is mended. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import type { WebhookReceiver } from '../../../test/support/webhooks/webhook-receiver.ts';
import { EPOCH, emptyFeed, toldIn, webhookWorld } from '../../../test/support/webhooks/webhook-world.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => emptyFeed(database));

/** Lets the next answer hang; resolves with what ends it, and with which status. */
function nextHangs(receiver: WebhookReceiver): Promise<(status?: number) => void> {
  const hangs = Promise.withResolvers<(status?: number) => void>();
  receiver.answer = () => null;
  receiver.onHang = (end) => {
    receiver.answer = () => 204;
    hangs.resolve(end);
  };
  return hangs.promise;
}

describe('a delivery that fails', () => {
  test('is tried again under the same id with the same body; what is told meanwhile comes after it', async (t) => {
    const { receiver, deliver, make, delivery, time } = await webhookWorld(t, database);
    const { webhook } = await make();
    receiver.answer = () => 500;
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    await tell(database, [{}]);
    receiver.answer = () => 204;
    assert.equal(await deliver(), 0);
    time.now += 6_000;
    assert.equal(await deliver(), 1);
    const { tries, state, httpStatus, failure } = (await delivery(webhook.id)) ?? {};
    assert.deepEqual([tries, state, httpStatus, failure], [2, 'delivered', 204, null]);
    time.now += 10_000;
    assert.equal(await deliver(), 1);
    const prefix = `${webhook.id}-0-${EPOCH}`;
    const [first, second, third] = toldIn(receiver);
    assert.deepEqual([first?.id, second?.id, third?.id], [`${prefix}-0-1`, `${prefix}-0-1`, `${prefix}-1-2`]);
    assert.deepEqual(second?.payload, first?.payload);
  });

  test('stops its webhook after 75 hours of tries; a ping starts it where it stopped', async (t) => {
    const { receiver, deliver, make, service, key, state, cursor, delivery, time } = await webhookWorld(t, database);
    const { webhook } = await make();
    receiver.answer = () => 500;
    await tell(database, [{}]);
    const begun = time.now;
    for (let tries = 1; ; tries += 1) {
      await deliver();
      const last = await delivery(webhook.id);
      if (last?.nextTryAt === null) break;
      assert.deepEqual([last?.state, last?.tries], ['waiting', tries]);
      time.now = last?.nextTryAt as number;
    }
    assert.equal(time.now - begun, 75 * HOUR_MS);
    const stopped = await service.find(key, webhook.id);
    assert.deepEqual([stopped?.state, stopped?.stopReason, stopped?.stoppedAt], ['stopped', 'failing', time.now]);
    receiver.answer = () => 204;
    assert.equal(await deliver(), 0);
    assert.equal((await service.ping(key, webhook.id))?.webhook.state, 'active');
    assert.equal(await deliver(), 1);
    assert.deepEqual([await state(webhook.id), await cursor(webhook.id)], ['active', `${EPOCH}.1`]);
  });

  test('is tried at once when its holder asks, with all its tries before it, if it waits after a failure', async (t) => {
    const { receiver, deliver, make, service, key, newKey } = await webhookWorld(t, database);
    const { webhook } = await make();
    const other = await newKey();
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
    const { receiver, deliver, make, service, key } = await webhookWorld(t, database);
    const { webhook } = await make();
    receiver.answer = () => 410;
    await tell(database, [{}]);
    await deliver();
    const stopped = await service.find(key, webhook.id);
    assert.deepEqual([stopped?.state, stopped?.stopReason], ['stopped', 'gone']);
  });

  test('waits as long as the receiver asks, and follows no redirect', async (t) => {
    const { receiver, deliver, make, delivery, time } = await webhookWorld(t, database);
    const { webhook } = await make();
    receiver.answer = () => [503, { 'Retry-After': '600' }];
    await tell(database, [{}]);
    await deliver();
    assert.equal(((await delivery(webhook.id))?.nextTryAt ?? 0) - time.now, 600_000);
    time.now += 600_000;
    receiver.answer = () => [302, { Location: `${receiver.origin}/elsewhere` }];
    await deliver();
    const { failure, httpStatus } = (await delivery(webhook.id)) ?? {};
    assert.deepEqual([failure, httpStatus], ['redirect', 302]);
    assert.equal(toldIn(receiver).length, 2);
  });

  test('is not sent to a private address that the operator has not allowed', async (t) => {
    const { receiver, deliver, make, delivery, allowedOrigins } = await webhookWorld(t, database);
    const { webhook } = await make();
    allowedOrigins.length = 0;
    await tell(database, [{}]);
    await deliver();
    const { failure, state } = (await delivery(webhook.id)) ?? {};
    assert.deepEqual([failure, state, toldIn(receiver).length], ['private address', 'waiting', 0]);
  });
});

describe('what waits after many failed tries is sent at once, as if it were new,', () => {
  type World = Awaited<ReturnType<typeof webhookWorld>>;
  const mended: Readonly<Record<string, (world: World, id: string) => Promise<unknown>>> = {
    'when a ping arrives': ({ service, key }, id) => service.ping(key, id),
    'when it has another address, once that is verified': async ({ service, key, receiver }, id) => {
      await service.change(key, id, { url: `${receiver.origin}/other` });
      await service.ping(key, id);
    },
    'when a pause ends': async ({ service, key }, id) => {
      await service.change(key, id, { paused: true });
      await service.change(key, id, { paused: false });
    },
  };
  for (const [when, mend] of Object.entries(mended))
    test(when, async (t) => {
      const world = await webhookWorld(t, database);
      const { receiver, deliver, make, delivery, time } = world;
      const { webhook } = await make();
      receiver.answer = () => 500;
      await tell(database, [{}]);
      for (let tries = 1; tries <= 5; tries += 1) {
        await deliver();
        if (tries < 5) time.now = (await delivery(webhook.id))?.nextTryAt as number;
      }
      receiver.answer = () => 204;
      await mend(world, webhook.id);
      // A further failure counts as the first.
      receiver.answer = () => 500;
      await deliver();
      const waiting = (await world.service.deliveries(world.key, webhook.id))?.find(({ state }) => state === 'waiting');
      assert.deepEqual([waiting?.tries, waiting?.nextTryAt], [1, time.now + 5_000]);
      const ids = new Set(toldIn(receiver).map(({ id, payload }) => `${id} ${JSON.stringify(payload)}`));
      assert.deepEqual([toldIn(receiver).length, ids.size], [6, 1]);
    });
});

describe('another address', () => {
  test('has to be verified before anything is sent there', async (t) => {
    const { receiver, deliver, make, service, key } = await webhookWorld(t, database);
    const { webhook } = await make();
    await service.change(key, webhook.id, { url: `${receiver.origin}/other` });
    await tell(database, [{}]);
    assert.equal(await deliver(), 0);
    assert.equal((await service.ping(key, webhook.id))?.webhook.state, 'active');
    assert.equal(await deliver(), 1);
  });

  test('is not verified by a ping that the one before answers', async (t) => {
    const { receiver, make, service, key } = await webhookWorld(t, database);
    const { webhook } = await make();
    const hangs = nextHangs(receiver);
    const pinging = service.ping(key, webhook.id);
    const end = await hangs;
    await service.change(key, webhook.id, { url: `${receiver.origin}/other` });
    end();
    const { delivery, webhook: after } = (await pinging) ?? {};
    assert.deepEqual([delivery?.state, after?.state], ['delivered', 'unverified']);
  });

  for (const [status, what] of [
    [204, 'moved'],
    [410, 'stopped'],
    [500, 'delayed'],
  ] as const)
    test(`is not ${what} by a ${status} that the one before answers`, async (t) => {
      const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
      const { webhook } = await make();
      await tell(database, [{}]);
      const hangs = nextHangs(receiver);
      const delivering = deliver();
      const end = await hangs;
      await service.change(key, webhook.id, { url: `${receiver.origin}/other` });
      await service.ping(key, webhook.id);
      end(status);
      await delivering;
      const after = await service.find(key, webhook.id);
      assert.deepEqual([after?.state, time.now - (after?.verifiedAt as number)], ['active', 0]);
      // Within the run, or in the next one.
      await deliver();
      const [first, second, ...more] = toldIn(receiver);
      assert.deepEqual([second?.id, second?.payload, more.length], [first?.id, first?.payload, 0]);
      assert.equal((await service.find(key, webhook.id))?.cursor, `${EPOCH}.1`);
    });
});

test('a replay that is begun while a delivery waits, or is under way, does not lose its place to that', async (t) => {
  const { receiver, deliver, make, service, key, time } = await webhookWorld(t, database);
  const { webhook } = await make();
  await tell(database, [{}]);
  await deliver();
  time.now += 10_000;
  await tell(database, [{}]);
  const hangs = nextHangs(receiver);
  const delivering = deliver();
  const end = await hangs;
  const replay = () => service.replay(key, webhook.id, { epoch: EPOCH, seq: 0, ahead: null });
  await replay();
  end();
  await delivering;
  receiver.answer = () => 500;
  time.now += 10_000;
  await deliver();
  // It waits for its next try; now it need not.
  await replay();
  receiver.answer = () => 204;
  await deliver();
  assert.deepEqual(
    toldIn(receiver).map(({ payload: { data } }) => [data.dupa, data.pana_la]),
    [
      [`${EPOCH}.0`, `${EPOCH}.1`],
      [`${EPOCH}.1`, `${EPOCH}.2`],
      [`${EPOCH}.0`, `${EPOCH}.2`],
      [`${EPOCH}.0`, `${EPOCH}.2`],
    ],
  );
});
