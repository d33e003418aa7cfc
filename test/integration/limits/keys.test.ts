/**
 * Compares two processes on one database with an oracle: each request with a key is granted or refused as the contract
 * says.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../../src/store/connection/database.ts';
import { readKeyReport } from '../../../src/store/keys/key-usage-report.ts';
import { dayOf, KeyModel, type ModelGrant, type ModelRequest } from './key-model.ts';
import { type LimitsFixtureWithClock, limitsFixture, limitsFixtureWithClock } from './limits-fixture.ts';

let fixture: LimitsFixtureWithClock;
const silentLog = { info: () => undefined, warn: () => undefined };
let reports: Database;
before(async () => {
  fixture = await limitsFixtureWithClock();
  reports = await openDatabase({ databaseUrl: fixture.url, dataDir: '', log: silentLog });
});
after(async () => {
  await reports.close();
  await fixture.close();
});

const KEYS = 4;
const DAY_MS = 86_400_000;
/** Most moves lead close to the borders of windows, days and months. */
const move = fc.oneof(
  fc.constantFrom(0, 1, 199, 200, 999, 1_000, 1_001, 1_002, 59_999, 60_000, 60_001),
  fc.integer({ min: 0, max: 2_500 }),
  fc.constantFrom(DAY_MS / 2, DAY_MS, 29 * DAY_MS, 30 * DAY_MS, 31 * DAY_MS),
);
const keyRequest = fc
  .record({ slots: fc.integer({ min: 1, max: 9 }), counted: fc.nat(9), quota: fc.nat(40) })
  .map(({ slots, counted, quota }): ModelRequest => ({ slots, counted: Math.min(counted, slots), quota }));
/** For each process, what it requests for some of the keys in one batch. */
const batch = fc.dictionary(fc.constantFrom(...Array.from({ length: KEYS }, (_, index) => `${index}`)), keyRequest);
const step = fc.record({ move, batches: fc.tuple(batch, batch), back: fc.array(fc.nat(1_000), { maxLength: 4 }) });
const start = fc.constantFrom('2024-02-28T23:59:58Z', '2026-01-30T12:00:00Z', '2026-12-31T23:59:59.900Z');

describe('two concurrent processes', () => {
  test('grant keys exactly what the windows and the month allow: requests, quota, counts, waits; and refund exactly', async () => {
    await fc.assert(fc.asyncProperty(start, fc.array(step, { minLength: 1, maxLength: 25 }), playAgainstModels), {
      numRuns: 30,
    });
  });

  test('of 200 requests with 3 left in the month, grant 3, refuse 2 by the quota, and 195 by the rate limit', async (t) => {
    const real = await limitsFixture();
    t.after(() => real.close());
    const [id = 0] = await real.keys(1);
    const key = { id, quota: 3 };
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        real.processes[index % 2 ? 1 : 0].run('takeKey', { key, counted: true }),
      ),
    );
    const count = (wanted: string) => outcomes.filter((one) => one !== 'undecided' && one.outcome === wanted).length;
    assert.deepEqual([count('granted'), count('quota exhausted'), count('rate limited')], [3, 2, 195]);
  });

  test('never deadlock, whatever the order of their keys', async () => {
    const ids = await fixture.keys(400);
    await fixture.setClock(Date.UTC(2026, 5, 1));
    // Updated rows are stored in another order than their numbers suggest.
    await fixture.database.pool.query('update key_usage set total = total where key_id % 3 = 0');
    const wanted = (from: readonly number[]) => from.map((key) => ({ key, slots: 1, counted: 1, quota: 1_000_000 }));
    const orders = [ids, ids.toReversed(), ids.toSorted((a, b) => (a % 7) - (b % 7))];
    for (let round = 0; round < 24; round += 1) {
      await fixture.setClock(Date.UTC(2026, 5, 1) + round * 1_001);
      const all = await Promise.all(
        orders.flatMap((each) => fixture.processes.map((process) => process.run('grantInDatabase', wanted(each)))),
      );
      assert.equal(
        all.flat().reduce((sum, { slots }) => sum + slots, 0),
        5 * 400,
      );
    }
  });
});

type Step = { readonly move: number; readonly batches: readonly [Batch, Batch]; readonly back: readonly number[] };
type Batch = Readonly<Record<string, ModelRequest>>;

async function playAgainstModels(from: string, steps: readonly Step[]): Promise<void> {
  const ids = await fixture.keys(KEYS);
  const models = ids.map(() => new KeyModel());
  const countedRequests: { key: number; countedIn: { month: number; day: number }; day: string }[] = [];
  let now = Date.parse(from);
  for (const { move: by, batches, back } of steps) {
    now += by;
    await fixture.setClock(now);
    const granted = await Promise.all(
      batches.map((keyRequests, index) =>
        fixture.processes[index as 0 | 1].run(
          'grantInDatabase',
          Object.entries(keyRequests).map(([key, each]) => ({ key: ids[Number(key)] as number, ...each })),
        ),
      ),
    );
    for (const [index, id] of ids.entries()) {
      const seen = granted.map((each) => each.find(({ key }) => key === id));
      const keyRequests = batches.map((each) => each[index]);
      models[index] = applyGrants(models[index] as KeyModel, keyRequests, seen.map(asGrant), now);
      for (const grant of seen) {
        for (let counted = 0; counted < (grant?.counted ?? 0); counted += 1)
          countedRequests.push({ key: id, countedIn: (grant as NonNullable<typeof grant>).countedIn, day: dayOf(now) });
      }
    }
    const returned = back.flatMap((index) => countedRequests.splice(index % Math.max(1, countedRequests.length), 1));
    await Promise.all(returned.map((one, index) => fixture.processes[index % 2 ? 1 : 0].run('refundInDatabase', one)));
    for (const { key, day } of returned) models[ids.indexOf(key)]?.refund(day);
  }
  await assertReports(ids, models, now);
}

const asGrant = (granted: (ModelGrant & object) | undefined): ModelGrant | undefined =>
  granted && { slots: granted.slots, counted: granted.counted, used: granted.used, waitMs: granted.waitMs };

/** The model after both requests, in whichever order explains what was observed; fails if neither does. */
function applyGrants(
  model: KeyModel,
  keyRequests: readonly (ModelRequest | undefined)[],
  seen: readonly (ModelGrant | undefined)[],
  now: number,
): KeyModel {
  const explanations = [
    [0, 1],
    [1, 0],
  ].map((order) => {
    const after = new KeyModel(model);
    const grants: (ModelGrant | undefined)[] = [undefined, undefined];
    for (const index of order) {
      const wanted = keyRequests[index];
      if (wanted !== undefined) grants[index] = after.grant(wanted, now);
    }
    return { after, grants };
  });
  const found = explanations.find(({ grants }) => JSON.stringify(grants) === JSON.stringify(seen));
  if (found === undefined) assert.deepEqual(seen, explanations[0]?.grants);
  return (found as NonNullable<typeof found>).after;
}

async function assertReports(ids: readonly number[], models: readonly KeyModel[], now: number): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const model = models[index] as KeyModel;
    const report = await readKeyReport(reports, id);
    const days = Array.from({ length: 30 }, (_, ago) => dayOf(now - (29 - ago) * DAY_MS));
    assert.deepEqual(
      { month: report?.month, total: report?.total, days: report?.days },
      {
        month: model.used(now),
        total: model.total,
        days: days.map((day) => ({ day, count: model.byDay().get(day) ?? 0 })),
      },
    );
  }
}
