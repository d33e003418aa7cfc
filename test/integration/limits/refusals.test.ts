/** Remembered refusals cost the database nothing and end when the next request is allowed. */
import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import pg from 'pg';
import { BoundedMap } from '../../../src/concurrency/bounded-map.ts';
import { type QueryStatement, type QueryTimeout, runStatement } from '../../../src/store/connection/query-timeout.ts';
import { valueTypes } from '../../../src/store/connection/value-types.ts';
import type { KeyedHasher } from '../../../src/store/limits/address-hash.ts';
import { KeyLimits } from '../../../src/store/limits/key-limits.ts';
import { MinuteLimits } from '../../../src/store/limits/minute-limits.ts';
import { WeeklyCap } from '../../../src/store/limits/weekly-cap.ts';
import { namedHasher } from '../../support/database/named-hashes.ts';
import { type LimitsFixtureWithClock, limitsFixtureWithClock } from './limits-fixture.ts';

const START = Date.UTC(2026, 8, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: LimitsFixtureWithClock;
let pool: pg.Pool;
let queriesSent = 0;
/** Counts the queries to the database. */
const counting = {
  state: 'ready' as const,
  whenReady: async () => true,
  query: <Row extends pg.QueryResultRow>(statement: QueryStatement, limit: QueryTimeout) => {
    queriesSent += 1;
    return runStatement<Row>(pool, statement, limit);
  },
};
let hasher: KeyedHasher;
let minuteHasher: KeyedHasher;

before(async () => {
  fixture = await limitsFixtureWithClock();
  pool = new pg.Pool({ connectionString: fixture.url, types: valueTypes });
  hasher = await namedHasher(counting, 'weekly caps');
  minuteHasher = await namedHasher(counting, 'minute windows');
});
after(async () => {
  await pool.end();
  await fixture.close();
});

/**
 * Mocks this process's clock and the database's: both stand still and move together, from a whole millisecond
 * (fractions round).
 */
async function mockClocks() {
  let at = Math.ceil(performance.now());
  let moved = 0;
  const now = mock.method(performance, 'now', () => at);
  await fixture.setClock(START);
  return {
    async go(ms: number) {
      at += ms;
      moved += ms;
      await fixture.setClock(START + moved);
    },
    /** Moves only this process's clock. */
    nudge(ms: number) {
      at += ms;
    },
    [Symbol.dispose]: () => now.mock.restore(),
  };
}
/** How many statements `work` executes. */
async function queryCount(work: () => unknown): Promise<number> {
  const before = queriesSent;
  await work();
  return queriesSent - before;
}

describe('a remembered refusal', () => {
  test('of a key costs nothing however often it is repeated, contains the wait, and ends when a request is allowed', async () => {
    using time = await mockClocks();
    const keys = new KeyLimits(counting, () => undefined);
    const [first = 0, second = 0] = await fixture.keys(2);
    const takeKey = (id: number) => keys.tryTake({ id, quota: 100 }, true);
    const got = await Promise.all(Array.from({ length: 6 }, () => takeKey(first)));
    assert.deepEqual(
      got.map(({ outcome }) => outcome),
      [...Array(5).fill('granted'), 'rate limited'],
    );

    await time.go(400);
    const flood = await queryCount(async () => {
      for (let again = 0; again < 20_000; again += 1) {
        const one = takeKey(first);
        assert.ok(
          !(one instanceof Promise) && one.outcome === 'rate limited' && one.waitMs === 601 && one.now === START + 400,
        );
      }
    });
    assert.equal(flood, 0);
    // Other keys are not affected.
    assert.equal((await takeKey(second)).outcome, 'granted');
    await time.go(600);
    assert.ok(!(takeKey(first) instanceof Promise), 'a millisecond too early');
    await time.go(1);
    assert.equal((await takeKey(first)).outcome, 'granted');
  });

  test('of a capped client costs nothing, is settled after half a minute, and is checked again every hour', async () => {
    using time = await mockClocks();
    const weekly = new WeeklyCap(counting, { hasher, clock: Date.now });
    const request = { client: '192.0.2.1', endpoint: '/x' };
    assert.equal((await weekly.tryTake(request)).accepted, true);
    await time.go(31_000);
    assert.equal(await queryCount(() => weekly.tryTake(request)), 2);
    const flood = (wanted: number) =>
      queryCount(() => {
        for (let again = 0; again < 20_000; again += 1) {
          const one = weekly.tryTake(request);
          assert.ok(
            !(one instanceof Promise) && !one.accepted && one.acceptedAt === START && one.now === START + wanted,
          );
        }
      });
    assert.equal(await flood(31_000), 0);
    await time.go(HOUR - 1);
    assert.equal(await flood(HOUR + 30_999), 0);
    await time.go(1);
    assert.equal(await queryCount(() => weekly.tryTake(request)), 2);
    for (const other of [
      { ...request, client: '192.0.2.2' },
      { ...request, endpoint: '/y' },
    ])
      assert.equal((await weekly.tryTake(other)).accepted, true);
  });

  test('of a capped client remains while one of its requests checks again', async () => {
    using time = await mockClocks();
    const weekly = new WeeklyCap(counting, { hasher, clock: Date.now });
    const request = { client: '192.0.2.5', endpoint: '/x' };
    await weekly.tryTake(request);
    await time.go(500);
    assert.equal((await weekly.tryTake(request)).accepted, false);
    await time.go(1_000);
    const again = weekly.tryTake(request);
    assert.ok(again instanceof Promise);
    const others = Array.from({ length: 100 }, () => weekly.tryTake(request));
    assert.ok(others.every((other) => !(other instanceof Promise) && !other.accepted && other.acceptedAt === START));
    assert.equal((await again).accepted, false);
    // A client whose week is over is not refused this way.
    await time.go(7 * DAY);
    const late = [weekly.tryTake(request), weekly.tryTake(request)];
    assert.ok(late.every((one) => one instanceof Promise));
    assert.deepEqual(
      (await Promise.all(late)).map(({ accepted }) => accepted),
      [true, false],
    );
  });

  test('of a capped client ends with the week, to the millisecond', async () => {
    using time = await mockClocks();
    const weekly = new WeeklyCap(counting, { hasher, clock: Date.now });
    const request = { client: '192.0.2.3', endpoint: '/x' };
    await weekly.tryTake(request);
    await time.go(7 * DAY - 10);
    assert.equal((await weekly.tryTake(request)).accepted, false);
    time.nudge(9);
    assert.ok(!(weekly.tryTake(request) instanceof Promise));
    await time.go(10);
    assert.equal((await weekly.tryTake(request)).accepted, true);
  });

  test('of a per-minute limit costs nothing and ends when a request is allowed', async () => {
    using time = await mockClocks();
    const minutes = new MinuteLimits(counting, { hasher: minuteHasher });
    const minute = { client: '192.0.2.4', name: 'german', maxRequests: 30 };
    const waits = await Promise.all(Array.from({ length: 31 }, () => minutes.tryTake(minute)));
    assert.deepEqual(waits.toSorted((a, b) => a - b).slice(-2), [0, 60_001]);
    await time.go(60_000);
    const flood = await queryCount(() => {
      for (let again = 0; again < 20_000; again += 1) assert.equal(minutes.tryTake(minute), 1);
    });
    assert.equal(flood, 0);
    assert.equal(await minutes.tryTake({ ...minute, client: '192.0.2.5' }), 0);
    assert.equal(await minutes.tryTake({ ...minute, name: 'crawlers' }), 0);
    await time.go(1);
    assert.equal(await minutes.tryTake(minute), 0);
  });

  test('is evicted, the oldest first, when there are too many', () => {
    const memory = new BoundedMap<number>(3);
    for (const each of [1, 2, 3, 1, 4]) memory.set(`${each}`, each);
    assert.deepEqual(
      [...memory.entries()].map(([name]) => name),
      ['3', '1', '4'],
    );
    assert.deepEqual([memory.isFull, memory.size, memory.oldest, memory.get('2')], [true, 3, 3, undefined]);
  });
});

test('refunds of many clients at once share a query, and give each its request back', async () => {
  using _ = await mockClocks();
  const weekly = new WeeklyCap(counting, { hasher, clock: Date.now });
  const requests = Array.from({ length: 200 }, (__, n) => ({ client: `203.0.113.${n}`, endpoint: '/refunded' }));
  const takeAll = () => Promise.all(requests.map(async (request) => weekly.tryTake(request)));
  const taken = await takeAll();
  const refundAll = async () => {
    await Promise.all(requests.map((request, n) => weekly.refund(request, taken[n]?.acceptedAt as number)));
  };
  assert.equal(await queryCount(refundAll), 1);
  assert.ok((await takeAll()).every(({ accepted }) => accepted));
});
