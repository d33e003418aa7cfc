/**
 * Limits while the database is unreachable, hangs or is locked: no request waits long, no limit fails open, and
 * everything recovers.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Database, openDatabase } from '../../../src/store/connection/database.ts';
import { AddressHash } from '../../../src/store/limits/address-hash.ts';
import { LimitsUnavailable, STATEMENT_TIMEOUT_MS } from '../../../src/store/limits/limit-batch.ts';
import { MinuteLimits } from '../../../src/store/limits/minute-limits.ts';
import type { RateLimits } from '../../../src/store/limits/rate-limits.ts';
import { WeeklyCap } from '../../../src/store/limits/weekly-cap.ts';
import { DatabaseProxy } from '../../support/database/database-proxy.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { NO_DATABASE } from '../../support/database/late-database.ts';
import { rateLimitsOn } from '../../support/database/rate-limits.ts';
import { type TestDatabase, testDatabase } from '../../support/database/test-database.ts';
import { timed } from '../../support/stopwatch.ts';

const DAY = 24 * 3_600_000;
/** Requests of one outage, which last longer than the pause after the first failure. */
const ROUNDS = 60;
const ROUND_PAUSE_MS = 20;
const silentLog = { info: () => undefined, warn: () => undefined };

let direct: TestDatabase;
let proxy: DatabaseProxy;
/** The database as one process reaches it, through the proxy. */
let database: Database;
let limits: RateLimits;
let key: { id: number; quota: number };
before(async () => {
  direct = await testDatabase();
});
after(() => direct.drop());
beforeEach(async () => {
  await direct.pool.query('truncate api_keys, key_usage, weekly_caps, minute_windows cascade');
  const { rows } = await direct.pool.query<{ id: number }>(
    `with made as (insert into api_keys (plan, created_at) values ('pro', now()) returning id)
    insert into key_usage (key_id) select id from made returning key_id as id`,
  );
  key = { id: (rows[0] as { id: number }).id, quota: 1_000 };
  proxy = await DatabaseProxy.inFrontOf(direct.url);
  database = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log: silentLog });
  limits = await rateLimitsOn(database);
});
afterEach(async () => {
  proxy.open();
  await database.close();
  proxy.close();
});

