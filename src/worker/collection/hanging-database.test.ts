/** A database that stops answering without closing a connection. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  aCollectOrder,
  at,
  COLLECTION_SETTINGS,
  setUpCollector,
} from '../../../test/support/collection/collector-fixture.ts';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { FaultyLink } from '../../../test/support/database/faulty-link.ts';
import { openDatabase } from '../../store/connection/database.ts';
import { takeLease } from '../../store/connection/leases.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { SnapshotFollower } from '../serving/snapshot-follower.ts';
import { COLLECT_LEASE, collect } from './collect.ts';

const MORNING = '2026-11-20T08:00:00Z';
const WAIT_MS = 20_000;
const silent = { info: () => undefined, warn: () => undefined };

const { database, dataDir, fakeSource, bench } = setUpCollector();
let link: FaultyLink;

beforeEach(() => {
  fakeSource.respondsWith({ R1: { petrol: 7_000 } });
  link = new FaultyLink(database.url);
});
afterEach(() => link.close());

/** The database behind a link that can fail. */
async function far() {
  return openDatabase<Schema>({ databaseUrl: await link.open(), dataDir: '', log: silent });
}

/** The server processes that wait in a statement containing this text. */
async function waiting(words: string): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and position(${words} in query) > 0 and pid <> pg_backend_pid()`.execute(database.kysely);
  return rows.map(({ pid }) => pid);
}

describe('a database that hangs', { timeout: 120_000 }, () => {
  for (const [table, before] of [
    ['packed_facts', sql`select`],
    ['price_facts', sql`delete from packed_facts`],
  ] as const) {
    test(`while ${table} are read is abandoned by the reader, which retries until it has them`, async () => {
      await bench.run(MORNING);
      await before.execute(database.kysely);
      const own = await far();
      const logged: string[] = [];
      const log = { info: () => undefined, warn: (message: string) => logged.push(message) };
      const clock = () => at(MORNING);
      const follower = await SnapshotFollower.start({
        dataDir,
        settings: COLLECTION_SETTINGS,
        clock,
        onSnapshot: () => undefined,
        log,
      });
      const brake = await database.pool.connect();
      await brake.query(`begin; lock table ${table} in access exclusive mode`);
      follower.useDatabase(own);
      await waitFor('the first read to be abandoned', WAIT_MS, () => logged.length > 0);
      await brake.query('rollback');
      brake.release();
      await follower.waitForVersion(1);
      assert.match(logged.join(), /^publications cannot be read: the database sent nothing for 3 s/);
      await follower.close();
      await own.close();
    });
  }

  test('during a publication frees the lease for others when it expires', async () => {
    const own = await far();
    const brake = await database.pool.connect();
    await brake.query('begin; lock table runs in access exclusive mode');
    bench.clock.now = at(MORNING);
    const collector = { ...bench.collector, database: { ...database, ...own }, leaseMs: 300 };
    const cutOff = assert.rejects(collect(collector, aCollectOrder()));
    const [publishing] = await waitFor('a publication', WAIT_MS, async () => {
      const pids = await waiting('runs');
      return pids.length > 0 ? pids : undefined;
    });
    link.setFault({ kind: 'hole' });
    await sql`select pg_terminate_backend(${publishing})`.execute(database.kysely);
    await brake.query('rollback');
    brake.release();
    link.setFault({ kind: 'none' });
    await waitFor('the lease', WAIT_MS, () => takeLease(database.kysely, COLLECT_LEASE, 'another', 1_000));
    link.reset();
    await cutOff;
    await own.close();
  });
});
