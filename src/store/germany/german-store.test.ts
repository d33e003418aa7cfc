import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addressHashOn } from '../../../test/support/database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import type { GermanStation } from '../../domain/german-station.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import type { KeyedHasher } from '../limits/address-hash.ts';
import type { GermanCaller } from './german-budget.ts';
import { GermanStore } from './german-store.ts';
import { pruneGermanAnswers } from './prune-german-answers.ts';

const HOUR = 3_600_000;
/** What is tried by many at once is no matter of a busy machine. */
const PATIENT_MS = 20_000;
const CELL = { lat: 5_252, lng: 1_341, radiusKm: 5 };
const SEARCH = { lat: 52.5219, lng: 13.4132, radiusKm: 5 };
const STATION: GermanStation = {
  ...{ name: 'Ä "x" \\', brand: '', address: 'B 96', city: 'Berlin', postcode: 1_067, lat: 52.5, lng: 13.4 },
  ...{ distanceKm: 0.6, e5: 1_789, e10: null, diesel: 1_659, open: false },
};

let clients = 0;
/** A client that has caused no call yet, of the network or of one that has caused none either. */
function newClient(network?: string): GermanCaller {
  clients += 1;
  return { client: `client ${clients}`, network: network ?? `network ${clients}` };
}
const SOMEBODY = newClient();

const silentLog = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
/** Of another process. */
let otherDatabase: Database;
let hasher: KeyedHasher;
before(async () => {
  database = await testDatabase();
  hasher = (await addressHashOn(database)).for('german shares');
  otherDatabase = await openDatabase({ databaseUrl: database.url, dataDir: '', log: silentLog });
});
after(async () => {
  await otherDatabase.close();
  await database.drop();
});

let one: GermanStore;
let other: GermanStore;
beforeEach(async () => {
  await database.pool.query(`truncate german_answers; update german_budget
    set recent = '{}', caller_times = '{}', caller_clients = '{}', caller_networks = '{}'`);
  one = new GermanStore(database, 12, hasher);
  other = new GermanStore(otherDatabase, 12, hasher);
});

const later = (interval: string) =>
  database.pool.query(`update german_answers set answered_at = answered_at - interval '${interval}',
    asking_until = asking_until - interval '${interval}'`);

describe('an answer', () => {
  test('is seen by all processes as it was kept', async () => {
    const lease = await one.takeLease(CELL, 5_000);
    assert.ok(lease);
    const answeredAt = await one.saveAnswer(lease, SEARCH, [STATION]);
    const seen = await other.readCell(CELL, SOMEBODY);
    assert.deepEqual(seen.kind === 'fresh' && seen.answer, { search: SEARCH, stations: [STATION], answeredAt });
    assert.ok(seen.kind === 'fresh' && seen.ageMs < 60_000);
  });

  test('is good for 10 minutes by the database’s clock, and for its own cell and radius', async () => {
    const lease = await one.takeLease(CELL, 5_000);
    assert.ok(lease);
    await one.saveAnswer(lease, SEARCH, [STATION]);
    for (const stranger of [
      { ...CELL, lat: 5_253 },
      { ...CELL, lng: 1_340 },
      { ...CELL, radiusKm: 6 },
    ]) {
      assert.equal((await one.readCell(stranger, SOMEBODY)).kind, 'nothing');
    }
    await later('9 minutes');
    assert.equal((await one.readCell(CELL, SOMEBODY)).kind, 'fresh');
    assert.equal(await one.takeLease(CELL, 5_000), null, 'nobody may ask while it is good');
    await later('1 minute');
    assert.equal((await one.readCell(CELL, SOMEBODY)).kind, 'nothing');
    assert.notEqual(await one.takeLease(CELL, 5_000), null);
  });

  test('can be had for an hour where no call is left, and not longer', async () => {
    const lease = await one.takeLease(CELL, 5_000);
    assert.ok(lease);
    const answeredAt = await one.saveAnswer(lease, SEARCH, [STATION]);
    await later('59 minutes');
    const seen = await other.readCell(CELL, SOMEBODY);
    assert.ok(seen.kind === 'nothing' && seen.stale !== null && answeredAt !== null);
    assert.deepEqual(seen.stale.stations, [STATION]);
    assert.ok(Math.abs(seen.stale.answeredAt - (answeredAt - 59 * 60_000)) <= 1, 'it says when it was asked for');
    await later('1 minute');
    const gone = await other.readCell(CELL, SOMEBODY);
    assert.ok(gone.kind === 'nothing' && gone.stale === null);
  });

  test('is deleted an hour after it was requested, not before', async () => {
    const lease = await one.takeLease(CELL, 5_000);
    assert.ok(lease);
    await one.saveAnswer(lease, SEARCH, [STATION]);
    await later('59 minutes');
    assert.equal(await pruneGermanAnswers(database.pool), 0);
    await later('1 minute');
    assert.equal(await pruneGermanAnswers(database.pool), 1);
    assert.deepEqual((await database.pool.query('select from german_answers')).rowCount, 0);
  });
});