/** Locks tables as a long schema change would, until the returned function is called. */
async function lockTables(): Promise<() => Promise<void>> {
  const holder = await direct.pool.connect();
  await holder.query('begin; lock table key_usage, weekly_caps, minute_windows');
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

const takeKey = async () => {
  try {
    return (await limits.keys.tryTake(key, true)).outcome;
  } catch (error) {
    assert.ok(error instanceof LimitsUnavailable);
    return 'undecided';
  }
};

async function resolvesWithin<T>(ms: number, work: () => T | Promise<T>): Promise<T> {
  const took = await timed(work);
  assert.ok(took.ms < ms, `${took.ms} ms`);
  return took.result;
}

/** How each outage begins; the returned function ends it. */
const outages: [string, () => Promise<() => unknown>][] = [
  ['cut off', () => failProxy('cut')],
  ['silent', () => failProxy('hang')],
  ['locked', lockTables],
];

async function failProxy(how: 'cut' | 'hang') {
  proxy[how]();
  return () => proxy.open();
}

for (const [what, begin] of outages) {
  describe(`while the database is ${what}`, () => {
    test('decides no key, but answers within a second every time, and decides keys again once it is back', async () => {
      assert.equal(await takeKey(), 'granted');
      const end = await begin();
      for (let again = 0; again < 4; again += 1) {
        const all = await resolvesWithin(1_000, () => Promise.all(Array.from({ length: 20 }, takeKey)));
        assert.deepEqual([...new Set(all)], ['undecided']);
      }
      await end();
      await waitFor('keys to be decided again', 6_000, async () => (await takeKey()) === 'granted');
    });

    test('a per-minute limit is decided by the process alone once requests stop waiting', async () => {
      const end = await begin();
      const minute = { client: '192.0.2.9', name: 'x', maxRequests: 2 };
      const take = () => resolvesWithin(500, () => limits.minutes.tryTake(minute, 100));
      assert.deepEqual([await take(), await take()], [0, 0]);
      assert.ok((await take()) > 0);
      await end();
    });

    test('the weekly cap is held by the process alone, and what it accepted is written afterwards', async () => {
      const known = { client: '192.0.2.1', endpoint: '/x' };
      const fresh = { client: '192.0.2.2', endpoint: '/x' };
      const refunded = { client: '192.0.2.3', endpoint: '/x' };
      const { acceptedAt } = await limits.weekly.tryTake(known);
      const end = await begin();
      // Accepted by the database a moment ago: an outage does not open the cap.
      const again = await resolvesWithin(2_000, () => limits.weekly.tryTake(known));
      assert.deepEqual([again.accepted, again.acceptedAt], [false, acceptedAt]);
      const all = await resolvesWithin(2_000, () =>
        Promise.all(Array.from({ length: 50 }, () => limits.weekly.tryTake(fresh))),
      );
      assert.equal(all.filter(({ accepted }) => accepted).length, 1);
      const taken = await limits.weekly.tryTake(refunded);
      assert.equal(taken.accepted, true);
      await limits.weekly.refund(refunded, taken.acceptedAt);
      const more = await limits.weekly.tryTake(refunded);
      assert.equal(more.accepted, true);
      await limits.weekly.refund(refunded, more.acceptedAt);
      await end();
      await waitFor('it to be written without a further request', 6_000, async () => {
        const { rows } = await direct.pool.query('select count(*)::int as count from weekly_caps');
        return rows[0].count === 2;
      });
      const verdicts = await Promise.all(
        [known, fresh].map((one) => inOtherProcess((other) => other.weekly.tryTake(one))),
      );
      assert.deepEqual(
        verdicts.map(({ accepted }) => accepted),
        [false, false],
      );
      const endAgain = await begin();
      const asBefore = await Promise.all([known, fresh].map((one) => limits.weekly.tryTake(one)));
      await endAgain();
      assert.deepEqual(
        asBefore.map(({ accepted }) => accepted),
        [false, false],
        'a second outage in a week does not open the cap',
      );
    });

    test('makes requests wait for it twice, and never again until it answers', async () => {
      const asks = {
        key: takeKey,
        weekly: async (round: number) =>
          (await limits.weekly.tryTake({ client: `198.51.100.${round}`, endpoint: '/x' })).accepted,
        minute: async (round: number) =>
          limits.minutes.tryTake({ client: `198.51.100.${round}`, name: 'x', maxRequests: 1 }),
      };
      const waits = { key: 0, weekly: 0, minute: 0 };
      const askAll = async (round: number) => {
        const turnEnd = setImmediate().then(() => 'later');
        const decisions = Object.entries(asks).map(async ([limit, ask]) => {
          const decision = ask(round);
          if ((await Promise.race([decision, turnEnd])) === 'later') waits[limit as keyof typeof asks] += 1;
          return decision;
        });
        return Promise.all(decisions);
      };
      const end = await begin();
      for (let round = 1; round <= ROUNDS; round += 1) {
        assert.deepEqual(await askAll(round), ['undecided', true, 0]);
        await setTimeout(ROUND_PAUSE_MS);
      }
      assert.deepEqual(waits, { key: 2, weekly: 2, minute: 2 });
      await end();
      await waitFor('keys to be decided again', 6_000, async () => (await takeKey()) === 'granted');
    });

    test('per-minute limits are held by the process alone, and continue to count afterwards', async () => {
      const minute = { client: '192.0.2.4', name: 'crawlers', maxRequests: 60 };
      const take = (count: number) => Promise.all(Array.from({ length: count }, () => limits.minutes.tryTake(minute)));
      const free = (waits: number[]) => waits.filter((wait) => wait === 0).length;
      assert.equal(free(await take(20)), 20);
      const end = await begin();
      assert.equal(free(await resolvesWithin(1_000, () => take(30))), 30);
      assert.equal(free(await take(30)), 10, 'with the earlier 20 that makes 60');
      await end();
      await waitFor('the database to decide again', 6_000, async () => {
        await limits.minutes.tryTake({ ...minute, name: 'another limit' });
        const { rows } = await direct.pool.query(`select from minute_windows where name = 'another limit'`);
        return rows.length > 0;
      });
      assert.equal(free(await take(20)), 0);
    });
  });
}

/** The limits of a freshly started process. */
async function inOtherProcess<T>(work: (other: RateLimits) => T | Promise<T>): Promise<T> {
  return work(await rateLimitsOn(direct));
}

describe('an abandoned request', () => {
  test('does not stay in progress: neither connections nor statements accumulate, in the process or the server', async () => {
    const unlock = await lockTables();
    try {
      const ends = performance.now() + 4_000;
      while (performance.now() < ends)
        await Promise.all([takeKey(), limits.minutes.tryTake({ client: 'a', name: 'b', maxRequests: 1 })]);
      await waitFor('every connection to be free', 2_000, () => database.pool.totalCount === database.pool.idleCount);
      await waitFor('the server to have noticed', 3_000, async () => {
        const { rows } = await direct.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length === 0;
      });
    } finally {
      await unlock();
    }
  });

  test('is not carried out late: a request that was rejected as undecided is not counted later', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    const begun = performance.now();
    assert.equal(await takeKey(), 'undecided');
    await waitFor(
      'nothing to be waited for any more',
      2_000,
      () => performance.now() > begun + STATEMENT_TIMEOUT_MS + 100,
    );
    for (const client of held) client.release();
    await waitFor('nobody to wait for a connection, or to have one', 4_000, () => {
      const { waitingCount, totalCount, idleCount } = database.pool;
      return waitingCount === 0 && totalCount === idleCount;
    });
    const { rows } = await direct.pool.query('select used, cardinality(recent) as slots from key_usage');
    assert.deepEqual(rows, [{ used: 0, slots: 0 }]);
  });
});

