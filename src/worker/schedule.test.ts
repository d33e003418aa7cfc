import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { aBench, at, type Bench, forgetAll, stored, ToldFeed } from '../../test/collections.ts';
import { type TestDatabase, testDatabase } from '../../test/postgres.ts';
import { archivePath, listArchives } from '../sources/archive.ts';
import { listRuns } from '../store/runs.ts';
import { type Schedule, startWorker, workOnce } from './schedule.ts';

let database: TestDatabase;
let dataDir: string;
let feed: ToldFeed;
let bench: Bench;
let said: string[];

before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await forgetAll(database);
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pompa-schedule-'));
  feed = new ToldFeed('register').says({ R1: { petrol: 7_000 } });
  bench = aBench(database, dataDir, [feed]);
  said = [];
  bench.clock.now = at('2026-11-20T08:00Z');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const HOUR = 3_600_000;

function schedule(more: Partial<Schedule> = {}): Schedule {
  const log = { info: (message: string) => said.push(message), warn: (message: string) => said.push(message) };
  return { collector: bench.collector, sources: ['register'], collectEveryMs: 2 * HOUR, log, ...more };
}
const work = (more?: Partial<Schedule>) => workOnce(schedule(more), new AbortController().signal);
const runs = async () => (await listRuns(database.kysely, 100)).length;

describe('the schedule', () => {
  test('collects what is due, and not again before its time', async () => {
    await work();
    bench.clock.now += 2 * HOUR - 1_000;
    await work();
    assert.equal(await runs(), 1);
    bench.clock.now += 1_000;
    await work();
    assert.equal(await runs(), 2);
  });

  test('counts a collection by hand, but none that was dated by hand', async () => {
    await bench.run('2026-11-20T08:00Z');
    await work();
    assert.equal(await runs(), 1);
    await bench.run('2026-11-20T11:00Z', { at: at('2026-11-20T07:00Z'), scheduled: false });
    await work();
    assert.equal(await runs(), 3);
  });

  test('tries a source that failed again when it is next due, and tells why it failed', async () => {
    feed.fails('it answered 403');
    await work();
    await work();
    assert.equal(await runs(), 1);
    assert.deepEqual(said, ['register: failed: it answered 403']);
    feed.says({ R1: { petrol: 7_000 } });
    bench.clock.now += 2 * HOUR;
    await work();
    assert.equal((await stored(database)).version, 1);
  });

  test('two workers that find the same due collect once', async () => {
    // What one has found due is done by the other before it comes to take the lease.
    let looks = 0;
    const kysely = database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        looks += 1;
        if (looks === 1) await work();
        return result;
      },
    });
    await work({ collector: { ...bench.collector, database: { ...database, kysely } } });
    assert.ok(looks > 1);
    assert.equal(await runs(), 1);
  });

  test('leaves a collection that another process is doing to it', async () => {
    await sql`insert into leases values ('collect', 'another', 1, clock_timestamp() + interval '1 minute')`.execute(
      database.kysely,
    );
    await work();
    assert.equal(await runs(), 0);
    assert.deepEqual(said, []);
  });
});

describe('a worker', () => {
  test('works by itself until closed, goes on after trouble, and stops while collecting without a trace', async () => {
    const { promise: collecting, resolve: began } = Promise.withResolvers<void>();
    let troubled = 0;
    const flaky = new Proxy(database, {
      get: (target, name) => {
        if (name === 'kysely' && troubled++ === 0) throw new Error('connection refused');
        return Reflect.get(target, name);
      },
    });
    feed.answer = () => {
      began();
      return new Promise(() => undefined);
    };
    const worker = startWorker(schedule({ collector: { ...bench.collector, database: flaky }, collectEveryMs: 40 }));
    await collecting;
    await worker.close();
    assert.deepEqual(said, ['the scheduled work could not be done: connection refused']);
    assert.equal(await runs(), 0);
  });
});

describe('upkeep', () => {
  test('removes archives older than 30 days and old rows, once a day whoever does it', async () => {
    await work();
    const old = bench.clock.now - 31 * 24 * HOUR;
    await writeFile(archivePath(dataDir, 'register', old), '');
    await work();
    assert.equal((await listArchives(dataDir, 'register')).length, 2, 'it was done today');
    await sql`update leases set expires_at = clock_timestamp() where name = 'upkeep'`.execute(database.kysely);
    await work({ collector: { ...bench.collector, holder: 'another' } });
    assert.deepEqual(await listArchives(dataDir, 'register'), [at('2026-11-20T08:00Z')]);
    assert.match(said.at(-1) ?? '', /^upkeep: 0 old rows and 1 archived runs removed$/);
  });
});
