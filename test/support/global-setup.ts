/** Before all tests: starts one PostgreSQL for the whole run in its own folder. After them: removes it. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Connection } from '../../src/store/embedded/client-sockets.ts';
import { removeEmbeddedDatabase } from '../../src/store/embedded/remove.ts';
import { type Attachment, attachToDatabase } from '../../src/store/embedded/supervisor-client.ts';
import { superuserOf } from './database/embedded-database.ts';

let cluster: { dataDir: string; attachment: Attachment } | undefined;

/** Starts the cluster, unless the caller names one (any PostgreSQL 15 or newer) in POMPA_TEST_DATABASE_URL. */
export async function globalSetup(): Promise<void> {
  if (process.env.POMPA_TEST_DATABASE_URL !== undefined) return;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-test-'));
  const attachment = await attachToDatabase(dataDir);
  cluster = { dataDir, attachment };
  // Tests create and drop databases of their own.
  const superuser = await superuserOf(dataDir, attachment.connection);
  await disableDurability(superuser);
  const { host, port, user, password, database } = superuser;
  process.env.POMPA_TEST_DATABASE_URL = `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** No test needs this cluster to survive a crash of the machine, and waiting for the disk takes a third of the time. */
async function disableDurability(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** Stops it and deletes all its folders. */
export async function globalTeardown(): Promise<void> {
  if (cluster === undefined) return;
  await cluster.attachment.close();
  await removeEmbeddedDatabase(cluster.dataDir);
  rmSync(cluster.dataDir, { recursive: true, force: true });
}
