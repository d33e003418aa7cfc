import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { AT_ANY_HOUR, alertAll, subscribe, truncatePush } from '../../../test/support/database/stored-push.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { PushMessage, PushOutcome } from '../../clients/web-push.ts';
import { takeLease } from '../../store/connection/leases.ts';
import { type DeliveryOptions, deliverDue, PUSH_LEASE } from './deliver-alerts.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => truncatePush(database));

const NOW = Date.parse('2026-11-20T08:00:00Z');
const HOUR = 3_600_000;
let clock = NOW;
const warned: string[] = [];
const log = { info: () => undefined, warn: (message: string) => warned.push(message) };
const DELIVERED: PushOutcome = { kind: 'delivered' };
const later = (more: Partial<Extract<PushOutcome, { kind: 'later' }>> = {}): PushOutcome => ({
  ...{ kind: 'later', why: 'it answered 500', isRateLimited: false, retryAfterMs: null },
  ...more,
});

type PushServiceAnswer = (message: PushMessage) => PushOutcome | Promise<PushOutcome>;

function deliver(answer: PushServiceAnswer, more: Partial<DeliveryOptions> = {}) {
  const work: DeliveryOptions = {
    db: database.kysely,
    holder: 'test',
    leaseMs: 30_000,
    clock: () => clock,
    renderMessage: ({ price }) => ({ payload: String(price), topic: 'petrol' }),
    send: async (message) => answer(message),
    log,
    ...more,
  };
  return deliverDue(work, new AbortController().signal);
}

const rows = async (text: string) => (await database.pool.query(text)).rows;
const outcomes = async () =>
  (await rows('select outcome from alert_deliveries order by subscription_id')).map(({ outcome }) => outcome);

