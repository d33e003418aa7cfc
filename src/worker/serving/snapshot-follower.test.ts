import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  at,
  COLLECTION_SETTINGS,
  emptyTables,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { timed } from '../../../test/support/stopwatch.ts';
import { dayNumber, dayText } from '../../domain/days.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type Database, openDatabase } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { lastGoodPlace } from '../../store/prices/last-good.ts';
import { currentVersion } from '../../store/prices/publication.ts';
import { importHistory } from '../collection/import.ts';
import { SnapshotFollower, type SnapshotFollowerOptions } from './snapshot-follower.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A follower, its snapshots and its log. Its clock runs on from the instant that a test sets. */
async function reader(clock: () => number, more: Partial<SnapshotFollowerOptions> = {}) {
  const given: Snapshot[] = [];
  const logged: string[] = [];
  const waiting: { wanted: (snapshot: Snapshot) => boolean; found: (snapshot: Snapshot) => void }[] = [];
  const follower: SnapshotFollower = await SnapshotFollower.start({
    dataDir,
    settings: COLLECTION_SETTINGS,
    clock,
    onSnapshot: (snapshot) => {
      given.push(snapshot);
      for (const { wanted, found } of waiting) if (wanted(snapshot)) found(snapshot);
    },
    log: { info: (message) => logged.push(message), warn: (message) => logged.push(message) },
    ...more,
  });
  open.push(follower);
  return {
    follower,
    given,
    logged,
    now: () => given.at(-1) as Snapshot,
    /** The first snapshot from now on that meets the condition. */
    next(wanted: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
      const { promise, resolve } = Promise.withResolvers<Snapshot>();
      waiting.push({ wanted, found: resolve });
      return promise;
    },
  };
}

/** A separate pool, so that closing it affects no other test. */
async function another(url = database.url): Promise<Database<Schema>> {
  const opened = await openDatabase<Schema>({
    databaseUrl: url,
    dataDir: '',
    log: { info: () => undefined, warn: () => undefined },
  });
  open.push(opened);
  return opened;
}

const priceIn = ({ records }: Snapshot) =>
  records.map(({ verdict }) => ('price' in verdict ? verdict.price : verdict.kind));
/** The minimum price of petrol by day. */
const nationalMinima = ({ statistics }: Snapshot) =>
  statistics('national', 'petrol').map(({ day, min }) => `${dayText(day)} ${min}`);
const says = (price: number) => fakeSource.respondsWith({ R1: { petrol: price } });
const MORNING = '2026-11-20T08:00:00Z';

/** A clock that stops at an instant until it is released: nothing is missed before, however slow the machine. */
function clockAt(text: string): (() => number) & { run(): void } {
  let begun = Number.NaN;
  const clock = () => at(text) + (Number.isNaN(begun) ? 0 : Math.floor(performance.now() - begun));
  const run = () => {
    begun = performance.now();
  };
  return Object.assign(clock, { run });
}

