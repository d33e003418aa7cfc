import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { MAX_STREAMS } from '../../src/api/changes/change-feed.ts';
import { CONNECTION_LIMITS } from '../../src/api/http/connection/connection-limits.ts';
import { cursorText } from '../../src/domain/changes/cursor.ts';
import type { ToldChange } from '../../src/store/changes/read-feed.ts';
import { NOON } from '../support/builders/snapshot-builders.ts';
import { EventClient } from '../support/changes/event-client.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';

const MINUTE = 60_000;
const PATH = '/api/v1/modificari/flux';
const ELSEWHERE: Partial<ToldChange> = { station: 'ffffffffffff', county: 'IS', city: 'iasi', network: 'mol' };

async function serve(t: TestContext) {
  const feed = new ToldFeed();
  const service = await TestService.during(t, { accessControl: allowAll(SOME_KEY), changes: feed.log });
  const connect = async (query = '', headers = {}) => {
    const client = await EventClient.connect(service.port, `${PATH}${query}`, headers);
    t.after(() => client.close());
    return client;
  };
  return { feed, service, connect };
}

const ids = ({ events }: EventClient) => events.map(({ id }) => id);
const placesOf = (...numbers: number[]) => numbers.map((seq) => `${EPOCH}.${seq}`);

describe('GET /api/v1/modificari/flux', () => {
  test('sends each change as an event whose id is where to go on, and whose data is the record of a page', async (t) => {
    const { feed, service, connect } = await serve(t);
    const client = await connect();
    assert.deepEqual(
      [client.status, client.headers['content-type'], client.headers['cache-control']],
      [200, 'text/event-stream; charset=utf-8', 'no-store'],
    );
    await client.until(({ lastId }) => lastId === `${EPOCH}.0`);
    feed.tell([{}, ELSEWHERE]);
    await client.until(({ events }) => events.length === 2);
    assert.deepEqual(ids(client), placesOf(1, 2));
    const { json } = await service.ask('/api/v1/modificari');
    assert.deepEqual(
      client.events.map(({ data }) => JSON.parse(data)),
      json.modificari,
    );
  });

  test('begins with future changes, or after `dupa`, or after `Last-Event-ID`, which wins', async (t) => {
    const { feed, connect } = await serve(t);
    feed.tellSome(3);
    const now = await connect();
    await now.until(({ lastId }) => lastId === `${EPOCH}.3`);
    now.close();
    const resumed = await connect(`?dupa=${EPOCH}.1`);
    await resumed.until(({ events }) => events.length === 2);
    resumed.close();
    const again = await connect('?dupa=acum', { 'Last-Event-ID': `${EPOCH}.2` });
    await again.until(({ events }) => events.length === 1);
    assert.deepEqual([now, resumed, again].map(ids), [[], placesOf(2, 3), placesOf(3)]);
  });

  test('filters as a page does', async (t) => {
    const { feed, connect } = await serve(t);
    feed.tell([{}, ELSEWHERE, {}]);
    const client = await connect(`?dupa=${EPOCH}.0&judet=CJ&tip=benzina_standard`);
    await client.until(({ events }) => events.length === 2);
    assert.deepEqual(ids(client), placesOf(1, 3));
  });

  test('sends a long past in order, as fast as the client reads', async (t) => {
    const { feed, connect } = await serve(t);
    feed.tellSome(12_000);
    const client = await connect(`?dupa=${EPOCH}.0`);
    await client.until(({ events }) => events.length === 12_000);
    assert.deepEqual(
      ids(client),
      Array.from({ length: 12_000 }, (_, index) => `${EPOCH}.${(index + 1).toString(36)}`),
    );
  });

  describe('after a `/statii` that was not told yet', () => {
    /** The third state of the first publication: `/statii` gives such a cursor while two are told at most. */
    const ahead = { version: 1, from: NOON + 2 * MINUTE, until: NOON + 3 * MINUTE };
    const marked = (seq: number) => cursorText({ epoch: EPOCH, seq, ahead });

    test('has ids that say so; once only a later state is told it ends, and they are 410', async (t) => {
      const { feed, service, connect } = await serve(t);
      feed.tell([{}, {}], { isPublished: false });
      const client = await connect(`?dupa=${marked(0)}`);
      await client.until(({ events }) => events.length === 2);
      assert.deepEqual(ids(client), [marked(1), marked(2)]);
      feed.tell([{}], { from: NOON + 3 * MINUTE });
      await client.untilOver();
      assert.equal(client.events.length, 2, 'no change that the client could apply wrongly');
      const { status } = await service.ask(PATH, { headers: { 'Last-Event-ID': client.lastId } });
      assert.equal(status, 410);
    });

    test('goes on with plain ids once that state is told', async (t) => {
      const { feed, connect } = await serve(t);
      const client = await connect(`?dupa=${marked(0)}`);
      await client.until(({ lastId }) => lastId === marked(0));
      for (let state = 2; state <= 4; state += 1) feed.tell([{}], { isPublished: false });
      await client.until(({ events }) => events.length === 3);
      assert.deepEqual(ids(client), [marked(1), ...placesOf(2, 3)]);
    });
  });

  test('ends when the past is rewritten: the old id is 410 then', async (t) => {
    const { feed, service, connect } = await serve(t);
    const client = await connect();
    feed.tell([{}], { epoch: 'epoch_02' });
    await client.untilOver();
    const { status, json } = await service.ask(PATH, { headers: { 'Last-Event-ID': client.lastId } });
    assert.deepEqual([status, json.reia_de_la], [410, 'epoch_02.0']);
  });

  test('ends when the service stops', async (t) => {
    const { service, connect } = await serve(t);
    const client = await connect();
    await service.api.close();
    await client.untilOver();
  });

  test(`is open ${MAX_STREAMS.perKey} times for a key; one that ends makes room`, async (t) => {
    const { feed, service, connect } = await serve(t);
    const [first] = await Promise.all(Array.from({ length: MAX_STREAMS.perKey }, () => connect()));
    const refused = await service.ask(PATH);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '5']);
    assert.match(refused.json.message, /cel mult 2/);
    first?.close();
    await t.waitFor(() => assert.equal(feed.log.listeners, MAX_STREAMS.perKey - 1), { interval: 2, timeout: 5_000 });
    assert.equal((await connect()).status, 200);
  });

  test('resets a client that takes nothing for as long as connections may stall', async (t) => {
    const feed = new ToldFeed();
    const limits = { ...CONNECTION_LIMITS, stallTimeoutMs: 300 };
    const service = await TestService.during(t, { accessControl: allowAll(SOME_KEY), changes: feed.log, limits });
    feed.tellSome(20_000);
    const socket = net.connect(service.port, '127.0.0.1').pause();
    t.after(() => socket.destroy());
    const how = new Promise((resolve) => {
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code)).on('end', () => resolve('closed'));
    });
    socket.write(`GET ${PATH}?dupa=${EPOCH}.0 HTTP/1.1\r\nHost: pompa.example\r\n\r\n`);
    await t.waitFor(() => assert.equal(feed.log.listeners, 1), { interval: 2, timeout: 5_000 });
    await t.waitFor(() => assert.equal(feed.log.listeners, 0), { interval: 20, timeout: 10_000 });
    socket.resume();
    assert.equal(await how, 'ECONNRESET');
  });

  test('answers HEAD with the head alone, which holds nothing open', async (t) => {
    const { feed, service } = await serve(t);
    for (let round = 0; round <= MAX_STREAMS.perKey; round += 1)
      assert.equal((await service.ask(PATH, { method: 'HEAD' })).status, 200);
    assert.equal(feed.log.listeners, 0);
  });

  test('refuses a `Last-Event-ID` that is no cursor, and says so', async (t) => {
    const { service } = await serve(t);
    const { status, json } = await service.ask(PATH, { headers: { 'Last-Event-ID': '17' } });
    assert.equal(status, 400);
    assert.match(json.message, /„Last-Event-ID” are valoarea „17”/);
  });
});
