/** Before all tests: one PostgreSQL for the whole run, in a folder of its own. After them: nothing is left of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { removeEmbeddedDatabase } from '../../src/store/embedded/remove.ts';
import { type Attachment, attachToDatabase } from '../../src/store/embedded/supervisor-client.ts';

let cluster: { dataDir: string; attachment: Attachment } | undefined;

/** Starts the cluster, unless the caller names one (any PostgreSQL 15 or newer) in POMPA_TEST_DATABASE_URL. */
export async function globalSetup(): Promise<void> {
  if (process.env.POMPA_TEST_DATABASE_URL !== undefined) return;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'pompa-test-'));
  const attachment = await attachToDatabase(dataDir);
  cluster = { dataDir, attachment };
  const { host, port, user, password, database } = attachment.connection;
  process.env.POMPA_TEST_DATABASE_URL = `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** Ends it and deletes every folder of it. */
export async function globalTeardown(): Promise<void> {
  if (cluster === undefined) return;
  await cluster.attachment.close();
  await removeEmbeddedDatabase(cluster.dataDir);
  rmSync(cluster.dataDir, { recursive: true, force: true });
}