describe('when too many clients are remembered', () => {
  const hasher = new AddressHash().for('weekly caps');

  test('the weekly cap accepts no new client, and sends it a retry time of an hour', async () => {
    const weekly = new WeeklyCap(NO_DATABASE, { hasher, clock: Date.now, maxEntries: 3 });
    const request = async (client: string) => weekly.tryTake({ client, endpoint: '/x' });
    for (const client of ['a', 'b', 'c']) assert.equal((await request(client)).accepted, true);
    const { accepted, acceptedAt, now } = await request('d');
    assert.deepEqual([accepted, acceptedAt + 7 * DAY - now], [false, 3_600_000]);
    for (const client of ['a', 'b', 'c', 'd']) assert.equal((await request(client)).accepted, false);
  });

  test('without the database each of several processes accepts its part of a limit per minute', async () => {
    const minutes = new MinuteLimits(NO_DATABASE, { hasher, processes: 2 });
    const take = async () => minutes.tryTake({ client: 'a', name: 'crawlers', maxRequests: 5 });
    const waits = [await take(), await take(), await take(), await take()];
    assert.deepEqual(waits.slice(0, 3), [0, 0, 0]);
    assert.ok((waits[3] ?? 0) > 0);
  });

  test('per-minute limits accept no new client', async () => {
    const minutes = new MinuteLimits(NO_DATABASE, { hasher, maxEntries: 2 });
    const take = async (client: string) => minutes.tryTake({ client, name: 'crawlers', maxRequests: 2 });
    assert.deepEqual([await take('a'), await take('b')], [0, 0]);
    const wait = await take('c');
    assert.ok(wait > 59_000 && wait <= 60_001);
    assert.equal(await take('a'), 0);
  });
});
