/** A database that another program uses as well: nothing of it enters a backup, and no restore touches it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type pg from 'pg';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { applyMigrations, migrate } from '../migrations/apply-migrations.ts';
import { readMigrations } from '../migrations/read-migrations.ts';
import { tablesCreatedBy } from './database-tables.ts';
import { dump } from './dump.ts';
import { type Backup, openBackup } from './open-backup.ts';
import { restore } from './restore.ts';
import { writeBackup } from './write-backup.ts';

const NEVER = new AbortController().signal;
const silent = { info: () => undefined, warn: () => undefined };
const OPTIONS = { program: '1.2.3', now: Date.UTC(2026, 10, 20) };
const SQL = readMigrations().map(({ sql }) => sql);
/** An index has its name in common with tables. */
const INDEXES = SQL.flatMap((sql) => [...sql.matchAll(/^create (?:unique )?index (\w+)/gm)].map(([, name]) => name));
/** Every word of the migrations, their comments included, that is none of our tables. */
const NAMES = [...new Set(SQL.flatMap((sql) => sql.toLowerCase().match(/\b[a-z_]\w*/g) ?? []))]
  .filter((word) => !tablesCreatedBy(readMigrations()).has(word))
  .filter((word) => !INDEXES.includes(word));

let folder: string;
let source: TestDatabase;
let backup: Backup;
let target: { url: string; drop(): Promise<void> };
let database: Database;

before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-foreign-'));
  source = await testDatabase();
  await source.pool.query(`insert into runs (source, at, started_at, finished_at, outcome, scheduled, forced, requests,
      rows, rejected, samples, matched, new, ambiguous, changed, failed_units, means)
    select 'register', now(), now(), now(), 'delivered', true, false, 1, 1, '{}', '{}', 1, 1, '[]', 1, '{}', '{}'
    from generate_series(1, 7)`);
  for (const name of NAMES) {
    await source.pool.query(`create table "${name}" (id int, secret text); insert into "${name}" values (1, 'geheim')`);
  }
  const file = path.join(folder, 'x.backup');
  await writeBackup(file, dump(source, OPTIONS), NEVER);
  backup = await openBackup(file);
});
after(async () => {
  await backup.close();
  await source.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  target = await emptyDatabase();
  database = await openDatabase({ databaseUrl: target.url, dataDir: '', log: silent, connections: 2 });
});
afterEach(async () => {
  await database.close();
  await target.drop();
});

describe('the tables of the migrations', () => {
  test('are those that a database has after each of them', async () => {
    const client = await database.pool.connect();
    for (const [index, migration] of readMigrations().entries()) {
      await applyMigrations(client, [migration]);
      const { rows } = await client.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public'`,
      );
      const names = rows.map(({ name }) => name).filter((name) => name !== 'schema_migrations');
      assert.deepEqual(names.sort(), [...tablesCreatedBy(readMigrations().slice(0, index + 1))].sort(), migration.name);
    }
    client.release();
  });
});

describe("another program's table", () => {
  test('of any name, even a word of the migrations, enters no backup, which can be restored', async () => {
    assert.ok(NAMES.length > 300 && NAMES.includes('client') && NAMES.includes('state'), String(NAMES.length));
    const names = backup.contents.tables.map(({ table }) => table);
    assert.deepEqual(names, [...tablesCreatedBy(readMigrations())].sort());
    await restore(database, backup, { signal: NEVER });
    for (const name of NAMES) assert.deepEqual(await rowsOf(source, name), [{ id: 1, secret: 'geheim' }], name);
  });

  test('that is empty keeps a restore out, and stays', async () => {
    await migrate(database);
    await database.pool.query('create table client (id int); create table day (id int)');
    const refused = restore(database, backup, { signal: NEVER });
    await assert.rejects(
      refused,
      /not empty and nothing was changed; it has tables or views that do not belong to Pompa: client, day\./,
    );
    assert.deepEqual([await rowsOf(database, 'client'), await rowsOf(database, 'day')], [[], []]);
  });

  test('with the name of one of ours, where Pompa never was, keeps a restore out, and stays', async () => {
    await database.pool.query(`create table stations (id int); insert into stations values (1)`);
    await assert.rejects(restore(database, backup, { signal: NEVER }), /do not belong to Pompa: stations\./);
    assert.deepEqual(await rowsOf(database, 'stations'), [{ id: 1 }]);
  });

  test('that records its own migrations is distinguished from ours', async () => {
    await database.pool.query(
      `create table schema_migrations (version text); insert into schema_migrations values ('1')`,
    );
    const why = /schema_migrations of this database is another program's: give Pompa a database of its own/;
    await assert.rejects(restore(database, backup, { signal: NEVER }), why);
    await assert.rejects(migrate(database), why);
    assert.deepEqual(await rowsOf(database, 'schema_migrations'), [{ version: '1' }]);
  });

  test('that refers to one of ours, or a view of it, in another schema keeps a restore out, and stays', async () => {
    await migrate(database);
    await database.pool.query('create schema other; create view other.seen as select id from stations');
    const why = /^nothing was restored: cannot drop .*because other objects depend on/;
    await assert.rejects(restore(database, backup, { signal: NEVER }), { message: why });
    await database.pool.query('drop view other.seen; create table other.mine (id text references stations (id))');
    await assert.rejects(restore(database, backup, { signal: NEVER }), { message: why });
    assert.deepEqual(await rowsOf(database, 'other"."mine'), []);
    const { rows } = await database.pool.query(
      `select conname from pg_constraint where conrelid = 'other.mine'::regclass`,
    );
    assert.deepEqual(rows, [{ conname: 'mine_id_fkey' }]);
  });

  test('that lies below one of ours lends its rows to no backup', async () => {
    await migrate(database);
    await database.pool.query(`create schema other; create table other.child () inherits (public.german_budget);
      insert into other.child default values`);
    const contents = [];
    for await (const item of dump(database, OPTIONS)) if (!('bytes' in item)) contents.push(...item.tables);
    assert.equal(contents.find(({ table }) => table === 'german_budget')?.rows, 1);
  });
});

describe("another program's sequence", () => {
  test('with the name of one of ours is neither saved nor set', async () => {
    await database.pool.query(`create sequence runs_id_seq; select setval('runs_id_seq', 500)`);
    await restore(database, backup, { signal: NEVER });
    const { rows } = await database.pool.query(
      `select last_value as theirs, nextval('runs_id_seq1') as ours from runs_id_seq`,
    );
    assert.deepEqual(rows, [{ theirs: 500, ours: 8 }]);
    const sequences = [];
    for await (const item of dump(database, OPTIONS)) if (!('bytes' in item)) sequences.push(...item.sequences);
    assert.deepEqual(sequences.find(({ name }) => name === 'runs_id_seq')?.value, '8');
    assert.ok(!sequences.some(({ name }) => name === 'runs_id_seq1'));
  });
});

describe('a database without one of our tables', () => {
  test('is not backed up: it could not be restored', async () => {
    await migrate(database);
    await database.pool.query('drop table alerts_waiting');
    await assert.rejects(dump(database, OPTIONS).next(), /the database lacks tables of Pompa: alerts_waiting$/);
  });
});

async function rowsOf({ pool }: { pool: pg.Pool }, table: string): Promise<unknown[]> {
  return (await pool.query(`select * from "${table}"`)).rows;
}
