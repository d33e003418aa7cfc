import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  at,
  collectorFixture,
  FakeSource,
  setUpCollector,
  storedState,
} from '../../test/support/collection/collector-fixture.ts';
import { storedStatistics } from '../../test/support/collection/stored-statistics.ts';
import { archivePath, listArchives } from '../sources/archive/archive.ts';
import { readMaintenanceTimes } from '../store/maintenance/maintenance-times.ts';
import { listRuns } from '../store/prices/runs.ts';
import { runDueWork, type Schedule, startScheduler } from './scheduler.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();
let logged: string[];

beforeEach(() => {
  fakeSource.respondsWith({ R1: { petrol: 7_000 } });
  bench.clock.now = at('2026-11-20T08:00Z');
  logged = [];
});

const HOUR = 3_600_000;

function schedule(more: Partial<Schedule> = {}): Schedule {
  const log = { info: (message: string) => logged.push(message), warn: (message: string) => logged.push(message) };
  return { collector: bench.collector, sources: ['register'], collectEveryMs: 2 * HOUR, log, ...more };
}
const work = (more?: Partial<Schedule>) => runDueWork(schedule(more), new AbortController().signal);
const runs = async () => (await listRuns(database.kysely, 100)).length;

describe('the schedule', () => {
  test('collects a source when it is due, and not again before that', async () => {
    await work();
    bench.clock.now += 2 * HOUR - 1_000;
    await work();
    assert.equal(await runs(), 1);
    bench.clock.now += 1_000;
    await work();
    assert.equal(await runs(), 2);
  });

  test('counts a manual collection, and one with --at as of its date', async () => {
    await bench.run('2026-11-20T08:00Z');
    await work();
    assert.equal(await runs(), 1);
    await bench.run('2026-11-20T11:00Z', { at: at('2026-11-20T09:30Z'), scheduled: false });
    await work();
    assert.equal(await runs(), 2);
    bench.clock.now = at('2026-11-20T11:30Z');
    await work();
    assert.equal(await runs(), 3);
    await bench.run('2026-11-20T13:30Z', { at: at('2026-11-20T07:00Z'), scheduled: false });
    await work();
    assert.equal(await runs(), 5);
  });

  test('computes the statistics that past days lack', async () => {
    await bench.run('2026-11-19T08:00Z');
    await bench.run('2026-11-20T08:00Z');
    const stored = await storedStatistics(database);
    await sql`delete from day_statistics`.execute(database.kysely);
    await work();
    assert.deepEqual(await storedStatistics(database), stored);
    assert.ok(logged.includes('maintenance: days whose statistics were computed: 1'), logged.join('\n'));
  });

  test('retries a failed source when it is next due, and logs why it failed', async () => {
    fakeSource.failsWith('it answered 403');
    await work();
    await work();
    assert.equal(await runs(), 1);
    assert.deepEqual(logged, ['register: failed: it answered 403']);
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    bench.clock.now += 2 * HOUR;
    await work();
    assert.equal((await storedState(database)).version, 1);
  });

  test('reads a locator that delivered only after a day, and one that failed when it is next due', async () => {
    const locator = new FakeSource('locator:mol').failsWith('it answered 403');
    const { collector } = collectorFixture(database, dataDir, [locator]);
    const ask = () => work({ collector: { ...collector, clock: () => bench.clock.now }, sources: ['locator:mol'] });
    await ask();
    locator.respondsWith({ R1: { petrol: null } });
    bench.clock.now += 2 * HOUR;
    await ask();
    assert.equal(await runs(), 2);
    bench.clock.now += 24 * HOUR - 1_000;
    await ask();
    assert.equal(await runs(), 2);
    bench.clock.now += 1_000;
    await ask();
    assert.equal(await runs(), 3);
  });

  test('collects once if two workers find the same source due', async () => {
    // The other worker does the due work before this one takes the lease.
    let dueChecks = 0;
    const kysely = database.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        dueChecks += 1;
        if (dueChecks === 1) await work();
        return result;
      },
    });
    await work({ collector: { ...bench.collector, database: { ...database, kysely } } });
    assert.ok(dueChecks > 1);
    assert.equal(await runs(), 1);
  });

  test('skips a collection while another process collects', async () => {
    await sql`insert into leases values ('collect', 'another', 1, clock_timestamp() + interval '1 minute')`.execute(
      database.kysely,
    );
    await work();
    assert.equal(await runs(), 0);
    assert.deepEqual(logged, []);
  });
});

