/** The client for TypeScript reads the feed of changes. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CursorGoneError, PompaClient, UnexpectedAnswerError } from '../../clients/typescript/src/index.ts';
import { FeedServer } from './feed-server.ts';

describe('a client that reads the feed', () => {
  let feed: FeedServer;
  let client: PompaClient;
  beforeEach(async () => {
    feed = await FeedServer.start();
    feed.append('CJ', 'IF', 'CJ', 'BV', 'CJ');
    client = new PompaClient({ baseUrl: feed.url, waitUpToSeconds: 0 });
  });
  afterEach(() => feed.close());

  test('gets every change once, in order, over as many pages as there are', async () => {
    const cursors = await cursorsOf(client.iterateChanges({ limita: 2 }));

    assert.deepEqual(cursors, ['1-1', '1-2', '1-3', '1-4', '1-5']);
    assert.deepEqual(
      feed.requests.map(({ dupa }) => dupa),
      [undefined, '1-2', '1-4'],
    );
  });

  test('continues after any change that it has seen', async () => {
    assert.deepEqual(await cursorsOf(client.iterateChanges({ dupa: '1-3', limita: 1 })), ['1-4', '1-5']);
  });

  test('moves past changes that its filters leave out', async () => {
    const pages = await Array.fromAsync(client.changePages({ judet: 'CJ', limita: 2 }));

    assert.deepEqual(
      pages.map(({ changes, next, upToDate }) => [changes.length, next, upToDate]),
      [
        [1, '1-2', false],
        [1, '1-4', false],
        [1, '1-5', true],
      ],
    );
  });

  test('gives a page as long as it asks the service to wait, and half a minute', async (t) => {
    const timeout = t.mock.method(AbortSignal, 'timeout');
    await client.getChangePage({ asteapta: 25 });
    await client.getChangePage({ asteapta: 25 }, { timeoutSeconds: 7 });
    assert.deepEqual(
      timeout.mock.calls.map(({ arguments: [ms] }) => ms),
      [55_000, 7_000],
    );
  });

  test('that follows waits at the service for the next change, until its signal ends it', async () => {
    const stop = new AbortController();
    const pages = client.changePages({ dupa: '1-5' }, { follow: true, signal: stop.signal });
    const next = pages.next();
    feed.append('TM');

    assert.deepEqual(
      (await next).value?.changes.map(({ cursor }) => cursor),
      ['1-6'],
    );
    assert.equal(feed.requests[0]?.asteapta, '25');
    const waiting = pages.next();
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  test('that follows asks once a second at most where the service does not wait', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    let asked = 0;
    const impatient = new PompaClient({
      baseUrl: feed.url,
      fetch: async () => {
        asked += 1;
        return Response.json({ modificari: [], urmatorul: '1-6', la_zi: true });
      },
    });
    const pages = impatient.changePages({}, { follow: true });
    await pages.next();
    const second = pages.next();
    await settled();
    assert.equal(asked, 1);
    t.mock.timers.tick(1000);
    await second;
    assert.equal(asked, 2);
  });

  test('waits for a short limit, then misses nothing', async () => {
    const patient = new PompaClient({ baseUrl: feed.url, waitUpToSeconds: 5 });
    feed.refuseNext(1);

    assert.equal((await cursorsOf(patient.iterateChanges({ dupa: '1-4' }))).at(0), '1-5');
  });

  test('gets the cursor to begin with from the prices', async () => {
    const { answer, cursor } = await client.getStationsWithCursor({ judet: 'CJ' });

    assert.deepEqual([answer.statii, cursor], [[], '1-5']);
  });

  test('learns that its cursor is too old, and where the feed begins', async () => {
    feed.beginAgain();

    await assert.rejects(cursorsOf(client.iterateChanges({ dupa: '1-3' })), (error) => {
      assert.ok(error instanceof CursorGoneError);
      assert.equal(error.resumeFrom, '2-0');
      return true;
    });
  });

  test('ends with an error, not in a loop, when the feed neither moves nor ends', async () => {
    const answers = [{ modificari: [], urmatorul: '1-1', la_zi: false }, { modificari: 'none' }];
    for (const answer of answers) {
      let asked = 0;
      const fetchOnce = async () => {
        asked += 1;
        return asked === 1 ? Response.json(answer) : assert.fail('one request too many');
      };
      const stuck = new PompaClient({ baseUrl: feed.url, fetch: fetchOnce });
      await assert.rejects(cursorsOf(stuck.iterateChanges({ dupa: '1-1' })), UnexpectedAnswerError);
    }
  });
});

async function cursorsOf(changes: AsyncIterable<{ readonly cursor: string }>): Promise<string[]> {
  return (await Array.fromAsync(changes)).map(({ cursor }) => cursor);
}

/** Lets promises that are due continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
