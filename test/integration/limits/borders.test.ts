/** Ends of months, days and weeks, and clocks that are changed, to the millisecond, without waiting for any of them. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import type { Queryable } from '../../../src/store/connection/database-connection.ts';
import { runStatement } from '../../../src/store/connection/query-timeout.ts';
import { valueTypes } from '../../../src/store/connection/value-types.ts';
import { readKeyReport } from '../../../src/store/keys/key-usage-report.ts';
import type { KeyGrant } from '../../../src/store/limits/key-limit-queries.ts';
import { grantToKeys } from '../../../src/store/limits/key-limit-queries.ts';
import { takeWeeklyCaps } from '../../../src/store/limits/weekly-cap-queries.ts';
import { namedHasher } from '../../support/database/named-hashes.ts';
import { type LimitsFixtureWithClock, limitsFixtureWithClock } from './limits-fixture.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let fixture: LimitsFixtureWithClock;
let pool: pg.Pool;
before(async () => {
  fixture = await limitsFixtureWithClock();
  // Days and months must not depend on the time zone of the session.
  const url = fixture.url.replace('-c%20search_path', '-c%20timezone=Europe/Bucharest%20-c%20search_path');
  pool = new pg.Pool({ connectionString: url, types: valueTypes, max: 2 });
});
after(async () => {
  await pool.end();
  await fixture.close();
});

/** An instant as a session in Bucharest prints it. */
const bucharest: Queryable = { state: 'ready', query: (statement, limit) => runStatement(pool, statement, limit) };
const aKey = async () => (await fixture.keys(1))[0] as number;
const at = (moment: string | number) => fixture.setClock(typeof moment === 'string' ? Date.parse(moment) : moment);

async function grant(
  key: number,
  slots: number,
  counted: number,
  quota: number,
  process: 0 | 1 = 0,
): Promise<KeyGrant> {
  const [granted] = await fixture.processes[process].run('grantInDatabase', [{ key, slots, counted, quota }]);
  return granted as KeyGrant;
}

async function report(key: number) {
  const found = await readKeyReport(bucharest, key);
  if (found === null) throw new Error('there is no such key');
  return { ...found, busy: Object.fromEntries(found.days.flatMap(({ day, count }) => (count ? [[day, count]] : []))) };
}

describe('the month of a quota', () => {
  for (const [last, first] of [
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-03-01T00:00:00.000Z'],
    ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z'],
    ['2026-03-31T23:59:59.999Z', '2026-04-01T00:00:00.000Z'],
  ] as const) {
    test(`ends after ${last}, not before, and the next one begins a millisecond later`, async () => {
      const key = await aKey();
      await at(last);
      assert.deepEqual([(await grant(key, 2, 2, 1)).counted, (await report(key)).month], [1, 1]);
      await at(first);
      assert.equal((await report(key)).month, 0);
      const { counted, used } = await grant(key, 2, 2, 1, 1);
      assert.deepEqual([counted, used, (await report(key)).month, (await report(key)).total], [1, 1, 1, 2]);
    });
  }

  test('continues over the leap day, and over both daylight saving changes in Bucharest', async () => {
    for (const [before, after] of [
      ['2024-02-28T23:59:59.999Z', '2024-02-29T00:00:00.000Z'],
      ['2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z'],
      ['2026-10-25T00:59:59.999Z', '2026-10-25T01:00:00.000Z'],
      // In Bucharest the month changed three hours earlier.
      ['2026-03-31T20:59:59.999Z', '2026-03-31T23:59:59.000Z'],
    ] as const) {
      const key = await aKey();
      await at(before);
      await grant(key, 1, 1, 1);
      await at(after);
      const [granted] = [...(await grantToKeys(bucharest, [{ key, slots: 1, counted: 1, quota: 1 }], 5_000)).values()];
      assert.deepEqual([granted?.counted, granted?.used], [0, 1]);
    }
  });

  test('is not granted twice if the clock repeatedly goes back over its end and forward again', async () => {
    const boundary = Date.UTC(2026, 1, 1);
    const moves = fc.array(fc.tuple(fc.integer({ min: -2 * DAY, max: 2 * DAY }), fc.integer({ min: 1, max: 5 })), {
      minLength: 1,
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        const key = await aKey();
        let counted = 0;
        for (const [index, [from, slots]] of steps.entries()) {
          await at(boundary + from);
          counted += (await grant(key, slots, slots, 7, (index % 2) as 0 | 1)).counted;
        }
        assert.ok(counted <= 14, `${counted} of two months with 7 each`);
      }),
      { numRuns: 40 },
    );
  });

  test('is at most the next one after the clock was years ahead', async () => {
    const key = await aKey();
    await at('2031-06-01T00:00:00Z');
    assert.equal((await grant(key, 3, 3, 3)).used, 3);
    await at('2026-01-10T00:00:00Z');
    const back = await grant(key, 1, 1, 3);
    assert.deepEqual([back.counted, back.used], [0, 3]);
    await at('2026-03-01T00:00:00Z');
    assert.deepEqual([(await grant(key, 1, 1, 3)).used, (await report(key)).busy], [1, { '2026-03-01': 1 }]);
  });
});

