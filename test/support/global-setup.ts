/** Before all tests: starts one PostgreSQL for the whole run in its own folder. After them: removes it. */
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Connection } from '../../src/store/embedded/client-sockets.ts';
import { removeEmbeddedDatabase } from '../../src/store/embedded/remove.ts';
import { type Attachment, attachToDatabase } from '../../src/store/embedded/supervisor-client.ts';
import { homeOf, superuserOf } from './database/embedded-database.ts';
import { memoryFolder } from './memory-folder.ts';

/** `memory`: the folder of its databases and of what tests write, if they are not on disk. */
let cluster: { dataDir: string; attachment: Attachment; memory?: string } | undefined;

/** Starts the cluster, unless the caller names one (any PostgreSQL 15 or newer) in POMPA_TEST_DATABASE_URL. */
export async function globalSetup(): Promise<void> {
  if (process.env.POMPA_TEST_DATABASE_URL !== undefined) return;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-test-'));
  const attachment = await attachToDatabase(dataDir);
  cluster = { dataDir, attachment };
  // Tests create and drop databases of their own.
  const superuser = await superuserOf(dataDir, attachment.connection);
  await disableDurability(superuser);
  const memory = memoryFolder();
  if (memory !== undefined) {
    cluster.memory = mkdtempSync(path.join(memory, 'pompa-test-'));
    const { uid, gid } = statSync(await homeOf(dataDir));
    const databases = path.join(cluster.memory, 'databases');
    mkdirSync(databases);
    for (const folder of [cluster.memory, databases]) chownSync(folder, uid, gid);
    await keepDatabasesIn(superuser, databases);
    process.env.TMPDIR = cluster.memory;
  }
  const { host, port, user, password, database } = superuser;
  process.env.POMPA_TEST_DATABASE_URL = `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** No test needs this cluster to survive a crash of the machine, and waiting for the disk takes a third of the time. */
async function disableDurability(connection: Connection): Promise<void> {
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes'];
  await run(connection, [...settings.map((name) => `alter system set ${name} = off`), 'select pg_reload_conf()']);
}

/** Has all databases that are created from now on in a folder. */
async function keepDatabasesIn(connection: Connection, folder: string): Promise<void> {
  await run(connection, [
    `create tablespace memory location '${folder}'`,
    'alter database template1 set tablespace memory',
  ]);
}

async function run(connection: Connection, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Stops it and deletes all its folders. */
export async function globalTeardown(): Promise<void> {
  if (cluster === undefined) return;
  await cluster.attachment.close();
  await removeEmbeddedDatabase(cluster.dataDir);
  for (const folder of [cluster.dataDir, cluster.memory ?? []].flat()) rmSync(folder, { recursive: true, force: true });
}
