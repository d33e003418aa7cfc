import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, openDatabase } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { migrate } from '../../../src/store/migrations/apply-migrations.ts';
import { readMigrations } from '../../../src/store/migrations/read-migrations.ts';

/** A separate database for one test file, with every migration applied. */
export interface TestDatabase extends Database<Schema> {
  /** For further processes or pools on the same database. */
  url: string;
  /** Closes and deletes the database. */
  drop(): Promise<void>;
}

const MAX_POLLS = 50;
const POLL_INTERVAL_MS = 20;
const silentLog = { info: () => undefined, warn: () => undefined };

/** Creates a fresh, migrated database on the cluster of this test run. */
export async function testDatabase(): Promise<TestDatabase> {
  const { url, drop } = await emptyDatabase(await template());
  const database = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silentLog });
  return {
    ...database,
    url,
    async drop() {
      await database.close();
      await drop();
    },
  };
}

/** Creates a fresh database without connecting to it: a copy of `template`, empty when none is named. */
export async function emptyDatabase(template = 'template1'): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The default way copies through the write-ahead log, at twice the cost.
  await administer((admin) => admin.query(`create database ${name} template ${template} strategy file_copy`));
  return {
    url: urlOf(name),
    drop: () => administer((admin) => dropDatabase(admin, name)),
  };
}

/** Lets closing sessions end by themselves first: a session that is terminated reports an error to its program. */
async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  const sessions = async () => (await admin.query('select from pg_stat_activity where datname = $1', [name])).rowCount;
  for (let polls = 0; polls < MAX_POLLS && (await sessions()) !== 0; polls += 1) await sleep(POLL_INTERVAL_MS);
  await admin.query(`drop database if exists ${name} with (force)`);
}

/** Creates the template once per state of the migrations; its final name appears only when it is complete. */
async function template(): Promise<string> {
  const state = readMigrations().map(({ number, sha256 }) => `${number} ${sha256}`);
  const name = `template_${createHash('sha256').update(state.join()).digest('hex').slice(0, 12)}`;
  await administer(async (admin) => {
    await admin.query('select pg_advisory_lock(1)');
    if ((await admin.query('select from pg_database where datname = $1', [name])).rowCount) return;
    await admin.query(`drop database if exists ${name}_new with (force)`);
    await admin.query(`create database ${name}_new`);
    const database = await openDatabase({ databaseUrl: urlOf(`${name}_new`), dataDir: '', log: silentLog });
    await migrate(database).finally(() => database.close());
    await admin.query(`alter database ${name}_new rename to ${name}`);
  });
  return name;
}

async function administer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: clusterUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(database: string): string {
  return clusterUrl().replace(/\/[^/]*$/, `/${database}`);
}

function clusterUrl(): string {
  const url = process.env.POMPA_TEST_DATABASE_URL;
  if (url === undefined)
    throw new Error('no test database: run tests with scripts/test, or set POMPA_TEST_DATABASE_URL');
  return url;
}