describe('the days of a key', () => {
  test('are UTC days, with zero for those without requests, over a leap day and the end of a year', async () => {
    for (const days of [
      ['2024-02-27', '2024-02-29', '2024-03-01'],
      ['2025-12-30', '2025-12-31', '2026-01-02'],
      // Midnight in Bucharest, the hour that is skipped there, and the one that occurs twice.
      ['2026-03-28', '2026-03-29', '2026-03-30'],
      ['2026-10-24', '2026-10-25', '2026-10-26'],
    ]) {
      const key = await aKey();
      for (const [index, day] of days.entries()) {
        await at(`${day}T00:00:00.000Z`);
        await grant(key, 1, 1, 100);
        await at(`${day}T23:59:59.999Z`);
        for (let more = 0; more <= index; more += 1) await grant(key, 1, 1, 100, 1);
      }
      const { busy, days: all, total } = await report(key);
      assert.deepEqual(
        [busy, all.length, total],
        [Object.fromEntries(days.map((day, index) => [day, index + 2])), 30, 9],
      );
      assert.deepEqual(
        all.map(({ day }) => day),
        all.map(({ day }) => day).sort(),
      );
    }
  });

  for (const quiet of [1, 28, 29, 30, 31, 400]) {
    test(`are correct after ${quiet} days, with or without a request`, async () => {
      const key = await aKey();
      const first = Date.UTC(2026, 0, 15, 12);
      await at(first);
      await grant(key, 2, 2, 100);
      await at(first + quiet * DAY);
      const seen = quiet < 30 ? { '2026-01-15': 2 } : {};
      assert.deepEqual((await report(key)).busy, seen);
      await grant(key, 1, 0, 100);
      assert.deepEqual((await report(key)).busy, seen);
      await grant(key, 1, 1, 100);
      const now = new Date(first + quiet * DAY).toISOString().slice(0, 10);
      assert.deepEqual((await report(key)).busy, { ...seen, [now]: 1 });
      assert.equal((await report(key)).total, 3);
    });
  }
});

describe('a refund', () => {
  test('reduces the month and the day in which the request was counted, never later ones', async () => {
    const key = await aKey();
    await at('2026-01-31T23:59:59.999Z');
    const { countedIn } = await grant(key, 3, 3, 10);
    await at('2026-02-01T00:00:00.000Z');
    // Nothing is counted for the new day, so there is nothing to refund.
    await grant(key, 1, 0, 10);
    assert.equal(await fixture.processes[1].run('refundInDatabase', { key, countedIn }), 0);
    await grant(key, 1, 1, 10);
    assert.equal(await fixture.processes[0].run('refundInDatabase', { key, countedIn }), 1);
    const { month, total, busy } = await report(key);
    assert.deepEqual({ month, total, busy }, { month: 1, total: 2, busy: { '2026-01-31': 1, '2026-02-01': 1 } });
  });

  test('expires with its day after 30 days', async () => {
    const key = await aKey();
    await at('2026-05-01T00:00:00Z');
    const { countedIn } = await grant(key, 1, 1, 10);
    await at('2026-05-31T00:00:00Z');
    await grant(key, 1, 1, 10);
    assert.equal(await fixture.processes[1].run('refundInDatabase', { key, countedIn }), 1);
    const { month, total, busy } = await report(key);
    assert.deepEqual({ month, total, busy }, { month: 1, total: 1, busy: { '2026-05-31': 1 } });
  });

  test('is exact when two processes refund and count concurrently', async () => {
    const key = await aKey();
    const start = Date.UTC(2026, 6, 1);
    let countedRequests = 0;
    for (let round = 0; round < 12; round += 1) {
      await at(start + round * 15_000);
      const { countedIn, counted } = await grant(key, 4, 4, 1_000);
      const back = Array.from({ length: counted }, (_, index) =>
        fixture.processes[index % 2 ? 1 : 0].run('refundInDatabase', { key, countedIn }),
      );
      const [more] = await Promise.all([grant(key, 1, 1, 1_000, 1), ...back]);
      countedRequests += more.counted;
    }
    assert.deepEqual([(await report(key)).month, (await report(key)).total, countedRequests], [12, 12, 12]);
  });
});

