import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { emptyDatabase } from '../../../test/support/database/test-database.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { applyMigrations, migrate } from './apply-migrations.ts';
import { readMigrations } from './read-migrations.ts';

const silent = { info: () => undefined, warn: () => undefined };

describe('migrations', () => {
  let folder: string;
  let made: Awaited<ReturnType<typeof emptyDatabase>>;
  let database: Database;

  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-migrations-'));
    made = await emptyDatabase();
    database = await openDatabase({ databaseUrl: made.url, dataDir: '', log: silent });
    write('0001-first.sql', 'create table first (id int);\ninsert into first values (1);\n');
  });

  after(async () => {
    await database.close();
    await made.drop();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);
  const remove = (name: string) => rmSync(path.join(folder, name));
  const count = async (table: string) => (await database.pool.query(`select count(*) as n from ${table}`)).rows[0].n;

  test('are each applied once by processes that start together', async () => {
    const other = await openDatabase({ databaseUrl: made.url, dataDir: '', log: silent });
    const applied = await Promise.all([database, other, database, other].map((each) => migrate(each, folder)));
    await other.close();
    assert.deepEqual(applied.flat(), ['0001-first']);
    assert.equal(await count('first'), 1);
  });

  test('are applied only if pending, whatever the line ends of the files', async () => {
    write('0001-first.sql', 'create table first (id int);\r\ninsert into first values (1);\r\n');
    write('0002-second.sql', 'create table second (id int);');
    assert.deepEqual(await migrate(database, folder), ['0002-second']);
    assert.deepEqual(await migrate(database, folder), []);
    assert.equal(await count('first'), 1);
  });

  test('leave nothing of one that fails, and the error names its line', async () => {
    write('0003-wrong.sql', 'create table third (id int);\nselect nothing_of_that_name;\n');
    await assert.rejects(migrate(database, folder), /^Error: migrations\/0003-wrong\.sql, line 2: column "nothing_of/);
    await assert.rejects(count('third'), /does not exist/);
    remove('0003-wrong.sql');
  });

  test('refuse a database of a newer version', async () => {
    remove('0002-second.sql');
    await assert.rejects(migrate(database, folder), /DatabaseMisconfigured: .*newer Pompa: .*0002-second/);
    write('0002-second.sql', 'create table second (id int);');
  });

  test('refuse an applied migration whose file has changed', async () => {
    write('0002-second.sql', 'create table second (id bigint);');
    await assert.rejects(migrate(database, folder), /DatabaseMisconfigured: migrations\/0002-second\.sql was changed/);
    write('0002-second.sql', 'create table second (id int);');
  });

  test('refuse a number below an applied one', async () => {
    await database.pool.query(`update schema_migrations set number = 5, name = '0005-second' where number = 2`);
    write('0005-second.sql', 'create table second (id int);');
    await assert.rejects(migrate(database, folder), /0002-second\.sql comes before 5/);
    remove('0002-second.sql');
    assert.deepEqual(await migrate(database, folder), []);
  });

  test('of a newer version are accepted if they say that they suit this one', async () => {
    write('0006-sixth.sql', '-- What comes next.\n-- Compatible from: 0005\n\ncreate table sixth (id int);');
    assert.deepEqual(await migrate(database, folder), ['0006-sixth']);
    remove('0006-sixth.sql');
    assert.deepEqual(await migrate(database, folder), []);
    write('0007-other.sql', 'select 1');
    await assert.rejects(migrate(database, folder), /DatabaseMisconfigured: .*newer Pompa: .*0006-sixth/);
    remove('0007-other.sql');
    await database.pool.query('update schema_migrations set compatible_from = 6 where number = 6');
    await assert.rejects(migrate(database, folder), /DatabaseMisconfigured: .*newer Pompa: .*0006-sixth/);
    await database.pool.query('delete from schema_migrations where number = 6');
  });

  test('of a database without the column that says whom they suit are read, and the column is added', async () => {
    await database.pool.query('alter table schema_migrations drop column compatible_from');
    assert.deepEqual(await migrate(database, folder), []);
    write('0006-sixth.sql', 'select 1');
    assert.deepEqual(await migrate(database, folder), ['0006-sixth']);
    await database.pool.query('delete from schema_migrations where number = 6');
    remove('0006-sixth.sql');
  });

  test('wait for no table while others want to read it, and are applied once it is free', async () => {
    const holder = await database.pool.connect();
    await holder.query('begin; lock table first in access share mode');
    write('0006-column.sql', 'alter table first add column more int;');
    const migrated = migrate(database, folder);
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table first %'`;
    await waitFor('the migration', 20_000, async () => (await database.pool.query(isWaiting)).rowCount);
    // Whoever comes later is behind the migration in the queue for the table.
    await database.pool.query(`set lock_timeout = '5s'; select from first; reset lock_timeout`);
    await holder.query('commit');
    holder.release();
    assert.deepEqual(await migrated, ['0006-column']);
    await database.pool.query('delete from schema_migrations where number = 6');
    remove('0006-column.sql');
  });

  test('that run online build indexes concurrently, anew after a build that was broken off', async () => {
    const online =
      '-- An index.\n-- Runs: online\n\ncreate unique index concurrently if not exists first_by_id on first (id);\n';
    write('0006-index.sql', online);
    await database.pool.query('insert into first values (1)');
    await assert.rejects(migrate(database, folder), /migrations\/0006-index\.sql: could not create unique index/);
    const valid = `select indisvalid from pg_index where indexrelid = to_regclass('first_by_id')`;
    assert.deepEqual((await database.pool.query(valid)).rows, [{ indisvalid: false }]);
    await database.pool.query('delete from first where ctid in (select ctid from first limit 1)');
    assert.deepEqual(await migrate(database, folder), ['0006-index']);
    assert.deepEqual((await database.pool.query(valid)).rows, [{ indisvalid: true }]);
    await database.pool.query('drop index first_by_id; delete from schema_migrations where number = 6');
    remove('0006-index.sql');
  });

  test('that run online are applied once, although other processes wait for their turn', async () => {
    write('0006-index.sql', '-- Runs: online\ncreate index concurrently first_by_id on first (id);\n');
    const applied = await Promise.all([database, database, database].map((each) => migrate(each, folder)));
    assert.deepEqual(applied.flat(), ['0006-index']);
    await database.pool.query('drop index first_by_id; delete from schema_migrations where number = 6');
    remove('0006-index.sql');
  });

  test('that run in batches are repeated until nothing is left, each batch in a transaction of its own', async () => {
    await database.pool.query('insert into second select from generate_series(1, 25)');
    const batch = 'update second set id = 7 where ctid in (select ctid from second where id is null limit 10);';
    write('0006-batches.sql', `-- A value.\n-- Runs: in batches\n\n${batch}\n`);
    assert.deepEqual(await migrate(database, folder), ['0006-batches']);
    const { rows } = await database.pool.query(
      'select count(*) as n, count(distinct xmin::text) as batches from second',
    );
    assert.deepEqual(rows, [{ n: 25, batches: 3 }]);
    await database.pool.query('delete from schema_migrations where number = 6');
    remove('0006-batches.sql');
  });

  test('that run in batches leave no row because somebody held it', async () => {
    const holder = await database.pool.connect();
    await database.pool.query('update second set id = null where ctid in (select ctid from second limit 1)');
    await holder.query('begin; select from second where id is null for update');
    const rows = 'select ctid from second where id is null limit 10 for update skip locked';
    write('0006-batches.sql', `-- Runs: in batches\nupdate second set id = 7 where ctid in (${rows});`);
    const migrated = migrate(database, folder);
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update second set%'`;
    await waitFor('the last batch', 20_000, async () => (await database.pool.query(waits)).rowCount);
    await holder.query('commit');
    holder.release();
    assert.deepEqual(await migrated, ['0006-batches']);
    assert.equal((await database.pool.query('select count(*) as n from second where id is null')).rows[0].n, 0);
    await database.pool.query('delete from schema_migrations where number = 6');
    remove('0006-batches.sql');
  });

  test('of any kind are applied to an empty database in one transaction', async () => {
    const client = await database.pool.connect();
    write('0006-batches.sql', '-- Runs: in batches\nupdate second set id = 8 where id = 7;');
    write(
      '0007-online.sql',
      '-- Runs: online\ncreate index concurrently on second (id);\n\ndrop index concurrently second_id_idx;\n',
    );
    await client.query('begin');
    await applyMigrations(client, readMigrations(folder).slice(-2));
    await client.query('rollback');
    client.release();
    for (const name of ['0006-batches.sql', '0007-online.sql']) remove(name);
  });

  test('refuse a head that says something else', async () => {
    for (const [head, why] of [
      ['-- Runs: at night', /0006-wrong\.sql: it runs "online" or "in batches", not "at night"/],
      ['-- Compatible from: the last', /0006-wrong\.sql: it is compatible from a number such as 0020/],
    ] as const) {
      write('0006-wrong.sql', `${head}\nselect 1`);
      await assert.rejects(migrate(database, folder), why);
    }
    remove('0006-wrong.sql');
  });

  test('refuse two files with one number, and a file with another kind of name', async () => {
    write('0005-other.sql', 'select 1');
    await assert.rejects(migrate(database, folder), /its number is taken/);
    remove('0005-other.sql');
    write('six.sql', 'select 1');
    await assert.rejects(migrate(database, folder), /named NNNN-name\.sql/);
    remove('six.sql');
  });
});
