import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { GermanStation } from '../../domain/german-station.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { GermanStore, pruneGermanAnswers } from './german-cache.ts';

const HOUR = 3_600_000;
/** What is tried by many at once is no matter of a busy machine. */
const PATIENT_MS = 20_000;
const CELL = { lat: 5_252, lng: 1_341, radiusKm: 5 };
const SEARCH = { lat: 52.5219, lng: 13.4132, radiusKm: 5 };
const STATION: GermanStation = {
  ...{ name: 'Ä "x" \\', brand: '', address: 'B 96', city: 'Berlin', postcode: 1_067, lat: 52.5, lng: 13.4 },
  ...{ distanceKm: 0.6, e5: 1_789, e10: null, diesel: 1_659, open: false },
};

const silentLog = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
/** Of another process. */
let otherDatabase: Database;
before(async () => {
  database = await testDatabase();
  otherDatabase = await openDatabase({ databaseUrl: database.url, dataDir: '', log: silentLog });
});
after(async () => {
  await otherDatabase.close();
  await database.drop();
});

let one: GermanStore;
let other: GermanStore;
beforeEach(async () => {
  await database.pool.query(`truncate german_answers; update german_budget set recent = '{}'`);
  one = new GermanStore(database, 12);
  other = new GermanStore(otherDatabase, 12);
});

const later = (interval: string) =>
  database.pool.query(`update german_answers set answered_at = answered_at - interval '${interval}',
    asking_until = asking_until - interval '${interval}'`);

describe('an answer', () => {
  test('is seen by all processes as it was kept', async () => {
    const lease = await one.claim(CELL, 5_000);
    assert.ok(lease);
    const answeredAt = await one.saveAnswer(lease, SEARCH, [STATION]);
    const seen = await other.readCell(CELL);
    assert.deepEqual(seen.kind === 'fresh' && seen.answer, { search: SEARCH, stations: [STATION], answeredAt });
    assert.ok(seen.kind === 'fresh' && seen.ageMs < 60_000);
  });

  test('is good for 10 minutes by the database’s clock, and for its own cell and radius', async () => {
    const lease = await one.claim(CELL, 5_000);
    assert.ok(lease);
    await one.saveAnswer(lease, SEARCH, [STATION]);
    for (const stranger of [
      { ...CELL, lat: 5_253 },
      { ...CELL, lng: 1_340 },
      { ...CELL, radiusKm: 6 },
    ]) {
      assert.equal((await one.readCell(stranger)).kind, 'nothing');
    }
    await later('9 minutes');
    assert.equal((await one.readCell(CELL)).kind, 'fresh');
    assert.equal(await one.claim(CELL, 5_000), null, 'nobody may ask while it is good');
    await later('1 minute');
    assert.equal((await one.readCell(CELL)).kind, 'nothing');
    assert.notEqual(await one.claim(CELL, 5_000), null);
  });

  test('goes an hour after it was asked for, not before', async () => {
    const lease = await one.claim(CELL, 5_000);
    assert.ok(lease);
    await one.saveAnswer(lease, SEARCH, [STATION]);
    await later('59 minutes');
    assert.equal(await pruneGermanAnswers(database.pool), 0);
    await later('1 minute');
    assert.equal(await pruneGermanAnswers(database.pool), 1);
    assert.deepEqual((await database.pool.query('select from german_answers')).rowCount, 0);
  });
});

describe('the right to ask', () => {
  test('is one process’s, however many want it at once', async () => {
    const claim = (at: number) => (at % 2 ? one : other).claim(CELL, 60_000, PATIENT_MS);
    const claims = await Promise.all(Array.from({ length: 40 }, (_, at) => claim(at)));
    assert.equal(claims.filter((lease) => lease !== null).length, 1);
    assert.deepEqual(await other.readCell(CELL), { kind: 'asking', asks: 1 });
  });

  test('ends by itself; who lost it keeps nothing', async () => {
    const lost = await one.claim(CELL, 5_000);
    assert.ok(lost);
    await later('5 seconds');
    assert.equal((await other.readCell(CELL)).kind, 'nothing');
    const lease = await other.claim(CELL, 60_000);
    assert.deepEqual(lease, { cell: CELL, asks: 2 });
    assert.equal(await one.saveAnswer(lost, SEARCH, []), null);
    await one.release(lost, true);
    assert.deepEqual(await other.readCell(CELL), { kind: 'asking', asks: 2 });
  });

  test('is given back with how it ended, and anybody may take it then', async () => {
    const lease = await one.claim(CELL, 60_000);
    assert.ok(lease);
    await one.release(lease, true);
    const seen = await other.readCell(CELL);
    assert.ok(seen.kind === 'nothing' && seen.failed && seen.asks === 1);
    assert.ok(await other.claim(CELL, 60_000));
  });
});

describe('the budget', () => {
  const recent = async (times: readonly number[]) => {
    const { rows } = await database.pool.query(`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`);
    await database.pool.query('update german_budget set recent = $1', [times.map((ago) => rows[0].now - ago)]);
  };

  test('is never exceeded by any number of processes at once', async () => {
    const places = await Promise.all(Array.from({ length: 60 }, (_, at) => (at % 2 ? one : other).spend(PATIENT_MS)));
    assert.equal(places.filter(({ isAllowed }) => isAllowed).length, 12);
    for (const { isAllowed: free, waitMs } of places) assert.ok(free || (waitMs > HOUR - 60_000 && waitMs <= HOUR + 1));
    const seen = await one.readCell(CELL);
    assert.ok(seen.kind === 'nothing' && !seen.budget.isAllowed && seen.budget.waitMs > HOUR - 60_000);
  });

  test('slides: a place is free an hour after it was taken', async () => {
    const two = new GermanStore(database, 2);
    await recent([HOUR - 60_000, 1_000]);
    const { isAllowed, waitMs } = await two.spend();
    assert.ok(!isAllowed && waitMs > 50_000 && waitMs <= 60_001, String(waitMs));
    await recent([HOUR + 1, 1_000]);
    assert.ok((await two.spend()).isAllowed);
    assert.ok(!(await two.spend()).isAllowed);
  });

  test('counts times ahead of a clock that was set back as now', async () => {
    const two = new GermanStore(database, 2);
    await recent([-5 * HOUR, -4 * HOUR]);
    const { isAllowed, waitMs } = await two.spend();
    assert.ok(!isAllowed && waitMs <= HOUR + 1);
  });

  test('that was lowered holds at once', async () => {
    await recent([1_000, 900, 800, 700]);
    assert.ok(!(await new GermanStore(database, 3).spend()).isAllowed);
    assert.ok((await new GermanStore(database, 5).spend()).isAllowed);
  });
});
