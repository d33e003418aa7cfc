/** The client for TypeScript reads the feed of changes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CursorGoneError, PompaClient, UnexpectedAnswerError } from '../../clients/typescript/src/index.ts';
import { EPOCH } from '../support/changes/told-changes.ts';
import { type FeedService, startFeedService, tellWhenAwaited } from './feed-service.ts';

/** The cursor of a change. */
const at = (seq: number) => `${EPOCH}.${seq}`;

describe('a client that reads the feed', () => {
  let service: FeedService;
  /** The queries of its requests to the feed. */
  let asked: Record<string, string>[];
  let client: PompaClient;
  const counting: typeof fetch = (url, init) => {
    asked.push(Object.fromEntries(new URL(String(url)).searchParams));
    return fetch(url, init);
  };
  beforeEach(async () => {
    service = await startFeedService(['CJ', 'IF', 'CJ', 'BV', 'CJ']);
    asked = [];
    client = new PompaClient({ baseUrl: service.url, waitUpToSeconds: 0, fetch: counting });
  });
  afterEach(() => service.close());

  test('gets every change once, in order, over as many pages as there are', async () => {
    const changes = await Array.fromAsync(client.iterateChanges({ limita: 2 }));

    assert.deepEqual(
      changes.map(({ cursor, fel, pret_nou }) => [cursor, fel, pret_nou]),
      [7.01, 7.02, 7.03, 7.04, 7.05].map((price, index) => [at(index + 1), 'pret', price]),
    );
    assert.deepEqual(
      asked.map(({ dupa }) => dupa),
      [undefined, at(2), at(4)],
    );
  });

  test('continues after any change that it has seen', async () => {
    assert.deepEqual(await cursorsOf(client.iterateChanges({ dupa: at(3), limita: 1 })), [at(4), at(5)]);
  });

  test('moves past changes that its filters leave out', async () => {
    const pages = await Array.fromAsync(client.changePages({ judet: 'CJ', limita: 2 }));

    assert.deepEqual(
      pages.map(({ modificari, urmatorul, la_zi }) => [modificari.length, urmatorul, la_zi]),
      [
        [2, at(3), false],
        [1, at(5), true],
      ],
    );
  });

  test('gives a page the time that it asks the service to wait, besides its own', async (t) => {
    const timeout = t.mock.method(AbortSignal, 'timeout');
    await client.getChanges({ asteapta: 25 });
    await client.getChanges({ asteapta: 25 }, { timeoutSeconds: 7 });
    await client.getChanges();
    assert.deepEqual(
      timeout.mock.calls.map(({ arguments: [ms] }) => ms),
      [55_000, 7_000, 30_000],
    );
  });

  test('that follows waits at the service for the next change, until its signal ends it', async () => {
    const stop = new AbortController();
    tellWhenAwaited(service.feed, 'TM');
    const pages = client.changePages({ dupa: at(5) }, { follow: true, signal: stop.signal });

    assert.deepEqual(
      (await pages.next()).value?.modificari.map(({ cursor }) => cursor),
      [at(6)],
    );
    assert.equal(asked[0]?.asteapta, '25');
    const waiting = pages.next();
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  test('that follows asks once a second at most where the service does not wait', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    let count = 0;
    const impatient = new PompaClient({
      baseUrl: service.url,
      fetch: async () => {
        count += 1;
        return Response.json({ modificari: [], urmatorul: '1-6', la_zi: true });
      },
    });
    const pages = impatient.changePages({}, { follow: true });
    await pages.next();
    const second = pages.next();
    await settled();
    assert.equal(count, 1);
    t.mock.timers.tick(1000);
    await second;
    assert.equal(count, 2);
  });

  test('waits for a short limit, then misses nothing', async () => {
    let refusals = 1;
    const refusedOnce: typeof fetch = async (url, init) => {
      if (refusals === 0) return fetch(url, init);
      refusals -= 1;
      const body = { status: 'error', message: 'Prea repede.', retry_after_seconds: 1 };
      return Response.json(body, { status: 429, headers: { 'Retry-After': '1' } });
    };
    const patient = new PompaClient({ baseUrl: service.url, waitUpToSeconds: 5, fetch: refusedOnce });

    assert.deepEqual(await cursorsOf(patient.iterateChanges({ dupa: at(4) })), [at(5)]);
  });

  test('gets the cursor to begin with from the prices', async () => {
    const { answer, cursor } = await client.getStationsWithCursor({ judet: 'CJ' });

    assert.ok(answer.statii.length > 0);
    assert.equal(cursor, at(5));
  });

  test('learns that its cursor is too old, and where the feed begins', async () => {
    service.feed.tell([{}], { epoch: 'epoch_02' });

    await assert.rejects(cursorsOf(client.iterateChanges({ dupa: at(3) })), (error) => {
      assert.ok(error instanceof CursorGoneError);
      assert.equal(error.resumeFrom, 'epoch_02.5');
      return true;
    });
  });

  test('ends with an error, not in a loop, when the feed neither moves nor ends', async () => {
    const answers = [{ modificari: [], urmatorul: at(1), la_zi: false }, { modificari: 'none' }];
    for (const answer of answers) {
      let count = 0;
      const fetchOnce = async () => {
        count += 1;
        return count === 1 ? Response.json(answer) : assert.fail('one request too many');
      };
      const stuck = new PompaClient({ baseUrl: service.url, fetch: fetchOnce });
      await assert.rejects(cursorsOf(stuck.iterateChanges({ dupa: at(1) })), UnexpectedAnswerError);
    }
  });
});

async function cursorsOf(changes: AsyncIterable<{ readonly cursor: string }>): Promise<string[]> {
  return (await Array.fromAsync(changes)).map(({ cursor }) => cursor);
}

/** Lets promises that are due continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
