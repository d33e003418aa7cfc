/** Refusals that are remembered: they cost the database nothing, and end when there is a place again. */
import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import pg from 'pg';
import { Memory } from '../../../src/concurrency/bounded-map.ts';
import { valueTypes } from '../../../src/store/connection/value-types.ts';
import { KeyAllowance } from '../../../src/store/limits/key-limits.ts';
import { MinuteAllowance } from '../../../src/store/limits/minute-limits.ts';
import { WeeklyAllowance } from '../../../src/store/limits/weekly-limits.ts';
import { type SetGround, setGround } from './limits-fixture.ts';

const START = Date.UTC(2026, 8, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let ground: SetGround;
let pool: pg.Pool;
let asked = 0;
/** Counts how often the database is asked anything. */
const counting = () => ({
  connect: () => {
    asked += 1;
    return pool.connect();
  },
});
const hash = (client: string) => Buffer.from(client);

before(async () => {
  ground = await setGround();
  pool = new pg.Pool({ connectionString: ground.url, types: valueTypes });
});
after(async () => {
  await pool.end();
  await ground.close();
});

/** Both clocks, this process's and the database's, stand still and go together, from a whole millisecond (fractions round). */
async function clocks() {
  let at = Math.ceil(performance.now());
  let moved = 0;
  const now = mock.method(performance, 'now', () => at);
  await ground.set(START);
  return {
    async go(ms: number) {
      at += ms;
      moved += ms;
      await ground.set(START + moved);
    },
    /** Only this process's, by a little. */
    nudge(ms: number) {
      at += ms;
    },
    [Symbol.dispose]: () => now.mock.restore(),
  };
}
/** How many statements `work` took. */
async function cost(work: () => unknown): Promise<number> {
  const before = asked;
  await work();
  return asked - before;
}

describe('a remembered refusal', () => {
  test('of a key costs nothing however often it is asked, says how long to wait, and ends when a place is free', async () => {
    using time = await clocks();
    const keys = new KeyAllowance(counting, () => undefined);
    const [first = 0, second = 0] = await ground.keys(2);
    const spend = (id: number) => keys.spend({ id, quota: 100 }, true);
    const got = await Promise.all(Array.from({ length: 6 }, () => spend(first)));
    assert.deepEqual(
      got.map(({ outcome }) => outcome),
      [...Array(5).fill('given'), 'too fast'],
    );

    await time.go(400);
    const flood = await cost(async () => {
      for (let again = 0; again < 20_000; again += 1) {
        const one = spend(first);
        assert.ok(
          !(one instanceof Promise) && one.outcome === 'too fast' && one.waitMs === 601 && one.now === START + 400,
        );
      }
    });
    assert.equal(flood, 0);
    // Another key is another matter.
    assert.equal((await spend(second)).outcome, 'given');
    await time.go(600);
    assert.ok(!(spend(first) instanceof Promise), 'a millisecond too early');
    await time.go(1);
    assert.equal((await spend(first)).outcome, 'given');
  });

  test('of a capped visitor costs nothing, is settled after half a minute, and is looked at again every hour', async () => {
    using time = await clocks();
    const weekly = new WeeklyAllowance(counting, { hash, clock: Date.now });
    const visitor = { client: '192.0.2.1', endpoint: '/x' };
    assert.equal((await weekly.visit(visitor)).accepted, true);
    await time.go(31_000);
    assert.equal(await cost(() => weekly.visit(visitor)), 2);
    const flood = (wanted: number) =>
      cost(() => {
        for (let again = 0; again < 20_000; again += 1) {
          const one = weekly.visit(visitor);
          assert.ok(!(one instanceof Promise) && !one.accepted && one.since === START && one.now === START + wanted);
        }
      });
    assert.equal(await flood(31_000), 0);
    await time.go(HOUR - 1);
    assert.equal(await flood(HOUR + 30_999), 0);
    await time.go(1);
    assert.equal(await cost(() => weekly.visit(visitor)), 2);
    for (const other of [
      { ...visitor, client: '192.0.2.2' },
      { ...visitor, endpoint: '/y' },
    ])
      assert.equal((await weekly.visit(other)).accepted, true);
  });

  test('of a capped visitor stands while one request of it asks again', async () => {
    using time = await clocks();
    const weekly = new WeeklyAllowance(counting, { hash, clock: Date.now });
    const visitor = { client: '192.0.2.5', endpoint: '/x' };
    await weekly.visit(visitor);
    await time.go(500);
    assert.equal((await weekly.visit(visitor)).accepted, false);
    await time.go(1_000);
    const again = weekly.visit(visitor);
    assert.ok(again instanceof Promise);
    const others = Array.from({ length: 100 }, () => weekly.visit(visitor));
    assert.ok(others.every((other) => !(other instanceof Promise) && !other.accepted && other.since === START));
    assert.equal((await again).accepted, false);
    // Nobody is refused so whose week is over.
    await time.go(7 * DAY);
    const late = [weekly.visit(visitor), weekly.visit(visitor)];
    assert.ok(late.every((one) => one instanceof Promise));
    assert.deepEqual(
      (await Promise.all(late)).map(({ accepted }) => accepted),
      [true, false],
    );
  });

  test('of a capped visitor ends with the week, to the millisecond', async () => {
    using time = await clocks();
    const weekly = new WeeklyAllowance(counting, { hash, clock: Date.now });
    const visitor = { client: '192.0.2.3', endpoint: '/x' };
    await weekly.visit(visitor);
    await time.go(7 * DAY - 10);
    assert.equal((await weekly.visit(visitor)).accepted, false);
    time.nudge(9);
    assert.ok(!(weekly.visit(visitor) instanceof Promise));
    await time.go(10);
    assert.equal((await weekly.visit(visitor)).accepted, true);
  });

  test('of a limit by the minute costs nothing and ends when a place is free', async () => {
    using time = await clocks();
    const minutes = new MinuteAllowance(counting, { hash });
    const minute = { client: '192.0.2.4', name: 'german', most: 30 };
    const waits = await Promise.all(Array.from({ length: 31 }, () => minutes.take(minute)));
    assert.deepEqual(waits.toSorted((a, b) => a - b).slice(-2), [0, 60_001]);
    await time.go(60_000);
    const flood = await cost(() => {
      for (let again = 0; again < 20_000; again += 1) assert.equal(minutes.take(minute), 1);
    });
    assert.equal(flood, 0);
    assert.equal(await minutes.take({ ...minute, client: '192.0.2.5' }), 0);
    assert.equal(await minutes.take({ ...minute, name: 'crawlers' }), 0);
    await time.go(1);
    assert.equal(await minutes.take(minute), 0);
  });

  test('is forgotten, the oldest first, when there are too many', () => {
    const memory = new Memory<number>(3);
    for (const each of [1, 2, 3, 1, 4]) memory.set(`${each}`, each);
    assert.deepEqual(
      [...memory.entries()].map(([name]) => name),
      ['3', '1', '4'],
    );
    assert.deepEqual([memory.full, memory.size, memory.oldest, memory.get('2')], [true, 3, 3, undefined]);
  });
});