describe('setting the clock', () => {
  const moves = fc.array(
    fc.tuple(
      fc.oneof(
        fc.integer({ min: -5 * SECOND, max: 5 * SECOND }),
        fc.constantFrom(-HOUR, HOUR, -DAY, DAY, 2 * MINUTE, -40 * DAY, 40 * DAY, -400 * DAY, 400 * DAY),
      ),
      fc.integer({ min: 1, max: 7 }),
    ),
    { minLength: 1, maxLength: 20 },
  );

  test('makes nothing negative, no wait longer than a window, and no month larger than its quota', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        const key = await aKey();
        let now = Date.UTC(2026, 5, 15);
        for (const [index, [by, slots]] of steps.entries()) {
          now += by;
          await at(now);
          const {
            waitMs,
            used,
            slots: granted,
          } = await grant(key, slots, Math.min(slots, 4), 30, (index % 2) as 0 | 1);
          assert.ok(used >= 0 && used <= 30, `${used} used`);
          assert.ok(granted === slots ? waitMs === 0 : waitMs > 0 && waitMs <= MINUTE + 1, `${waitMs} ms`);
          const { days, month, total } = await report(key);
          assert.ok(days.every(({ count }) => count >= 0) && month <= 30 && total >= month);
        }
        await at(now + MINUTE + 1);
        assert.equal((await grant(key, 5, 0, 30)).slots, 5);
      }),
      { numRuns: 40 },
    );
  });

  test('keeps the windows of a key: entries in the future count from now', async () => {
    const key = await aKey();
    await at('2026-06-01T12:00:00.000Z');
    assert.equal((await grant(key, 5, 0, 0)).slots, 5);
    await at('2026-06-01T11:00:00.000Z');
    const { slots, waitMs } = await grant(key, 1, 0, 0, 1);
    assert.deepEqual([slots, waitMs], [0, 1_001]);
    await at('2026-06-01T11:00:01.001Z');
    assert.equal((await grant(key, 5, 0, 0)).slots, 5);
  });
});

describe('the weekly cap', () => {
  const request = { client: 'someone', endpoint: '/api/v1/retele' };
  const ask = async (process: 0 | 1 = 0) => (await fixture.processes[process].run('takeCapsInDatabase', [request]))[0];
  const forget = () => fixture.database.pool.query('truncate weekly_caps');

  test('lasts seven times 24 hours to the millisecond, in weeks of every kind', async () => {
    for (const start of [
      '2026-03-25T12:00:00.123Z',
      '2026-10-20T12:00:00Z',
      '2024-02-26T00:00:00Z',
      '2026-12-28T23:59:59.999Z',
    ]) {
      await forget();
      const acceptedAt = Date.parse(start);
      await at(acceptedAt);
      assert.deepEqual(await ask(), { accepted: true, acceptedAt, now: acceptedAt });
      await at(acceptedAt + 7 * DAY - 1);
      const refused = { accepted: false, acceptedAt, now: acceptedAt + 7 * DAY - 1 };
      assert.deepEqual(await ask(1), refused);
      const hasher = await namedHasher(bucharest);
      assert.deepEqual(await takeWeeklyCaps(bucharest, [request], hasher, 5_000), [refused]);
      await at(acceptedAt + 7 * DAY);
      assert.deepEqual(await takeWeeklyCaps(bucharest, [request], hasher, 5_000), [
        { accepted: true, acceptedAt: acceptedAt + 7 * DAY, now: acceptedAt + 7 * DAY },
      ]);
      assert.equal((await ask(1))?.accepted, false);
    }
  });

  test('lasts its full length again from the moment that a clock is set back', async () => {
    for (const back of [5 * SECOND, HOUR, DAY, 400 * DAY]) {
      await forget();
      const ahead = Date.UTC(2027, 0, 15);
      await at(ahead);
      assert.equal((await ask())?.accepted, true);
      await at(ahead - back);
      assert.deepEqual(await ask(1), { accepted: false, acceptedAt: ahead - back, now: ahead - back });
      await at(ahead - back + 7 * DAY - 1);
      assert.equal((await ask())?.accepted, false);
      await at(ahead - back + 7 * DAY);
      assert.equal((await ask(1))?.accepted, true);
    }
  });
});