describe('the lease of a cell', () => {
  test('is one process’s, however many want it at once', async () => {
    const take = (at: number) => (at % 2 ? one : other).takeLease(CELL, 60_000, PATIENT_MS);
    const leases = await Promise.all(Array.from({ length: 40 }, (_, at) => take(at)));
    assert.equal(leases.filter((lease) => lease !== null).length, 1);
    assert.deepEqual(await other.readCell(CELL, SOMEBODY), { kind: 'querying', attempt: 1 });
  });

  test('ends by itself; who lost it keeps nothing', async () => {
    const lost = await one.takeLease(CELL, 5_000);
    assert.ok(lost);
    await later('5 seconds');
    assert.equal((await other.readCell(CELL, SOMEBODY)).kind, 'nothing');
    const lease = await other.takeLease(CELL, 60_000);
    assert.deepEqual(lease, { cell: CELL, attempt: 2 });
    assert.equal(await one.saveAnswer(lost, SEARCH, []), null);
    await one.release(lost, true);
    assert.deepEqual(await other.readCell(CELL, SOMEBODY), { kind: 'querying', attempt: 2 });
  });

  test('is given back with its outcome, and any process may take it then', async () => {
    const lease = await one.takeLease(CELL, 60_000);
    assert.ok(lease);
    await one.release(lease, true);
    const seen = await other.readCell(CELL, SOMEBODY);
    assert.ok(seen.kind === 'nothing' && seen.failed && seen.attempt === 1);
    assert.ok(await other.takeLease(CELL, 60_000));
  });
});

describe('the budget', () => {
  const recent = async (times: readonly number[]) => {
    const { rows } = await database.pool.query(`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`);
    await database.pool.query('update german_budget set recent = $1', [times.map((ago) => rows[0].now - ago)]);
  };

  test('is never exceeded by any number of processes at once', async () => {
    const places = await Promise.all(
      Array.from({ length: 60 }, (_, at) => (at % 2 ? one : other).takeCall(newClient(), PATIENT_MS)),
    );
    assert.equal(places.filter(({ isAllowed }) => isAllowed).length, 12);
    for (const { isAllowed: free, waitMs } of places) assert.ok(free || (waitMs > HOUR - 60_000 && waitMs <= HOUR + 1));
    const seen = await one.readCell(CELL, SOMEBODY);
    assert.ok(seen.kind === 'nothing' && !seen.budget.isAllowed && seen.budget.waitMs > HOUR - 60_000);
  });

  test('slides: a place is free an hour after it was taken', async () => {
    const two = new GermanStore(database, 2, hasher);
    await recent([HOUR - 60_000, 1_000]);
    const { isAllowed, waitMs } = await two.takeCall(newClient());
    assert.ok(!isAllowed && waitMs > 50_000 && waitMs <= 60_001, String(waitMs));
    await recent([HOUR + 1, 1_000]);
    assert.ok((await two.takeCall(newClient())).isAllowed);
    assert.ok(!(await two.takeCall(newClient())).isAllowed);
  });

  test('counts times ahead of a clock that was set back as now', async () => {
    const two = new GermanStore(database, 2, hasher);
    await recent([-5 * HOUR, -4 * HOUR]);
    const { isAllowed, waitMs } = await two.takeCall(newClient());
    assert.ok(!isAllowed && waitMs <= HOUR + 1);
  });

  test('that was lowered holds at once', async () => {
    await recent([1_000, 900, 800, 700]);
    assert.ok(!(await new GermanStore(database, 3, hasher).takeCall(newClient())).isAllowed);
    assert.ok((await new GermanStore(database, 5, hasher).takeCall(newClient())).isAllowed);
  });

  describe('leaves to others what one may not take:', () => {
    const allowedOf = async (callers: readonly GermanCaller[], perHour = 12) => {
      const [here, there] = [database, otherDatabase].map((each) => new GermanStore(each, perHour, hasher));
      const places = await Promise.all(callers.map((by, at) => (at % 2 ? here : there)?.takeCall(by, PATIENT_MS)));
      return places.filter((place) => place?.isAllowed).length;
    };

    test('a client gets a quarter, in all processes together, and at least one call', async () => {
      const greedy = newClient();
      assert.equal(await allowedOf(Array.from({ length: 30 }, () => greedy)), 3);
      const refused = await one.takeCall(greedy);
      assert.ok(!refused.isAllowed && refused.isOwnShare && refused.waitMs > HOUR - 60_000);
      assert.ok((await other.takeCall(newClient())).isAllowed);
      const frugal = newClient();
      await database.pool.query(`update german_budget set recent = '{}'`);
      assert.equal(await allowedOf([frugal, frugal, frugal], 1), 1);
    });

    test('a network gets half, however many clients it has', async () => {
      assert.equal(await allowedOf(Array.from({ length: 40 }, () => newClient('2001:db8:1::/48'))), 6);
      assert.equal(await allowedOf(Array.from({ length: 40 }, () => newClient('192.0.2.0/24'))), 6);
      assert.equal((await one.takeCall(newClient())).isOwnShare, false, 'the rest was there for others');
    });

    test('a share is free again an hour after it was taken, and its client is forgotten by then', async () => {
      const greedy = newClient();
      const hourPasses = () =>
        database.pool.query(`update german_budget set recent = array(select each - ${HOUR + 60_000} from unnest(recent) as each),
          caller_times = array(select each - ${HOUR + 60_000} from unnest(caller_times) as each)`);
      assert.equal(await allowedOf([greedy, greedy, greedy, greedy]), 3);
      await pruneGermanAnswers(database.pool);
      assert.ok(!(await one.takeCall(greedy)).isAllowed, 'not forgotten within the hour');
      await hourPasses();
      assert.ok((await one.takeCall(greedy)).isAllowed);
      await hourPasses();
      await pruneGermanAnswers(database.pool);
      const { rows } = await database.pool.query(
        'select caller_times, caller_clients, caller_networks from german_budget',
      );
      assert.deepEqual(rows, [{ caller_times: [], caller_clients: [], caller_networks: [] }]);
    });
  });
});