describe('due work', () => {
  test('is all done although a job fails, and ends with the first failure', async () => {
    const done: string[] = [];
    const failing = (name: string) => async () => {
      done.push(name);
      throw new Error(`${name} failed`);
    };
    const billing = { sync: failing('Stripe'), sendMails: failing('relay'), close: () => void done.push('closed') };
    const alerts = { run: failing('alerts'), close: async () => undefined };
    await assert.rejects(work({ alerts, billing }), { message: 'alerts failed' });
    assert.deepEqual(done, ['alerts', 'Stripe', 'relay', 'closed']);
    assert.equal(await runs(), 1);
    const leases = await database.kysely.selectFrom('leases').select('name').where('name', '=', 'upkeep').execute();
    assert.equal(leases.length, 1, 'maintenance was done');
    assert.deepEqual(logged.slice(-3), [
      'price alerts could not be sent: alerts failed',
      'Stripe could not be asked: Stripe failed',
      'mails could not be sent: relay failed',
    ]);
  });
});

describe('a worker', { timeout: 120_000 }, () => {
  test('works by itself until closed, continues after failures, and stores nothing when stopped during a collection', async () => {
    const { promise: collecting, resolve: began } = Promise.withResolvers<void>();
    let troubled = 0;
    const flaky = new Proxy(database, {
      get: (target, name) => {
        if (name === 'kysely' && troubled++ === 0) throw new Error('connection refused');
        return Reflect.get(target, name);
      },
    });
    fakeSource.answer = () => {
      began();
      return new Promise(() => undefined);
    };
    const started: unknown[] = [];
    const worker = startScheduler(
      schedule({
        collector: { ...bench.collector, database: flaky },
        collectEveryMs: 40,
        onStart: (...what) => started.push(what),
      }),
    );
    assert.deepEqual(started, [[['collect', 'maintenance'], ['register'], bench.clock.now]]);
    await collecting;
    await worker.close();
    assert.deepEqual(logged, ['the scheduled work could not be done: connection refused']);
    assert.equal(await runs(), 0);
  });
});

async function raiseOnDelete(table: string): Promise<void> {
  await sql`create or replace function raise_on_delete() returns trigger language plpgsql
    as $$ begin raise exception 'this delete fails'; end $$`.execute(database.kysely);
  await sql`create trigger raise before delete on ${sql.table(table)} execute function raise_on_delete()`.execute(
    database.kysely,
  );
}