describe('a follower', { timeout: 120_000 }, () => {
  test('has a snapshot immediately, an empty one when nothing is known', async () => {
    const { given } = await reader(() => at(MORNING));
    assert.deepEqual(
      given.map(({ version, records }) => [version, records.length]),
      [[0, 0]],
    );
  });

  test('reads earlier publications, and each later one soon', async () => {
    says(7_000);
    await bench.run(MORNING);
    const { follower, now } = await reader(() => bench.clock.now);
    follower.useDatabase(await another());
    await follower.waitForVersion(1);
    assert.deepEqual(priceIn(now()), [7_000]);
    says(7_100);
    const { version } = await bench.run('2026-11-20T10:00Z');
    const { ms } = await timed(() => follower.waitForVersion(version as number));
    assert.ok(ms < 1_000, `${ms} ms`);
    assert.deepEqual(priceIn(now()), [7_100]);
    assert.equal(now().updatedAt, at('2026-11-20T10:00Z'));
  });

  test('finds a publication by polling when its notification was lost', async () => {
    says(7_000);
    await bench.run(MORNING);
    const deaf = await another();
    const { follower, now } = await reader(() => bench.clock.now);
    follower.useDatabase({ ...deaf, listen: () => ({ close: async () => undefined }) });
    await follower.waitForVersion(1);
    says(7_100);
    await bench.run('2026-11-20T10:00Z');
    await follower.waitForVersion(2);
    assert.deepEqual(priceIn(now()), [7_100]);
  });

  test('keeps its snapshot when the database goes away, warns once, and catches up when it is back', async () => {
    says(7_000);
    await bench.run(MORNING);
    const own = await another();
    const { follower, now, logged, next } = await reader(() => bench.clock.now);
    let away = false;
    const flaky = new Proxy(own, {
      get: (target, name) => {
        if (name === 'query' && away) throw new Error('connection refused');
        return Reflect.get(target, name);
      },
    });
    follower.useDatabase(flaky);
    await follower.waitForVersion(1);
    away = true;
    says(7_100);
    await bench.run('2026-11-20T10:00Z');
    await until(() => logged.length === 1);
    assert.equal(follower.isFailing, true);
    assert.deepEqual(logged, ['publications cannot be read: connection refused']);
    assert.deepEqual(priceIn(now()), [7_000]);
    const back = next(({ version }) => version === 2);
    away = false;
    assert.deepEqual(priceIn(await back), [7_100]);
    await until(() => logged.length === 2);
    assert.equal(follower.isFailing, false);
    assert.deepEqual(logged.slice(1), ['the database answers again; publications are followed']);
  });

  test('retries a snapshot that could not be passed on', async () => {
    says(7_000);
    await bench.run(MORNING);
    let refusals = 1;
    const { follower, logged } = await reader(() => bench.clock.now, {
      onSnapshot: ({ version }) => {
        if (version === 1 && refusals-- > 0) throw new Error('no room');
      },
    });
    follower.useDatabase(await another());
    await follower.waitForVersion(1);
    assert.match(logged[0] ?? '', /no room/);
  });

  test('has prices from the disk, and is complete once the database has said what was published', async () => {
    const { follower } = await reader(() => bench.clock.now);
    assert.deepEqual([follower.hasPrices, follower.isComplete], [false, false]);
    follower.useDatabase(await another());
    await until(() => follower.isComplete);
    assert.equal(follower.hasPrices, true);
    assert.equal(follower.loaded.facts.updatedAt, null, 'nothing was published');
    says(7_000);
    await bench.run(MORNING);
    await follower.waitForVersion(1);
    await until(() => existsSync(path.join(dataDir, 'last-good.snapshot')));
    const { follower: next } = await reader(() => bench.clock.now);
    assert.deepEqual([next.hasPrices, next.isComplete], [true, false]);
    next.useDatabase(await another());
    await until(() => next.isComplete);
  });

  test('starts from the last good facts without a database, and ages them by the rules', async () => {
    says(7_000);
    await bench.run(MORNING);
    await importHistory(database.kysely, await aDayEarlier(6_900), COLLECTION_SETTINGS, at(MORNING));
    const first = await reader(() => bench.clock.now);
    first.follower.useDatabase(await another());
    await first.follower.waitForVersion(2);
    await until(() => existsSync(path.join(dataDir, 'last-good.snapshot')));

    const soon = await reader(() => at('2026-11-20T20:00Z'));
    assert.deepEqual(priceIn(soon.now()), [7_000]);
    assert.equal(soon.now().version, 2);
    const id = soon.now().records[0]?.station.id as string;
    assert.equal(soon.now().history(id)?.price('petrol', dayNumber('2026-11-19')), 6_900);
    const late = await reader(() => at('2026-11-21T08:00:01Z'));
    assert.deepEqual(priceIn(late.now()), ['expired']);
  });

  test('writes past days to disk only with publications that change them', async () => {
    says(7_000);
    await bench.run(MORNING);
    const { follower } = await reader(() => bench.clock.now);
    follower.useDatabase(await another());
    const pastDaysAfter = async (version: number) => {
      await until(async () => (await lastGoodPlace(dataDir))?.version === version);
      const names = readdirSync(dataDir).filter((name) => name.startsWith('last-good.history-'));
      return names.map((name) => `${name} ${statSync(path.join(dataDir, name)).ino}`).sort();
    };
    const first = await pastDaysAfter(1);
    assert.equal(first.length, 1);
    says(7_100);
    await bench.run('2026-11-20T10:00Z');
    assert.deepEqual(await pastDaysAfter(2), first);
    await importHistory(database.kysely, await aDayEarlier(6_900), COLLECTION_SETTINGS, at('2026-11-20T10:00Z'));
    assert.equal((await pastDaysAfter(3)).length, 2);
  });

  test('has the statistics of past days, and reads those that a publication changed', async () => {
    says(7_000);
    await bench.run(MORNING);
    await importHistory(database.kysely, await aDayEarlier(6_900), COLLECTION_SETTINGS, at(MORNING));
    const { follower, now, next } = await reader(() => bench.clock.now);
    const read = next((snapshot) => nationalMinima(snapshot).length === 2);
    follower.useDatabase(await another());
    const first = await read;
    assert.deepEqual(nationalMinima(first), ['2026-11-19 6900', '2026-11-20 7000']);
    await importHistory(database.kysely, await aDayEarlier(6_950), COLLECTION_SETTINGS, at(MORNING));
    await follower.waitForVersion(3);
    assert.deepEqual(nationalMinima(now()), ['2026-11-19 6950', '2026-11-20 7000']);
    assert.deepEqual(nationalMinima(first), ['2026-11-19 6900', '2026-11-20 7000']);
  });

  test('gives a day that ended the statistics that the next publication stores', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 }, R2: { petrol: 6_000 } });
    await bench.run('2026-11-20T08:00Z');
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-20T20:00Z');
    let now = at('2026-11-20T20:00Z');
    const reading = await reader(() => now);
    reading.follower.useDatabase(await another());
    await reading.follower.waitForVersion(2);
    assert.deepEqual(nationalMinima(reading.now()), ['2026-11-20 7000']);

    now = at('2026-11-21T07:00Z');
    const later = await reader(() => now);
    later.follower.useDatabase(await another());
    await later.follower.waitForVersion(2);
    const closed = later.now().statistics('national', 'petrol').slice(0, 1);
    assert.deepEqual(nationalMinima(later.now()), ['2026-11-20 7000', '2026-11-21 7000']);
    await bench.run('2026-11-21T07:30Z');
    await later.follower.waitForVersion(3);
    assert.deepEqual(later.now().statistics('national', 'petrol').slice(0, 1), closed);
  });

  test('adopts the contents of a database restored from a backup, past days included', async () => {
    says(7_000);
    await bench.run(MORNING);
    await importHistory(database.kysely, await aDayEarlier(6_900), COLLECTION_SETTINGS, at(MORNING));
    const { follower, now, next } = await reader(() => bench.clock.now);
    follower.useDatabase(await another());
    await follower.waitForVersion(2);
    const id = now().records[0]?.station.id as string;
    const yesterday = () => now().history(id)?.price('petrol', dayNumber('2026-11-19'));
    assert.equal(yesterday(), 6_900);

    const restored = next(({ version }) => version === 1);
    await database.transaction(async (tx) => {
      await sql`delete from daily_prices where day = '2026-11-19'`.execute(tx);
      await sql`update publication set version = 1`.execute(tx);
    });
    await restored;
    assert.equal(yesterday(), null);
  });

  for (const [which, runs] of [
    ['older than', 1],
    ['of the same version as', 2],
  ] as const) {
    test(`adopts the contents of a database ${which} the facts on disk`, async () => {
      says(7_000);
      await bench.run(MORNING);
      await bench.run('2026-11-20T09:00Z');
      const first = await reader(() => bench.clock.now);
      first.follower.useDatabase(await another());
      await first.follower.waitForVersion(2);
      await until(() => existsSync(path.join(dataDir, 'last-good.snapshot')));
      await emptyTables(database);
      says(7_300);
      for (let run = 1; run <= runs; run += 1) await bench.run(`2026-11-20T09:3${run}Z`);
      const second = await reader(() => bench.clock.now);
      const rebuilt = second.next((snapshot) => priceIn(snapshot)[0] === 7_300);
      second.follower.useDatabase(await another());
      assert.equal((await rebuilt).version, runs);
    });
  }
});

