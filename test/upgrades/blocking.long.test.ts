// Migrations beside readers and writers, on years of data: nobody waits for a table or a row longer than 100 ms.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeOf } from '../../src/store/database-errors.ts';
import { migrate } from '../../src/store/migrations/apply-migrations.ts';
import { readMigrations } from '../../src/store/migrations/read-migrations.ts';
import { insertKeys } from '../support/builders/key-fixture.ts';
import { syntheticCountry } from '../support/builders/synthetic-country.ts';
import { seedDatabase } from '../support/database/bench-database.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { addReport, RUN, roundsOf } from '../support/run-settings.ts';

/** What the service promises that nobody waits longer than, ms. */
const PROMISED_MS = 100;
/** Stations with the fuels that each has: 470 of them, or 2,000. */
const RECORDS = RUN.length === 'long' ? 8_500 : 2_000;
const DAYS_OF_YEAR = 365;
/** Changed prices of a station in a day. */
const OBSERVATIONS_PER_DAY = 0.5;
const KEYS = 5_000;
/** How long a backup holds every table while the first migration wants one. */
const HELD_MS = 2_000;
const YEARS = roundsOf({ medium: 1, long: 10 });
const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');

/** Everything that a migration may do, on the tables with the most rows, and on those that each request uses. */
const ALLOWED: Readonly<Record<string, string>> = {
  '9001-daily-prices': `alter table daily_prices add column note text,
    add constraint facts_are_some check (facts >= 0) not valid;`,
  '9002-observations': 'alter table observations add column revised boolean not null default false;',
  '9003-usage': 'alter table key_usage add column failed integer not null default 0;',
  '9004-facts': 'alter table price_facts add column note text;',
  '9005-notes': 'create table notes (station_id text primary key references stations (id), note text not null);',
  '9006-indexes': `-- Runs: online
create index concurrently if not exists observations_by_day on observations (observed_day);
-- Without it each batch would look through all that the batches before it have changed.
create index concurrently if not exists observations_unrevised on observations (id) where not revised;
create index concurrently if not exists daily_prices_by_station on daily_prices (station_id, day);
alter table daily_prices validate constraint facts_are_some;
`,
  '9007-observations': `-- Runs: in batches
update observations set revised = true where id in (
  select id from observations where not revised order by id limit 1000 for update skip locked);`,
  '9008-usage': `-- Runs: in batches
update key_usage set failed = 1 where key_id in (
  select key_id from key_usage where failed = 0 limit 200 for update skip locked);`,
};

const MIGRATED = ['daily_prices', 'observations', 'key_usage', 'price_facts', 'stations'];

/**
 * A migration that blocks others does so in each run; on a busy machine a look may wait too long in one of them. The
 * long form runs alone.
 */
const MAX_RUNS = RUN.length === 'long' ? 1 : 3;

let folder: string;

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-blocking-'));
  cpSync(MIGRATIONS, folder, { recursive: true });
  for (const [name, sql] of Object.entries(ALLOWED)) writeFileSync(path.join(folder, `${name}.sql`), sql);
});
after(() => rmSync(folder, { recursive: true }));

