/** Publications are read from a real streaming replica: never an older one than was announced. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { replicaFinding } from '../../src/cli/doctor/replica-checks.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { type Database, openDatabase } from '../../src/store/connection/database.ts';
import type { Schema } from '../../src/store/connection/schema.ts';
import { removeEmbeddedDatabase } from '../../src/store/embedded/remove.ts';
import { attachToDatabase } from '../../src/store/embedded/supervisor-client.ts';
import { migrate } from '../../src/store/migrations/apply-migrations.ts';
import { snapshotCounts } from '../../src/telemetry/snapshot-counts.ts';
import { SnapshotFollower } from '../../src/worker/serving/snapshot-follower.ts';
import { COLLECTION_SETTINGS, collectorFixture, FakeSource } from '../support/collection/collector-fixture.ts';
import { superuserOf } from '../support/database/embedded-database.ts';
import { type StreamingReplica, startReplica } from '../support/database/streaming-replica.ts';
import type { TestDatabase } from '../support/database/test-database.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-replica-'));
const dataDir = path.join(folder, 'data');
const closing: (() => Promise<unknown>)[] = [];
let primary: Database<Schema>;
let readable: Database<Schema>;
let replica: StreamingReplica;
let primaryConnection: Awaited<ReturnType<typeof superuserOf>>;
const source = new FakeSource('register');

before(async () => {
  const attached = await attachToDatabase(dataDir);
  closing.push(attached.close);
  primaryConnection = await superuserOf(dataDir, attached.connection);
  const { host, port, user, password, database } = primaryConnection;
  const log = { info: () => undefined, warn: () => undefined };
  const open = async (databaseUrl: string) => {
    const opened = await openDatabase<Schema>({ databaseUrl, dataDir, log });
    closing.push(() => opened.close());
    return opened;
  };
  primary = await open(`postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`);
  await migrate(primary);
  replica = await startReplica(dataDir, primaryConnection);
  closing.push(() => replica.close());
  readable = await open(replica.urlOf(database));
});
after(async () => {
  for (const close of closing.reverse()) await close();
  await removeEmbeddedDatabase(dataDir);
  await rm(folder, { recursive: true, force: true });
});

/** Publishes a price; resolves with its version. */
async function publish(price: number): Promise<number> {
  source.respondsWith({ R1: { petrol: price } });
  const bench = collectorFixture(primary as TestDatabase, dataDir, [source]);
  return (await bench.run(new Date().toISOString())).version as number;
}

async function follow() {
  const { reads } = snapshotCounts();
  const logged: string[] = [];
  const served: Snapshot[] = [];
  const follower = await SnapshotFollower.start({
    ...{ dataDir: path.join(folder, 'follower'), settings: COLLECTION_SETTINGS, clock: Date.now, reads },
    onSnapshot: (snapshot) => void served.push(snapshot),
    log: { info: (line) => logged.push(line), warn: (line) => logged.push(line) },
  });
  closing.push(() => follower.close());
  follower.useDatabase(primary, () => readable);
  return {
    until: (version: number) => follower.waitForVersion(version),
    logged,
    reads,
    price: () => served.at(-1)?.records[0]?.verdict,
  };
}

describe('a replica', { timeout: 180_000 }, () => {
  test('is read in place of the primary, and has each publication that is announced', async () => {
    const { until, logged, reads, price } = await follow();
    await until(await publish(7_000));
    for (let next = 7_001; next <= 7_020; next += 1) {
      await until(await publish(next));
      assert.equal((price() as { price: number }).price, next);
    }
    assert.deepEqual(logged, [], 'the primary was not needed');
    assert.equal(reads.primary, 0);
    assert.ok(reads.replica >= 21, JSON.stringify(reads));
    const finding = await replicaFinding(primary, readable);
    assert.ok(finding.ok, finding.detail);
  });

  test('that lags, or ends, is passed over: the primary is read', async () => {
    const { until, logged, reads, price } = await follow();
    await until(await publish(7_100));
    assert.equal(reads.primary, 0);
    await replica.pause();
    const version = await publish(7_200);
    await until(version);
    assert.equal((price() as { price: number }).price, 7_200);
    assert.deepEqual(logged, [
      'publications are read from the primary database: the replica at DATABASE_READ_URL is more than 2 s behind',
    ]);
    assert.ok(reads.primary >= 1, JSON.stringify(reads));
    const finding = await replicaFinding(primary, readable);
    assert.match(finding.detail, new RegExp(`^it lags: it has publication ${version - 1} of ${version}, `));
    await replica.resume();
    await until(await publish(7_300));
    assert.equal((price() as { price: number }).price, 7_300);
    assert.match(logged.at(-1) as string, /read from the replica again/);
    await replica.kill();
    await until(await publish(7_400));
    assert.equal((price() as { price: number }).price, 7_400);
  });
});
