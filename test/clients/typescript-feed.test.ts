/** The client for TypeScript reads the feed of changes of the real service. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { CursorGoneError, PompaClient, UnexpectedAnswerError } from '../../clients/typescript/src/index.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';
import { SHOWN_AFTER_COUNTIES, tellCounties } from './told-counties.ts';

describe('a client that reads the feed', () => {
  let feed: ToldFeed;
  let service: TestService;
  let client: PompaClient;
  /** The address of each request. */
  let asked: URL[];
  beforeEach(async () => {
    feed = new ToldFeed();
    tellCounties(feed);
    const options = { accessControl: allowAll(SOME_KEY), changes: feed.log, snapshot: SHOWN_AFTER_COUNTIES };
    service = await TestService.start(options);
    asked = [];
    client = clientWith((url, options) => {
      asked.push(new URL(String(url)));
      return fetch(url, options);
    });
  });
  afterEach(() => service.api.close());

  const clientWith = (fetchOnce: typeof fetch, waitUpToSeconds = 0) =>
    new PompaClient({ baseUrl: `http://127.0.0.1:${service.port}`, waitUpToSeconds, fetch: fetchOnce });

  test('gets every change once, in order, over as many pages as there are', async () => {
    assert.deepEqual(await cursorsOf(client.iterateChanges({ limita: 2 })), cursors(1, 2, 3, 4, 5));
    assert.deepEqual(
      asked.map(({ searchParams }) => searchParams.get('dupa')),
      [null, ...cursors(2, 4)],
    );
  });

  test('continues after any change that it has seen', async () => {
    const dupa = cursorOf(3);
    assert.deepEqual(await cursorsOf(client.iterateChanges({ dupa, limita: 1 })), cursors(4, 5));
  });

  test('moves past changes that its filters leave out', async () => {
    const pagesOf = async (judet: string) =>
      (await Array.fromAsync(client.changePages({ judet, limita: 2 }))).map((page) => [
        page.modificari.length,
        page.urmatorul,
        page.la_zi,
      ]);
    const last = cursorOf(5);
    assert.deepEqual(await pagesOf('Cluj'), [
      [2, cursorOf(3), false],
      [1, last, true],
    ]);
    assert.deepEqual(await pagesOf('TM'), [[0, last, true]]);
  });

  test('gives a page as long as it asks the service to wait, and its time limit', async (t) => {
    const timeout = t.mock.method(AbortSignal, 'timeout');
    await client.getChanges({ asteapta: 25 });
    await client.getChanges({ asteapta: 25 }, { timeoutSeconds: 7 });
    assert.deepEqual(
      timeout.mock.calls.map(({ arguments: [ms] }) => ms),
      [55_000, 7_000],
    );
  });

  test('that follows waits at the service for the next change, until its signal ends it', async (t) => {
    const stop = new AbortController();
    const pages = client.changePages({ dupa: cursorOf(5) }, { follow: true, signal: stop.signal });
    const next = pages.next();
    await waits(t, feed);
    feed.tellSome(1);

    assert.deepEqual(
      (await next).value?.modificari.map(({ cursor }) => cursor),
      cursors(6),
    );
    assert.equal(asked[0]?.searchParams.get('asteapta'), '25');
    const waiting = pages.next();
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });

  test('that follows asks once a second at most where the service does not wait', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    let count = 0;
    const impatient = clientWith(async () => {
      count += 1;
      return Response.json({ modificari: [], urmatorul: 'c', la_zi: true });
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
    const refusals = [{ status: 'error', message: 'Prea repede.', retry_after_seconds: 1 }];
    const patient = clientWith(async (url, options) => {
      const refusal = refusals.pop();
      return refusal === undefined ? fetch(url, options) : Response.json(refusal, { status: 429 });
    }, 5);
    const dupa = cursorOf(4);

    assert.deepEqual(await cursorsOf(patient.iterateChanges({ dupa })), cursors(5));
  });

  test('gets the cursor to begin with from the prices', async () => {
    const { answer, cursor } = await client.getStationsWithCursor({ judet: 'CJ' });
    feed.tellSome(1);

    assert.ok(answer.statii.length > 0);
    assert.deepEqual(await cursorsOf(client.iterateChanges({ dupa: cursor })), cursors(6));
  });

  test('learns that its cursor is too old, and where the feed begins', async () => {
    const dupa = cursorOf(3);
    feed.tell([], { epoch: 'epoch_02' });

    await assert.rejects(cursorsOf(client.iterateChanges({ dupa })), (error) => {
      assert.ok(error instanceof CursorGoneError);
      assert.equal(error.resumeFrom, 'epoch_02.5');
      return true;
    });
  });

  test('ends with an error, not in a loop, when the feed neither moves nor ends', async () => {
    const answers = [{ modificari: [], urmatorul: 'a', la_zi: false }, { modificari: [] }, { modificari: 'none' }];
    for (const answer of answers) {
      let count = 0;
      const stuck = clientWith(async () => {
        count += 1;
        return count === 1 ? Response.json(answer) : assert.fail('one request too many');
      });
      await assert.rejects(cursorsOf(stuck.iterateChanges({ dupa: 'a' })), UnexpectedAnswerError);
    }
  });
});

const cursorOf = (seq: number) => `${EPOCH}.${seq}`;
const cursors = (...numbers: readonly number[]) => numbers.map(cursorOf);

async function cursorsOf(changes: AsyncIterable<{ readonly cursor: string }>): Promise<string[]> {
  return (await Array.fromAsync(changes)).map(({ cursor }) => cursor);
}

/** Resolves once somebody waits for a change. */
async function waits(t: TestContext, { log }: ToldFeed): Promise<void> {
  await t.waitFor(() => assert.equal(log.listeners, 1), { interval: 2, timeout: 5_000 });
}

/** Lets promises that are due continue. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
