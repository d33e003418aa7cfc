import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { DatabaseProxy } from '../../../test/support/database/database-proxy.ts';
import { testDatabase } from '../../../test/support/database/test-database.ts';
import { dump } from './dump.ts';

test('a backup says how many rows it has, also where PostgreSQL says so later than it sends them', async () => {
  const database = await testDatabase();
  await database.pool.query(`insert into stations (id, created_at) select n::text, now() from generate_series(1, 7) n`);
  const proxy = await DatabaseProxy.inFrontOf(database.url);
  proxy.delayCompletion();
  const pool = new pg.Pool({ connectionString: proxy.url });
  try {
    const items = await Array.fromAsync(dump({ pool }, { program: '1.2.3', now: 0 }));
    const contents = items.at(-1);
    assert.ok(contents !== undefined && 'tables' in contents);
    assert.equal(contents.tables.find(({ table }) => table === 'stations')?.rows, 7);
  } finally {
    await pool.end();
    proxy.close();
    await database.drop();
  }
});
