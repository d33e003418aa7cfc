/** Every version of PostgreSQL that Pompa runs on: tests of the store, and backups from one restored into another. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { errorSentence, runPompa } from '../../support/processes/pompa-process.ts';
import { RUN, RUN_VARIABLE } from '../../support/run-settings.ts';
import { PostgresServer } from './database-server.ts';
import {
  EMBEDDED,
  type InstalledVersions,
  installVersions,
  TOO_OLD,
  VERSIONS,
  type Version,
} from './installed-versions.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');
/** Migrations, limits, keys, prices, leases, changes, backups, notifications, locks, timeouts. */
const FILES = [
  'test/groups/database-tests.ts',
  ...['database', 'leases', 'schema', 'idle-timeout'].map((name) => `src/store/connection/${name}.test.ts`),
  'src/store/migrations/apply-migrations.test.ts',
  ...['restore', 'write-backup', 'foreign-tables'].map((name) => `src/store/backup/${name}.test.ts`),
  'src/store/maintenance/erase-deleted-rows.test.ts',
  'test/integration/changes.test.ts',
  'test/integration/limits/keys.test.ts',
];
/** `npm test` runs them on the embedded database; only the long form repeats them on a server of its version. */
const TESTED = RUN.length === 'long' ? VERSIONS : VERSIONS.filter((version) => version !== EMBEDDED);
const KEYS = 1_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-versions-'));
let installed: InstalledVersions;
const servers = new Map<Version, PostgresServer>();
before(async () => {
  installed = installVersions();
  for (const version of [TOO_OLD, ...VERSIONS]) {
    const programs = installed.programs(version);
    // With a password, as the cluster of the other tests.
    const access = ['host all all 127.0.0.1/32 scram-sha-256'];
    const server = await PostgresServer.start({ access, ...(programs !== undefined && { programs }) });
    servers.set(version, server);
    const [row] = await server.sql('show server_version_num');
    assert.equal(Math.floor(Number(row?.server_version_num) / 10_000), version);
    await server.sql(`alter role postgres password 'none'`);
  }
});
after(async () => {
  for (const server of servers.values()) await server.end();
  installed.close();
  rmSync(folder, { recursive: true, force: true });
});

const serverOf = (version: Version) => servers.get(version) as PostgresServer;
const pompa = (version: Version, database: string, words: string) =>
  runPompa(folder, words.split(' '), { DATABASE_URL: serverOf(version).url({ database }) });

describe('PostgreSQL', { timeout: 1_200_000 }, () => {
  test(`${TOO_OLD} is refused in one sentence, by serve too`, async () => {
    const refusal =
      /the database postgres on 127\.0\.0\.1:\d+ is PostgreSQL 14; Pompa needs 15 or newer: set DATABASE_URL to such a server/;
    for (const words of ['keys list', 'serve', 'worker --once', 'backup never.backup']) {
      const ended = await pompa(TOO_OLD, 'postgres', words);
      assert.equal(ended.code, 1);
      assert.match(errorSentence(ended), refusal);
    }
    assert.match((await pompa(TOO_OLD, 'postgres', 'doctor')).out, refusal);
  });

  for (const version of TESTED)
    test(`${version} passes the tests of the store`, async () => {
      const { code, out } = await runTests(serverOf(version).url());
      assert.equal(code, 0, out);
    });

  for (const [from, to] of [
    [15, 18],
    [18, 15],
    [16, 17],
  ] as const)
    test(`${to} restores a backup of ${from}, which answers as before`, async () => {
      const [database, other] = [`from_${from}`, `restored_${from}`];
      await serverOf(from).sql(`create database ${database}`);
      await serverOf(to).sql(`create database ${other}`);
      assert.equal((await pompa(from, database, 'migrate')).code, 0);
      const client = new pg.Client(serverOf(from).url({ database }));
      await client.connect();
      await insertKeys(client, KEYS).finally(() => client.end());
      const file = path.join(folder, `${from}.backup`);
      const saved = await pompa(from, database, `backup ${file}`);
      assert.equal(saved.code, 0, saved.err);
      const restored = await pompa(to, other, `restore ${file}`);
      assert.equal(restored.code, 0, restored.err);
      const [before, after] = await Promise.all([pompa(from, database, 'keys list'), pompa(to, other, 'keys list')]);
      assert.equal(before.out.trim().split('\n').length >= KEYS, true);
      assert.equal(after.out, before.out);
    });
});

/** Runs the files as `scripts/test` does, against a server. */
async function runTests(url: string): Promise<{ code: number | null; out: string }> {
  const { NODE_TEST_CONTEXT, NODE_V8_COVERAGE, [RUN_VARIABLE]: settings, TZ, ...env } = process.env;
  const child = spawn(path.join(PROJECT, 'scripts/test'), FILES, {
    ...{ cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...env, POMPA_TEST_DATABASE_URL: url },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, out: `${out.slice(-20_000)}${err}` };
}