describe('time alone', { timeout: 120_000 }, () => {
  test('withdraws a price when its source has been silent for exactly 24 hours', async () => {
    says(7_000);
    await bench.run('2026-11-20T11:00:00Z');
    const clock = clockAt('2026-11-21T10:59:59.700Z');
    const { follower, now, next } = await reader(clock);
    follower.useDatabase(await another());
    await follower.waitForVersion(1);
    assert.deepEqual(priceIn(now()), [7_000]);
    const withdrawn = next(({ records }) => records[0]?.verdict.kind === 'expired');
    clock.run();
    const expired = await withdrawn;
    assert.ok(expired.now > at('2026-11-21T11:00:00Z'), 'not a moment earlier');
    assert.ok(expired.now < at('2026-11-21T11:00:05Z'));
  });

  test('turns today into yesterday at midnight, with the value that the next publication will store', async () => {
    const clock = clockAt('2026-11-20T21:59:59.500Z');
    const { follower, given, now, next } = await reader(clock);
    follower.useDatabase(await another());
    await until(() => given.length > 1);
    says(7_000);
    await bench.run('2026-11-20T20:00:00Z');
    await follower.waitForVersion(1);
    assert.equal(now().today, dayNumber('2026-11-20'));
    const midnight = next(({ today }) => today === dayNumber('2026-11-21'));
    clock.run();
    const after = await midnight;
    const id = after.records[0]?.station.id as string;
    assert.equal(after.history(id)?.price('petrol', dayNumber('2026-11-20')), 7_000);
    says(7_400);
    const { version } = await bench.run('2026-11-20T22:10:00Z');
    await follower.waitForVersion(version as number);
    const day = (await storedState(database)).days.find(({ day }) => day === '2026-11-20');
    assert.equal(day?.petrol, 7_000);
    assert.equal(now().history(id)?.price('petrol', dayNumber('2026-11-20')), 7_000);
  });

  test('passes even while the database hangs', async () => {
    says(7_000);
    await bench.run('2026-11-20T20:00:00Z');
    const own = await another();
    const clock = clockAt('2026-11-20T21:59:59.500Z');
    const { follower, next } = await reader(clock);
    let hangs = false;
    const hanging = new Proxy(own, {
      get: (target, name) =>
        name === 'query' && hangs ? () => new Promise(() => undefined) : Reflect.get(target, name),
    });
    follower.useDatabase(hanging);
    await follower.waitForVersion(1);
    hangs = true;
    says(7_400);
    await bench.run('2026-11-20T21:59:59Z');
    const midnight = next(({ today }) => today === dayNumber('2026-11-21'));
    clock.run();
    assert.deepEqual(priceIn(await midnight), [7_000]);
  });
});

