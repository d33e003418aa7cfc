import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { isWellFormedKey } from '../../domain/access/api-key.ts';
import { listKeys, revokeKey } from '../../store/keys/keys.ts';
import { loadOrCreateDemoKey } from './demo-key.ts';

let database: TestDatabase;
let folder: string;
before(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-demo-key-'));
});
after(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

test('the demo has one key, readable only by its owner, until it is revoked or its file is missing or invalid', async () => {
  const file = path.join(folder, 'key');
  const first = await loadOrCreateDemoKey(database, folder);
  assert.ok(isWellFormedKey(first));
  assert.equal(await loadOrCreateDemoKey(database, folder), first);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await revokeKey(database, 1);
  const second = await loadOrCreateDemoKey(database, folder);
  await rm(file);
  const third = await loadOrCreateDemoKey(database, folder);
  await writeFile(file, 'pompa_live_nonsense', { mode: 0o644 });
  const fourth = await loadOrCreateDemoKey(database, folder);
  assert.equal(new Set([first, second, third, fourth]).size, 4);
  assert.equal(await readFile(file, 'utf8'), `${fourth}\n`);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await listKeys(database.kysely)).length, 4);
});