describe('maintenance', () => {
  test('removes old rows once a day, in any process', async () => {
    const old = () =>
      sql`insert into runs (source, at, started_at, finished_at, outcome, scheduled, forced, requests, rows, rejected,
        samples, matched, new, ambiguous, changed, failed_units, means)
        values ('register', '2020-01-01', '2020-01-01', '2020-01-01', 'failed', false, false, 0, 0, '{}', '{}', 0, 0,
          '[]', 0, '{}', '{}')`.execute(database.kysely);
    await work();
    await old();
    await work();
    assert.equal(await runs(), 2, 'it was done today');
    await sql`update leases set expires_at = clock_timestamp() where name = 'upkeep'`.execute(database.kysely);
    await work({ collector: { ...bench.collector, holder: 'another' } });
    assert.equal(await runs(), 1);
    assert.match(logged.at(-1) ?? '', /^maintenance: 1 expired rows removed$/);
  });

  test('that fails counts as not done, keeps no other task from being done, and is tried again after ten minutes', async (t) => {
    await work();
    await sql`update leases set expires_at = clock_timestamp() - interval '1 day' where name in ('upkeep', 'counters')`.execute(
      database.kysely,
    );
    const [daily] = await readMaintenanceTimes(database.kysely);
    await raiseOnDelete('runs');
    t.after(() => sql`drop trigger if exists raise on runs`.execute(database.kysely));
    await sql`insert into runs (source, at, started_at, finished_at, outcome, scheduled, forced, requests, rows, rejected,
      samples, matched, new, ambiguous, changed, failed_units, means)
      values ('register', '2020-01-01', '2020-01-01', '2020-01-01', 'failed', false, false, 0, 0, '{}', '{}', 0, 0,
        '[]', 0, '{}', '{}')`.execute(database.kysely);
    await assert.rejects(work(), { message: 'this delete fails' });
    const [after, hourly] = await readMaintenanceTimes(database.kysely);
    assert.deepEqual({ ...after, isDue: true }, daily, 'not done');
    assert.equal(hourly?.isDue, false, 'the other one is done');
    await work();
    await sql`drop trigger raise on runs`.execute(database.kysely);
    await work();
    assert.equal(await runs(), 2, 'it rests');
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from expires_at - clock_timestamp())::int as seconds
      from leases where name = 'maintenance: daily'`.execute(database.kysely);
    assert.ok((rows[0]?.seconds ?? 0) > 500 && (rows[0]?.seconds ?? 0) <= 600, JSON.stringify(rows));
    await sql`update leases set expires_at = clock_timestamp() where name = 'maintenance: daily'`.execute(
      database.kysely,
    );
    await work({ collector: { ...bench.collector, holder: 'another' } });
    assert.equal(await runs(), 1);
    assert.equal((await readMaintenanceTimes(database.kysely))[0]?.isDue, false);
    await sql`update leases set expires_at = clock_timestamp() + interval '10 days' where name = 'upkeep'`.execute(
      database.kysely,
    );
    assert.equal((await readMaintenanceTimes(database.kysely))[0]?.isDue, true, 'the clock was set back since');
  });

  test('removes answers of the German source older than an hour, once an hour', async () => {
    await work();
    await sql`insert into german_answers (lat, lng, radius_km, asking_until)
      values (5000, 900, 5, clock_timestamp() - interval '61 minutes'), (5001, 900, 5, clock_timestamp())`.execute(
      database.kysely,
    );
    await sql`update leases set expires_at = clock_timestamp() where name = 'counters'`.execute(database.kysely);
    await work();
    assert.match(logged.at(-1) ?? '', /^maintenance: 1 expired rows removed$/);
  });

  test('removes the addresses of reviews older than two days, once an hour', async () => {
    await work();
    await sql`insert into reviews (station_id, slug, rating, state, created_at, client)
      values ('a', 'a', 5, 'approved', clock_timestamp() - interval '48 hours', '\\x01')`.execute(database.kysely);
    await sql`update leases set expires_at = clock_timestamp() where name = 'counters'`.execute(database.kysely);
    await work();
    assert.match(logged.at(-1) ?? '', /^maintenance: 1 expired rows removed$/);
  });

  test('removes archives dated and written more than 30 days ago from this disk after each collection', async () => {
    await work();
    const long = bench.clock.now - 31 * 24 * HOUR;
    const file = archivePath(dataDir, 'register', long);
    await writeFile(file, '');
    await utimes(file, long / 1000, long / 1000);
    bench.clock.now += 2 * HOUR;
    await work();
    assert.deepEqual(await listArchives(dataDir, 'register'), [at('2026-11-20T08:00Z'), at('2026-11-20T10:00Z')]);
    assert.match(logged.at(-1) ?? '', /^1 archived runs removed: too old, or more than a source may keep$/);
  });

  test('removes the archive of a failed run after 2 days, and keeps that of one that delivered', async () => {
    const delivered = bench.clock.now;
    await work();
    fakeSource.failsWith('it answered 403');
    const failed = delivered + 2 * HOUR;
    bench.clock.now = failed;
    await work();
    assert.deepEqual(await listArchives(dataDir, 'register'), [delivered, failed]);
    for (const at of [delivered, failed]) await utimes(archivePath(dataDir, 'register', at), at / 1000, at / 1000);
    const later = failed + 49 * HOUR;
    bench.clock.now = later;
    await work();
    assert.deepEqual(await listArchives(dataDir, 'register'), [delivered, later]);
  });
});
