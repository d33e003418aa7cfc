/** A whole service whose database fails: each answer as documented, in time, and all of them as usual soon afterwards. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { type Serving, startServing } from '../../src/app/service.ts';
import { readConfig } from '../../src/config/config.ts';
import { Dependents, type Outside, openOutside } from '../resilience/engine/dependents.ts';
import { fill } from '../support/bench-database.ts';
import { until } from '../support/embedded-database.ts';
import { type Fault, Link } from '../support/faulty-link.ts';
import { giveOutKeys } from '../support/key-fixture.ts';
import { synthesise } from '../support/synthetic-country.ts';
import { type TestDatabase, testDatabase } from '../support/test-database.ts';

const ANSWERED_WITHIN_MS = 2_000;
const RECOVERED_WITHIN_MS = 5_000;
const KEYS = 40;

const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-outage-'));
const stop = new AbortController();
let database: TestDatabase;
let link: Link;
let outside: Outside;
let serving: Serving;
let dependents: Dependents;
let complaints: string[];
before(async () => {
  database = await testDatabase();
  const world = synthesise(60, Date.now());
  await fill(database, world);
  link = new Link(database.url);
  outside = await openOutside();
  const settings = {
    ...outside.settings,
    DATABASE_URL: await link.open(),
    DATA_DIR: folder,
    PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  serving = await startServing({
    config: readConfig(settings, folder),
    log: pino({ level: 'silent' }),
    worker: false,
    simulated: false,
    signal: stop.signal,
  });
  await serving.database;
  dependents = new Dependents({
    keys: await giveOutKeys(database.pool, KEYS),
    station: world.aliases[0]?.station as string,
    answeredWithinMs: ANSWERED_WITHIN_MS,
    complain: (sentence) => complaints.push(sentence),
  });
  complaints = [];
  await dependents.untilAllAnswered(serving.address, 'at first');
});
after(async () => {
  stop.abort();
  await serving.close();
  await link.close();
  await outside.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const slow = (delayMs: number): Fault => ({ kind: 'slow', delayMs: () => delayMs });
const FAULTS: readonly [string, () => void][] = [
  ['resets every connection', () => link.reset()],
  ['is in a black hole', () => link.fail({ kind: 'hole' })],
  ['takes 0.25 s each way', () => link.fail(slow(250))],
  ['takes 0.8 s each way', () => link.fail(slow(800))],
];

describe('while the database', () => {
  for (const [what, begin] of FAULTS) {
    test(`${what}: whoever asks is answered within 2 s as documented, and 5 s after it as usual`, async () => {
      complaints = [];
      begin();
      await dependents.ask(serving.address, what);
      link.fail({ kind: 'none' });
      const ms = await dependents.untilAllAnswered(serving.address, 'afterwards');
      assert.deepEqual(complaints, []);
      assert.ok(ms < RECOVERED_WITHIN_MS, `as usual after ${ms} ms`);
    });
  }

  test('is in a black hole for longer: no connection is kept for what was asked meanwhile', async () => {
    complaints = [];
    link.fail({ kind: 'hole' });
    await dependents.ask(serving.address, 'at once');
    await dependents.ask(serving.address, 'later');
    link.fail({ kind: 'none' });
    const pool = (await serving.database)?.pool;
    await until('the connections', RECOVERED_WITHIN_MS, () => pool?.totalCount === pool?.idleCount);
    await dependents.untilAllAnswered(serving.address, 'afterwards');
    assert.deepEqual(complaints, []);
  });
});
