/** How many receivers that are slow, and customers that mean harm, are kept from delaying others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { tell } from '../../../test/support/webhooks/stored-feed.ts';
import { storeWebhooks } from '../../../test/support/webhooks/stored-webhooks.ts';
import { emptyFeed } from '../../../test/support/webhooks/webhook-world.ts';
import type { WebhookMessage, WebhookOutcome } from '../../clients/webhook-sender.ts';
import { deliverToWebhooks, type WebhookJob } from './deliver-webhooks.ts';

const DELIVERED: WebhookOutcome = { kind: 'delivered', httpStatus: 204 };

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(() => emptyFeed(database));

/** A sender whose messages to `slow` hosts end when the test says; the others arrive at once. */
class FakeSender {
  readonly hanging: { readonly url: string; readonly end: (outcome?: WebhookOutcome) => void }[] = [];
  readonly arrived: string[] = [];
  readonly #events = new EventTarget();

  readonly send = ({ url }: Pick<WebhookMessage, 'url'>): Promise<WebhookOutcome> => {
    const { promise, resolve } = Promise.withResolvers<WebhookOutcome>();
    if (url.includes('slow')) this.hanging.push({ url, end: (outcome = DELIVERED) => resolve(outcome) });
    else {
      this.arrived.push(url);
      resolve(DELIVERED);
    }
    this.#events.dispatchEvent(new Event('sent'));
    return promise;
  };

  async until(happened: () => boolean): Promise<void> {
    while (!happened()) await once(this.#events, 'sent');
  }

  endAll(): void {
    for (const { end } of this.hanging.splice(0)) end();
  }
}

function setUp(changed: Partial<WebhookJob> = {}) {
  const sender = new FakeSender();
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
  const time = { now: Date.now() };
  const job: WebhookJob = {
    ...{ db: database.kysely, holder: 'test', leaseMs: 30_000, clock: () => time.now, random: () => 0.5 },
    ...{ write: () => '{}', send: sender.send, slowAfterMs: 5, log, ...changed },
  };
  const deliver = () => deliverToWebhooks(job, new AbortController().signal);
  return { sender, deliver, lines, time };
}

describe('receivers that answer slowly', () => {
  test('delay no other, though 150 of them hang at once for the first time', async () => {
    const { sender, deliver } = setUp();
    await storeWebhooks(database, 150, { url: 'https://slow-{n}.example/' });
    await storeWebhooks(database, 1, { url: 'https://prompt.example/' });
    await tell(database, [{}]);
    const delivering = deliver();
    await sender.until(() => sender.arrived.length === 1 && sender.hanging.length === 150);
    sender.endAll();
    assert.equal(await delivering, 151);
  });

  test('take no place of others the next time, however long they hang', async () => {
    const { sender, deliver, time } = setUp({ slowAfterMs: 600_000 });
    await storeWebhooks(database, 100, { url: 'https://slow-{n}.example/' });
    await sql`update webhooks set slow_at = ${new Date(time.now - 3_500_000)}`.execute(database.kysely);
    await storeWebhooks(database, 70, { url: 'https://prompt-{n}.example/' });
    await tell(database, [{}]);
    const delivering = deliver();
    await sender.until(() => sender.arrived.length === 70 && sender.hanging.length === 100);
    sender.endAll();
    assert.equal(await delivering, 170);
  });

  test('are those that failed, or took long, within the last hour', async () => {
    const { sender, deliver, time } = setUp();
    const slow = async () => {
      const { rows } = await sql<{ url: string }>`
        select url from webhooks where slow_at = ${new Date(time.now)} order by url`.execute(database.kysely);
      return rows.map(({ url }) => url);
    };
    const urls = ['https://slow-1.example/', 'https://slow-2.example/', 'https://prompt.example/'];
    for (const url of urls) await storeWebhooks(database, 1, { url });
    await tell(database, [{}]);
    const delivering = deliver();
    await sender.until(() => sender.hanging.length === 2 && sender.arrived.length === 1);
    const [first, second] = sender.hanging.splice(0).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    second?.end({ kind: 'failed', failure: 'timeout', httpStatus: null, retryAfterMs: null });
    // The other one took longer than 5 ms, by any clock that has a millisecond.
    await new Promise((resolve) => setTimeout(resolve, 10));
    first?.end();
    await delivering;
    assert.deepEqual(await slow(), urls.slice(0, 2));
  });
});

test('one key has one delivery under way, however many webhooks it has, and one host eight', async () => {
  const { sender, deliver } = setUp({ slowAfterMs: 600_000 });
  await storeWebhooks(database, 5, { url: 'https://slow-{n}.example/', ofKey: 5 });
  await storeWebhooks(database, 12, { url: 'https://slow-shared.example/{n}' });
  await storeWebhooks(database, 10, { url: 'https://prompt-{n}.example/' });
  await tell(database, [{}]);
  const delivering = deliver();
  await sender.until(() => sender.arrived.length === 10 && sender.hanging.length >= 9);
  const isShared = ({ url }: { readonly url: string }) => url.includes('shared');
  assert.deepEqual([sender.hanging.length, sender.hanging.filter(isShared).length], [9, 8]);
  // Four of the host and four of the key are left.
  const done: string[] = [];
  while (done.length < 17) {
    await sender.until(() => sender.hanging.length > 0);
    assert.ok(sender.hanging.filter(isShared).length <= 8);
    assert.ok(sender.hanging.filter((each) => !isShared(each)).length <= 1);
    const next = sender.hanging.shift();
    done.push(next?.url ?? '');
    next?.end();
  }
  assert.equal(await delivering, 27);
  assert.equal(new Set(done).size, 17);
});

test('a run that fails ends only when what is under way has ended, and begins nothing more', async () => {
  const { sender, deliver } = setUp({
    slowAfterMs: 600_000,
    write: ({ webhook }) => {
      if (webhook === broken) throw new Error('no body');
      return '{}';
    },
  });
  const [, , broken] = await storeWebhooks(database, 3, { url: 'https://slow-{n}.example/' });
  await tell(database, [{}]);
  const delivering = deliver();
  await sender.until(() => sender.hanging.length === 2);
  await tell(database, [{}]);
  const order: string[] = [];
  const failed = assert.rejects(delivering, /no body/).then(() => order.push('failed'));
  // A further run finds the lease taken.
  assert.equal(await deliver(), null);
  order.push('ended');
  sender.endAll();
  await failed;
  assert.deepEqual([order, sender.hanging.length], [['ended', 'failed'], 0]);
});

test('a process whose lease another one took begins nothing more', async () => {
  const lost = Promise.withResolvers<void>();
  const { sender, deliver } = setUp({
    ...{ leaseMs: 90, slowAfterMs: 600_000 },
    log: { info: () => lost.resolve(), warn: () => undefined },
  });
  await storeWebhooks(database, 2, { url: 'https://slow-{n}.example/', ofKey: 2 });
  await tell(database, [{}]);
  const delivering = deliver();
  await sender.until(() => sender.hanging.length === 1);
  await sql`update leases set fence = fence + 1 where name = 'webhooks'`.execute(database.kysely);
  await lost.promise;
  sender.endAll();
  assert.deepEqual([await delivering, sender.hanging.length], [1, 0]);
});