/** A country with keys, and years of prices before the 90 days that it has. */
async function fill(database: TestDatabase): Promise<void> {
  await seedDatabase(database, syntheticCountry(RECORDS, Date.now()));
  await insertKeys(database.pool, KEYS);
  const days = YEARS * DAYS_OF_YEAR;
  // Not one of ours, which gives up when the server says nothing for a while.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into daily_prices (day, station_id, petrol, diesel, lpg, facts)
    select current_date - 100 - n, id, 7000 + n % 500, 7200 + n % 500, 4000, 1
    from stations, generate_series(1, $1::int) as n on conflict do nothing`,
    [days],
  );
  await client.query(
    `insert into observations (station_id, fuel, source, price, missing, observed_day, seen_at)
    select id, n % 4, 'register', 7000 + n % 500, false, current_date - 100 - n / 2, now() - n / 2 * interval '1 day'
    from stations, generate_series(1, $1::int) as n`,
    [Math.round(days * OBSERVATIONS_PER_DAY)],
  );
  await client.query('analyze');
  await client.end();
}

/** Runs statements in turn, again and again; it waits for no lock longer than was promised. */
class Probe {
  readonly blocked: string[] = [];
  readonly failures: string[] = [];
  attempts = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(url: string, statements: readonly string[]) {
    this.#running = this.#run(url, statements);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(url: string, statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`set lock_timeout = '${PROMISED_MS}ms'`);
    while (!this.#stop.signal.aborted) {
      const statement = statements[this.attempts % statements.length] as string;
      this.attempts += 1;
      await client.query(statement).catch(async (error) => {
        if (codeOf(error) === LOCK_NOT_AVAILABLE) this.blocked.push(statement);
        else this.failures.push(`${statement}: ${error}`);
        await client.query('rollback');
      });
      await sleep(1);
    }
    await client.end();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** What the looks of others at the tables found while the migrations ran. */
interface Run {
  /** The statements that waited too long. */
  readonly blocked: readonly string[];
  readonly attempts: number;
  readonly tables: number;
}

test('wait for others, and nobody waits for them', async (t) => {
  let run: Run;
  let runs = 0;
  do {
    run = await migrateBesideOthers(t);
    runs += 1;
    addReport(t, [`${run.attempts} looks at ${run.tables} tables, ${run.blocked.length} waited ${PROMISED_MS} ms`]);
  } while (run.blocked.length > 0 && runs < MAX_RUNS);
  assert.deepEqual(run.blocked, []);
});

async function migrateBesideOthers(t: TestContext): Promise<Run> {
  const database = await testDatabase();
  try {
    await fill(database);
    return await migrateFilled(database, t);
  } finally {
    await database.drop();
  }
}

async function migrateFilled(database: TestDatabase, t: TestContext): Promise<Run> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const names = tables.map(({ name }) => name).filter((name) => name !== 'schema_migrations');
  const read = (name: string) => `select from ${name} limit 1`;
  /** What every insert, update and delete needs. */
  const write = (name: string) => `begin; lock table ${name} in row exclusive mode; commit`;
  const probes = [
    ...MIGRATED.flatMap((name) => [[read(name)], [write(name)]]),
    ...[names.map(read), names.map(write)],
    [`select from key_usage where key_id = (select max(key_id) from key_usage) for update`],
    [`select from observations where id = (select min(id) from observations) for update`],
  ].map((statements) => new Probe(database.url, statements));
  const holder = await database.pool.connect();
  await holder.query(`begin; lock table ${names.join(', ')} in access share mode`);
  const started = performance.now();
  const migrated = migrate(database, folder);
  await sleep(HELD_MS);
  await holder.query('commit');
  holder.release();
  const applied = await migrated;
  const tookMs = performance.now() - started;
  for (const probe of probes) await probe.end();

  const { rows } = await database.pool.query('select count(*)::int as n from daily_prices');
  addReport(t, [`${YEARS} years: ${rows[0].n} daily prices; ${applied.length} migrations in ${Math.round(tookMs)} ms`]);
  assert.deepEqual(
    probes.flatMap(({ failures }) => failures),
    [],
  );
  assert.deepEqual(applied, Object.keys(ALLOWED));
  assert.ok(tookMs > HELD_MS, 'the first migration did not wait for the holder of its table');
  assert.ok(probes.every((probe) => probe.attempts > 20));
  assert.equal(readMigrations(folder).length, readMigrations().length + applied.length);
  const left =
    'select (select count(*) from observations where not revised) + (select count(*) from key_usage where failed = 0) as n';
  assert.equal((await database.pool.query(left)).rows[0].n, 0);
  return {
    blocked: probes.flatMap(({ blocked }) => blocked),
    attempts: probes.reduce((sum, probe) => sum + probe.attempts, 0),
    tables: names.length,
  };
}