describe('a snapshot in service', { timeout: 120_000 }, () => {
  test('keeps its history while the next one is being built', async () => {
    says(7_000);
    await bench.run(MORNING);
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: shown, resolve: show } = Promise.withResolvers<void>();
    const given: Snapshot[] = [];
    const { follower } = await reader(() => bench.clock.now, {
      onSnapshot: async (snapshot) => {
        if (snapshot.version === 2) {
          show();
          await gate;
        }
        given.push(snapshot);
      },
    });
    follower.useDatabase(await another());
    await follower.waitForVersion(1);
    const inService = given.at(-1) as Snapshot;
    const id = inService.records[0]?.station.id as string;
    const before = inService.history(id)?.price('petrol', dayNumber('2026-11-19'));
    await importHistory(database.kysely, await aDayEarlier(6_900), COLLECTION_SETTINGS, at(MORNING));
    await shown;
    assert.equal(before, null);
    assert.equal(inService.history(id)?.price('petrol', dayNumber('2026-11-19')), null);
    letGo();
    await follower.waitForVersion(2);
    assert.equal(given.at(-1)?.history(id)?.price('petrol', dayNumber('2026-11-19')), 6_900);
  });

  test('describes one publication, whatever is published while it is read', async () => {
    const { follower, given } = await reader(() => bench.clock.now);
    follower.useDatabase(await another());
    for (let round = 1; round <= 8; round += 1) {
      fakeSource.respondsWith({
        R1: { petrol: 7_000 + round },
        R2: { petrol: 7_000 + round },
        R3: { petrol: 7_000 + round },
      });
      await bench.run(new Date(at(MORNING) + round * 60_000).toISOString(), { force: true });
    }
    await follower.waitForVersion(await currentVersion(database));
    for (const { version, records } of given.filter(({ version }) => version > 0)) {
      assert.deepEqual(priceIn({ records } as Snapshot), [7_000 + version, 7_000 + version, 7_000 + version]);
    }
  });
});

async function aDayEarlier(price: number) {
  const { rows } = await sql<{ id: string }>`select id from stations`.execute(database.kysely);
  return rows.map(({ id }) => ({ where: 'line 2', day: '2026-11-19', station: id, fuel: 'petrol' as const, price }));
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('it did not come to be within 10 s');
    await new Promise((resume) => setTimeout(resume, 10));
  }
}