describe('the outbox', () => {
  test('is sent once to each subscriber, to expire 12 hours after the alert', async () => {
    clock = NOW;
    for (let n = 0; n < 30; n += 1) await subscribe(database);
    await alertAll(database, NOW - HOUR);
    const sent: PushMessage[] = [];
    const send: PushServiceAnswer = (message) => {
      sent.push(message);
      return DELIVERED;
    };
    assert.equal(await deliver(send), 30);
    assert.equal(await deliver(send), 0);
    assert.deepEqual([new Set(sent.map(({ endpoint }) => endpoint)).size, sent.length], [30, 30]);
    assert.deepEqual([sent[0]?.ttlSeconds, sent[0]?.payload, sent[0]?.topic], [11 * 3_600, '7190', 'petrol']);
    const [{ alerted_at }] = await rows('select distinct alerted_at from push_subscriptions');
    assert.equal(alerted_at, NOW);
  });

  test('is recorded eight messages at a time, while others are under way', async () => {
    clock = NOW;
    for (let n = 0; n < 30; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let sent = 0;
    const held = Promise.withResolvers<PushOutcome>();
    const holdsTheLast = () => {
      sent += 1;
      return sent < 30 ? DELIVERED : held.promise;
    };
    const delivering = deliver(holdsTheLast);
    const recorded = async () => (await outcomes()).filter((outcome) => outcome === 'delivered').length;
    await waitFor('24 of the 29 answered to be recorded', 5_000, async () => (await recorded()) >= 24).finally(() =>
      held.resolve(DELIVERED),
    );
    assert.equal(await delivering, 30);
    assert.equal(await recorded(), 30);
  });

  test('records again what the database refused to record', async (t) => {
    clock = NOW;
    for (let n = 0; n < 100; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    // What a sequence has counted stays counted when the statement fails.
    await database.pool.query(`create sequence attempts;
      create function refuse_once() returns trigger language plpgsql as $$ begin
        if nextval('attempts') = 1 then raise 'refused'; end if;
        return new;
      end $$;
      create trigger refuse_once before update on alert_deliveries for each row when (new.outcome = 'delivered')
        execute function refuse_once()`);
    t.after(() => database.pool.query('drop function refuse_once cascade; drop sequence attempts'));
    let sent = 0;
    const counts = () => {
      sent += 1;
      return DELIVERED;
    };
    await assert.rejects(deliver(counts), /refused/);
    const recorded = (await outcomes()).filter((outcome) => outcome === 'delivered').length;
    assert.ok(sent < 100, 'nothing more is sent once recording fails');
    assert.equal(recorded, sent);
    assert.equal(await deliver(counts), 100 - recorded);
  });

  test('records what was delivered when sending another message breaks', async () => {
    clock = NOW;
    for (let n = 0; n < 4; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let sent = 0;
    const breaksOnce = () => {
      sent += 1;
      if (sent === 4) throw new Error('a bug');
      return DELIVERED;
    };
    await assert.rejects(deliver(breaksOnce), /a bug/);
    assert.deepEqual((await outcomes()).toSorted(), ['delivered', 'delivered', 'delivered', null]);
    assert.equal(await deliver(() => DELIVERED), 1);
  });

  test('is read a page at a time, with at most eight concurrent messages to one push service', async () => {
    await subscribe(database);
    await database.pool.query(`insert into push_subscriptions
      (endpoint, endpoint_sha256, origin, p256dh, auth, client, created_at)
      select endpoint || n, sha256(n::text::bytea), origin, p256dh, auth, client, created_at
      from push_subscriptions, generate_series(1, 999) n`);
    await alertAll(database, NOW);
    let underWay = 0;
    let most = 0;
    const answered = await deliver(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resume) => setImmediate(resume));
      underWay -= 1;
      return DELIVERED;
    });
    assert.deepEqual([answered, most], [1_000, 8]);
  });

  test('removes subscriptions that are gone, keeps those that refused, and logs neither endpoint', async () => {
    await subscribe(database, { endpoint: 'https://push.example.com/gone' });
    const kept = await subscribe(database, { endpoint: 'https://push.example.com/secret' });
    await alertAll(database, NOW);
    warned.length = 0;
    await deliver(({ endpoint }) =>
      endpoint.endsWith('gone') ? { kind: 'gone' } : { kind: 'refused', why: 'it answered 403' },
    );
    assert.deepEqual(await rows('select id from push_subscriptions'), [{ id: kept }]);
    assert.deepEqual(await outcomes(), ['refused']);
    assert.deepEqual([warned.length, /secret|gone/.test(warned.join())], [1, false]);
  });

  test('continues with other push services while a slow one has not answered', async () => {
    await subscribe(database, { endpoint: 'https://slow.example.com/1' });
    for (let n = 0; n < 3; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    const slow = Promise.withResolvers<PushOutcome>();
    let fast = 0;
    const answer: PushServiceAnswer = ({ endpoint }) => {
      if (endpoint.includes('slow')) return slow.promise;
      fast += 1;
      return DELIVERED;
    };
    const all = deliver(answer);
    await waitFor('the fast ones to have theirs', 5_000, async () => fast === 3);
    await alertAll(database, NOW, { version: 2 });
    await waitFor('another alert to be sent meanwhile', 5_000, async () => fast === 6);
    slow.resolve(DELIVERED);
    assert.equal(await all, 8);
  });

  test('pauses a push service for as long as it asks', async () => {
    clock = NOW;
    for (let n = 0; n < 40; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let asked = 0;
    const tired: PushServiceAnswer = () => {
      asked += 1;
      return later({ why: 'it answered 429', isRateLimited: true, retryAfterMs: 600_000 });
    };
    assert.equal(await deliver(tired), 0);
    assert.ok(asked <= 8, `${asked} were sent`);
    clock = NOW + 599_000;
    assert.equal(await deliver(() => assert.fail('too soon')), 0);
    clock = NOW + 600_000;
    assert.equal(await deliver(() => DELIVERED), 40);
  });

  test('puts off the one that is limited for hours, and all others for five minutes at most', async () => {
    for (const isRateLimited of [true, false]) {
      await truncatePush(database);
      clock = NOW;
      await subscribe(database, { endpoint: 'https://push.example.com/limited' });
      for (let n = 0; n < 40; n += 1) await subscribe(database);
      await alertAll(database, NOW);
      const limited = later({ isRateLimited, retryAfterMs: 24 * HOUR });
      const limitsOne: PushServiceAnswer = ({ endpoint }) => (endpoint.endsWith('limited') ? limited : DELIVERED);
      let delivered = (await deliver(limitsOne)) ?? 0;
      clock = NOW + 300_000;
      delivered += (await deliver(limitsOne)) ?? 0;
      assert.equal(delivered, 40);
      clock = NOW + 11 * HOUR;
      assert.equal(await deliver(() => assert.fail('it asked for a day')), 0);
    }
  });

  test('is paused for an hour at most, whatever a push service asks for all', async () => {
    clock = NOW;
    for (let n = 0; n < 40; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let asked = 0;
    await deliver(() => {
      asked += 1;
      return later({ isRateLimited: true, retryAfterMs: 24 * HOUR });
    });
    clock = NOW + HOUR - 1_000;
    assert.equal(await deliver(() => assert.fail('too soon')), 0);
    clock = NOW + HOUR;
    assert.equal(await deliver(() => DELIVERED), 40 - asked);
  });

  test('retries with growing pauses until 12 hours are over', async () => {
    clock = NOW;
    await subscribe(database);
    await alertAll(database, NOW);
    const times: number[] = [];
    while ((await outcomes())[0] === null) {
      await deliver(() => {
        times.push((clock - NOW) / 60_000);
        return later();
      });
      clock += 60_000;
    }
    assert.deepEqual(times.slice(0, 8), [0, 1, 3, 7, 15, 31, 63, 123]);
    assert.ok((times.at(-1) ?? 0) < 12 * 60);
    assert.deepEqual(await outcomes(), ['expired']);
  });

  test('sends nothing at night, retries included, except simulated alerts of the demo', async () => {
    const evening = Date.parse('2026-11-20T19:58:30Z');
    clock = evening;
    for (let n = 0; n < 20; n += 1) await subscribe(database);
    await alertAll(database, evening);
    assert.equal(await deliver(() => later({ why: 'it answered 429', isRateLimited: true })), 0);
    await alertAll(database, evening, { fuel: 'diesel' });
    for (const [at, delivered] of [
      ['2026-11-20T20:00:00Z', 0],
      ['2026-11-21T04:59:59Z', 0],
      ['2026-11-21T05:00:00Z', 40],
    ] as const) {
      clock = Date.parse(at);
      assert.equal(await deliver(() => (delivered > 0 ? DELIVERED : assert.fail('at night'))), delivered, at);
    }
    clock = Date.parse('2026-11-21T21:00:00Z');
    await alertAll(database, clock, { details: AT_ANY_HOUR });
    assert.equal(await deliver(() => DELIVERED), 20);
  });

  test('pauses a push service that fails eight times in a row', async () => {
    clock = NOW;
    for (let n = 0; n < 40; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let asked = 0;
    await deliver(() => {
      asked += 1;
      return later();
    });
    assert.ok(asked >= 8 && asked < 17, `${asked} were sent`);
  });

  test('is emptied by one process at a time', async () => {
    clock = NOW;
    await subscribe(database);
    await alertAll(database, NOW);
    await takeLease(database.kysely, PUSH_LEASE, 'somebody else', 30_000);
    assert.equal(await deliver(() => assert.fail('another one sends')), null);
  });

  test('sends nothing more once the lease is lost', async () => {
    for (let n = 0; n < 40; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let sent = 0;
    const done = deliver(
      async () => {
        sent += 1;
        if (sent === 1) await database.pool.query(`update leases set fence = fence + 1 where name = '${PUSH_LEASE}'`);
        await waitFor('the loss to be noticed', 2_000, async () => gone());
        return DELIVERED;
      },
      { leaseMs: 300 },
    );
    const begun = performance.now();
    const gone = () => performance.now() - begun > 400;
    await done;
    assert.ok(sent <= 8, `${sent} were sent`);
  });

  test('sends nothing more once its lease may have expired', async () => {
    for (let n = 0; n < 40; n += 1) await subscribe(database);
    await alertAll(database, NOW);
    let sent = 0;
    let awayAt = Number.POSITIVE_INFINITY;
    try {
      await deliver(
        async () => {
          sent += 1;
          if (sent === 1) {
            await database.pool.query('alter table leases rename to leases_away');
            awayAt = performance.now();
          }
          await waitFor('the lease to run out', 20_000, () => performance.now() > awayAt + 600);
          return DELIVERED;
        },
        { leaseMs: 300 },
      );
    } finally {
      await database.pool.query('alter table leases_away rename to leases');
    }
    assert.ok(sent <= 8, `${sent} were sent`);
  });

  test('drops the messages of a subscription that has changed its subject', async () => {
    await subscribe(database, { endpoint: 'https://push.example.com/moved' });
    await alertAll(database, NOW);
    await subscribe(database, { endpoint: 'https://push.example.com/moved', fuel: 'lpg' });
    assert.equal(await deliver(() => assert.fail('not wanted any more')), 0);
  });
});
