import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { DatabaseProxy } from '../../../test/support/database/database-proxy.ts';
import { LateDatabase } from '../../../test/support/database/late-database.ts';
import { rateLimits, rateLimitsOn } from '../../../test/support/database/rate-limits.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { timed } from '../../../test/support/stopwatch.ts';
import { openDatabase } from '../connection/database.ts';
import { DatabaseUnavailable } from '../database-errors.ts';
import { AddressHash } from './address-hash.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

/** A process that has just started: its limits, and a database that is not open yet. */
function startProcess(t: TestContext) {
  const addressHash = new AddressHash();
  const late = new LateDatabase((opened) => addressHash.readKeys(opened));
  t.after(() => late.close());
  return { late, limits: rateLimits(late.connection, addressHash) };
}

describe('a process that has just started', () => {
  test('waits for the database and leaves the decision to it', async (t) => {
    const request = { client: '192.0.2.1', endpoint: '/api/v1/retele' };
    const running = await rateLimitsOn(database);
    const { late, limits: started } = startProcess(t);
    const early = started.weekly.tryTake(request);
    assert.equal((await running.weekly.tryTake(request)).accepted, true);
    await late.open(database);
    assert.equal((await early).accepted, false);
  });

  test('keeps waiting after one failed attempt, which on a busy machine is only late', async (t) => {
    const request = { client: '192.0.2.4', endpoint: '/api/v1/retele' };
    const running = await rateLimitsOn(database);
    const { late, limits: started } = startProcess(t);
    const before = started.weekly.tryTake(request);
    await late.failOnce();
    const after = started.weekly.tryTake(request);
    assert.equal((await running.weekly.tryTake(request)).accepted, true);
    await late.open(database);
    assert.deepEqual([(await before).accepted, (await after).accepted], [false, false]);
  });

  test('decides alone as soon as it knows that the database is unavailable', async (t) => {
    const request = { client: '192.0.2.2', endpoint: '/api/v1/retele' };
    const { late, limits: started } = startProcess(t);
    const early = [started.weekly.tryTake(request), started.weekly.tryTake(request)];
    await late.fail();
    const accepted = await Promise.all(early.map(async (decision) => (await decision).accepted));
    assert.deepEqual(accepted, [true, false]);
    assert.equal((await started.weekly.tryTake(request)).accepted, false);
  });

  test('decides alone once a request has waited long enough for the database', async (t) => {
    const request = { client: '192.0.2.3', endpoint: '/api/v1/retele' };
    const { limits: started } = startProcess(t);
    const { ms, result } = await timed(() => started.weekly.tryTake(request));
    assert.equal(result.accepted, true);
    assert.ok(ms < 2_000, `${ms} ms`);
    assert.equal((await started.weekly.tryTake(request)).accepted, false);
  });

  test('gives up soon on a database that hangs as soon as it is open', async (t) => {
    const proxy = await DatabaseProxy.inFrontOf(database.url);
    t.after(() => proxy.close());
    const log = { info: () => undefined, warn: () => undefined };
    const through = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log });
    t.after(() => through.close());
    proxy.hang();
    const { ms } = await timed(() => assert.rejects(new AddressHash().readKeys(through), DatabaseUnavailable));
    assert.ok(ms < 5_000, `${ms} ms`);
  });
});
