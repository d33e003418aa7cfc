/** What doctor says of the direct address, and of the rights of a role; test/integration/database has real poolers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { readConfig } from '../../config/config.ts';
import { poolerFindings } from './pooler-checks.ts';

let database: TestDatabase;
let other: TestDatabase;
before(async () => {
  [database, other] = await Promise.all([testDatabase(), testDatabase()]);
});
after(() => Promise.all([database.drop(), other.drop()]));

async function findings(direct: string | null, of = database) {
  const config = readConfig({ DATABASE_URL: of.url, ...(direct !== null && { DATABASE_DIRECT_URL: direct }) });
  return (await poolerFindings(config, of)).map(({ check, ok, detail }) => `${ok} ${check}: ${detail}`);
}

test('a database without a pooler needs no direct address, and its owner has every right', async () => {
  const [rights = '', ...more] = await findings(null);
  assert.match(rights, /^true rights: the role \w+ may use every table$/);
  assert.deepEqual(more, []);
});

test('of a database without tables, no rights are told: nobody has any there', async (t) => {
  const empty = await testDatabase();
  t.after(() => empty.drop());
  await empty.pool.query('drop schema public cascade');
  await empty.pool.query('create schema public');
  assert.deepEqual(await findings(null, empty), []);
});

test('a direct address is verified: the same database, another one, or none', async () => {
  const first = async (url: string) => (await findings(url))[0] as string;
  assert.match(await first(database.url), /^true direct address: leads to the server, as DATABASE_URL does/);
  assert.match(
    await first(other.url),
    /^false direct address: DATABASE_DIRECT_URL is another database than DATABASE_URL: notifications do not arrive/,
  );
  const away = await first('postgres://u:geheim@127.0.0.1:1/none');
  assert.match(away, /^false direct address: the database none on 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/);
  assert.doesNotMatch(away, /geheim/);
});
