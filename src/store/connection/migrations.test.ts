import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { emptyDatabase } from '../../../test/support/database/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrations.ts';

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

  test('leave nothing behind if one fails, and the error names its line', async () => {
    write('0003-third.sql', 'create table third (id int);');
    write('0004-wrong.sql', 'select 1;\nselect nothing_of_that_name;\n');
    await assert.rejects(migrate(database, folder), /^Error: migrations\/0004-wrong\.sql, line 2: column "nothing_of/);
    await assert.rejects(count('third'), /does not exist/);
    remove('0003-third.sql');
    remove('0004-wrong.sql');
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

  test('refuse two files with one number, and a file with another kind of name', async () => {
    write('0005-other.sql', 'select 1');
    await assert.rejects(migrate(database, folder), /its number is taken/);
    remove('0005-other.sql');
    write('six.sql', 'select 1');
    await assert.rejects(migrate(database, folder), /named NNNN-name\.sql/);
    remove('six.sql');
  });
});
