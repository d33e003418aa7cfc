/** Compares weekly caps and per-minute limits, of two processes on one database, with oracles. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { checkWindow } from '../../../src/domain/access/sliding-window.ts';
import type { CapVerdict } from '../../../src/store/limits/weekly-cap-queries.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import {
  type LimitsFixture,
  type LimitsFixtureWithClock,
  limitsFixture,
  limitsFixtureWithClock,
} from './limits-fixture.ts';

const WEEK = 7 * 24 * 3_600_000;
const START = Date.UTC(2026, 1, 27, 23, 59, 59, 500);

let fixture: LimitsFixtureWithClock;
let realTimeFixture: LimitsFixture;
before(async () => {
  [fixture, realTimeFixture] = await Promise.all([limitsFixtureWithClock(), limitsFixture()]);
});
after(async () => {
  await Promise.all([fixture.close(), realTimeFixture.close()]);
});

describe('the weekly cap over two processes', () => {
  const cappedRequest = fc.record({ client: fc.constantFrom('a', 'b', 'c'), endpoint: fc.constantFrom('/x', '/y') });
  const name = (each: { client: string; endpoint: string }) => `${each.client} ${each.endpoint}`;
  const batch = fc.uniqueArray(cappedRequest, { selector: name, maxLength: 6 });
  const move = fc.oneof(fc.constantFrom(0, 1, WEEK - 1, WEEK, WEEK + 1), fc.integer({ min: 0, max: WEEK }));
  const steps = fc.array(
    fc.record({ move, batches: fc.tuple(batch, batch), back: fc.array(cappedRequest, { maxLength: 2 }) }),
    {
      minLength: 1,
      maxLength: 20,
    },
  );

  test('accepts one request of a client and endpoint, and the next when that one is a week old or refunded', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await fixture.database.pool.query('truncate weekly_caps');
        const model = new Map<string, number>();
        let now = START;
        for (const { move: by, batches, back } of all) {
          now += by;
          await fixture.setClock(now);
          const verdicts = await Promise.all(
            batches.map((each, index) => fixture.processes[index as 0 | 1].run('takeCapsInDatabase', each)),
          );
          const seen = batches.flatMap((each, index) =>
            each.map((one, place) => ({ name: name(one), verdict: verdicts[index]?.[place] as CapVerdict })),
          );
          for (const each of new Set(seen.map((one) => one.name))) {
            const acceptedAt = model.get(each);
            const free = acceptedAt === undefined || now >= acceptedAt + WEEK;
            if (free) model.set(each, now);
            const mine = seen.filter((one) => one.name === each).map(({ verdict }) => verdict);
            assert.equal(mine.filter(({ accepted }) => accepted).length, free ? 1 : 0);
            for (const verdict of mine) assert.deepEqual([verdict.acceptedAt, verdict.now], [model.get(each), now]);
          }
          for (const one of back) {
            const acceptedAt = model.get(name(one));
            if (acceptedAt === undefined) continue;
            await fixture.processes[1].run('refundCapInDatabase', { ...one, acceptedAt });
            model.delete(name(one));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('accepts exactly one of 500 concurrent requests, and gives all others the same time', async () => {
    const request = { client: '192.0.2.1', endpoint: '/api/v1/retele' };
    const all = await Promise.all(
      Array.from({ length: 500 }, (_, index) => realTimeFixture.processes[index % 2 ? 1 : 0].run('takeCap', request)),
    );
    const [accepted, ...more] = all.filter((each) => each.accepted);
    assert.equal(more.length, 0);
    assert.deepEqual([...new Set(all.map(({ acceptedAt }) => acceptedAt))], [accepted?.acceptedAt]);
  });

  test('accepts exactly one of several concurrent requests in one process', async () => {
    const request = { client: '192.0.2.17', endpoint: '/api/v1/retele' };
    const all = await Promise.all(
      Array.from({ length: 50 }, () => realTimeFixture.processes[0].run('takeCap', request)),
    );
    assert.equal(all.filter(({ accepted }) => accepted).length, 1);
  });

  test('refunded in one process, accepts the client again in the other one within about a second', async () => {
    const request = { client: '192.0.2.2', endpoint: '/api/v1/retele' };
    const [here, there] = realTimeFixture.processes;
    const { acceptedAt } = await here.run('takeCap', request);
    assert.equal((await there.run('takeCap', request)).accepted, false);
    await here.run('refundCap', { ...request, acceptedAt });
    await waitFor('the client to be accepted', 1_500, async () => (await there.run('takeCap', request)).accepted);
    assert.equal((await here.run('takeCap', request)).accepted, false);
  });

  test('refunded by many concurrently, never accepts more than allowed', async () => {
    const request = { client: '192.0.2.3', endpoint: '/api/v1/retele' };
    for (let round = 0; round < 20; round += 1) {
      const all = await Promise.all(
        [0, 1, 0, 1].map((index) => realTimeFixture.processes[index as 0 | 1].run('takeCapsInDatabase', [request])),
      );
      const [accepted, ...more] = all.flat().filter((each) => each.accepted);
      assert.ok(accepted !== undefined && more.length === 0);
      // A refund names the exact instant of its acceptance: any other acceptance is not affected.
      await realTimeFixture.processes[1].run('refundCapInDatabase', {
        ...request,
        acceptedAt: accepted.acceptedAt - 1,
      });
      assert.equal((await realTimeFixture.processes[0].run('takeCapsInDatabase', [request]))[0]?.accepted, false);
      await Promise.all(
        realTimeFixture.processes.map((each) =>
          each.run('refundCapInDatabase', { ...request, acceptedAt: accepted.acceptedAt }),
        ),
      );
    }
  });
});

describe('per-minute limits over two processes', () => {
  const asked = fc.record({
    client: fc.constantFrom('a', 'b'),
    name: fc.constantFrom('crawlers', 'german'),
    slots: fc.integer({ min: 1, max: 40 }),
  });
  const batch = fc.uniqueArray(asked, { selector: ({ client, name }) => `${client} ${name}`, maxLength: 4 });
  const move = fc.oneof(fc.constantFrom(0, 1, 30_000, 59_999, 60_000, 60_001), fc.integer({ min: 0, max: 70_000 }));
  const MAX_REQUESTS = { crawlers: 60, german: 30 } as Record<string, number>;

  test('grant a client exactly what is left of the last 60 seconds, and return when the next slot is free', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(move, batch, batch), { minLength: 1, maxLength: 20 }), async (steps) => {
        await fixture.database.pool.query('truncate minute_windows');
        const model = new Map<string, number[]>();
        let now = START;
        for (const [by, ...batches] of steps) {
          now += by;
          await fixture.setClock(now);
          const seen = await Promise.all(
            batches.map(async (each, index) => {
              const asks = each.map((one) => ({ ...one, maxRequests: MAX_REQUESTS[one.name] as number }));
              const verdicts = await fixture.processes[index as 0 | 1].run('grantMinuteInDatabase', asks);
              return asks.map((one, place) => ({
                ...one,
                verdict: verdicts[place] as { slots: number; waitMs: number },
              }));
            }),
          );
          for (const each of new Set(seen.flat().map(({ client, name }) => `${client} ${name}`))) {
            const mine = seen.flat().filter(({ client, name }) => `${client} ${name}` === each);
            const window = { maxRequests: (mine[0] as { maxRequests: number }).maxRequests, ms: 60_000 };
            const accepted = model.get(each) ?? [];
            const wanted = mine.reduce((sum, one) => sum + one.slots, 0);
            let granted = 0;
            for (; granted < wanted && checkWindow(window, accepted, now).isAllowed; granted += 1) accepted.push(now);
            model.set(each, accepted);
            assert.equal(
              mine.reduce((sum, { verdict }) => sum + verdict.slots, 0),
              granted,
            );
            const { waitMs } = checkWindow(window, accepted, now);
            for (const { slots, verdict } of mine) assert.equal(verdict.waitMs, verdict.slots === slots ? 0 : waitMs);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('accept 60 of 200 concurrent requests, and return how long the others must wait', async () => {
    const minute = { client: '192.0.2.9', name: 'crawlers', maxRequests: 60 };
    const waits = await Promise.all(
      Array.from({ length: 200 }, (_, index) => realTimeFixture.processes[index % 2 ? 1 : 0].run('takeMinute', minute)),
    );
    assert.equal(waits.filter((wait) => wait === 0).length, 60);
    assert.ok(
      waits.every((wait) => wait === 0 || (wait > 59_000 && wait <= 60_001)),
      `${waits}`,
    );
  });

  test('count entries ahead of a clock that was set back from now on', async () => {
    const one = { client: 'c', name: 'german', maxRequests: 30 };
    await fixture.setClock(START);
    await fixture.processes[0].run('grantMinuteInDatabase', [{ ...one, slots: 30 }]);
    await fixture.setClock(START - 3_600_000);
    assert.deepEqual(await fixture.processes[1].run('grantMinuteInDatabase', [{ ...one, slots: 1 }]), [
      { slots: 0, waitMs: 60_001 },
    ]);
    await fixture.setClock(START - 3_600_000 + 60_001);
    assert.deepEqual(await fixture.processes[0].run('grantMinuteInDatabase', [{ ...one, slots: 30 }]), [
      { slots: 30, waitMs: 0 },
    ]);
  });
});
