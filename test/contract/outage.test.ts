/** A complete service whose database fails: every answer is as documented and in time, and everything soon recovers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import type { RunningService } from '../../src/app/service.ts';
import { startService } from '../../src/app/start-service.ts';
import { readConfig } from '../../src/config/config.ts';
import { Dependents, type ExternalServices, startExternalServices } from '../resilience/engine/dependents.ts';
import { insertKeys } from '../support/builders/key-fixture.ts';
import { syntheticCountry } from '../support/builders/synthetic-country.ts';
import { seedDatabase } from '../support/database/bench-database.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { FaultyLink, type LinkFault } from '../support/database/faulty-link.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';

const ANSWERED_WITHIN_MS = 2_000;
const RECOVERED_WITHIN_MS = 5_000;
const KEYS = 40;

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-outage-'));
const stop = new AbortController();
let database: TestDatabase;
let faultyLink: FaultyLink;
let externalServices: ExternalServices;
let serving: RunningService;
let dependents: Dependents;
let complaints: string[];
before(async () => {
  database = await testDatabase();
  const world = syntheticCountry(60, Date.now());
  await seedDatabase(database, world);
  faultyLink = new FaultyLink(database.url);
  externalServices = await startExternalServices();
  const settings = {
    ...externalServices.settings,
    DATABASE_URL: await faultyLink.open(),
    DATA_DIR: folder,
    PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  serving = await startService({
    config: readConfig(settings, folder),
    log: pino({ level: 'silent' }),
    worker: false,
    simulated: false,
    signal: stop.signal,
  });
  await serving.database;
  dependents = new Dependents({
    keys: await insertKeys(database.pool, KEYS),
    station: world.sourceStations[0]?.station as string,
    answeredWithinMs: ANSWERED_WITHIN_MS,
    onViolation: (sentence) => complaints.push(sentence),
  });
  complaints = [];
  await dependents.untilAllAnswered(serving.address, 'at first');
});
after(async () => {
  stop.abort();
  await serving.close();
  await faultyLink.close();
  await externalServices.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const slow = (delayMs: number): LinkFault => ({ kind: 'slow', delayMs: () => delayMs });
const FAULTS: readonly [string, () => void][] = [
  ['resets every connection', () => faultyLink.reset()],
  ['is in a black hole', () => faultyLink.setFault({ kind: 'hole' })],
  ['takes 0.25 s each way', () => faultyLink.setFault(slow(250))],
  ['takes 0.8 s each way', () => faultyLink.setFault(slow(800))],
];

/** Makes new connections those of a standby, whose statements that write are refused, or of a primary again. */
async function setReadOnly(readOnly: boolean): Promise<void> {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('set default_transaction_read_only = off');
  const name = new URL(database.url).pathname.slice(1);
  await client.query(`alter database ${name} set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`);
  await client.end();
}

describe('while the database', () => {
  for (const [what, begin] of FAULTS) {
    test(`${what}: every request is answered within 2 s as documented, and normally 5 s after the outage`, async () => {
      complaints = [];
      begin();
      await dependents.ask(serving.address, what);
      faultyLink.setFault({ kind: 'none' });
      const ms = await dependents.untilAllAnswered(serving.address, 'afterwards');
      assert.deepEqual(complaints, []);
      assert.ok(ms < RECOVERED_WITHIN_MS, `recovered after ${ms} ms`);
    });
  }

  test('became a standby: every request is answered within 2 s as documented, and normally once a primary answers', async () => {
    complaints = [];
    await setReadOnly(true);
    faultyLink.reset();
    await dependents.ask(serving.address, 'a standby');
    await dependents.ask(serving.address, 'a standby, later');
    // Connections to it stay open, as those of a proxy do: they must be given up without a reset.
    await setReadOnly(false);
    const ms = await dependents.untilAllAnswered(serving.address, 'afterwards');
    assert.deepEqual(complaints, []);
    assert.ok(ms < RECOVERED_WITHIN_MS, `recovered after ${ms} ms`);
  });

  test('is in a black hole for longer: requests answered meanwhile keep no connection', async () => {
    complaints = [];
    faultyLink.setFault({ kind: 'hole' });
    await dependents.ask(serving.address, 'at once');
    await dependents.ask(serving.address, 'later');
    faultyLink.setFault({ kind: 'none' });
    const pool = (await serving.database)?.pool;
    await waitFor('the connections', RECOVERED_WITHIN_MS, () => pool?.totalCount === pool?.idleCount);
    await dependents.untilAllAnswered(serving.address, 'afterwards');
    assert.deepEqual(complaints, []);
  });
});
