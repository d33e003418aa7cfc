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

/** A process that has just started: its limits, and the database that is about to come. */
function startProcess(t: TestContext) {
  const addressHash = new AddressHash();
  const late = new LateDatabase((opened) => addressHash.readKey(opened));
  t.after(() => late.close());
  return { late, limits: rateLimits(late.connection, addressHash) };
}

describe('a process that has just started', () => {
  test('leaves what visitors may have to the database that is about to come', async (t) => {
    const visitor = { client: '192.0.2.1', endpoint: '/api/v1/retele' };
    const running = await rateLimitsOn(database);
    const { late, limits: started } = startProcess(t);
    const early = started.weekly.take(visitor);
    assert.equal((await running.weekly.take(visitor)).accepted, true);
    await late.open(database);
    assert.equal((await early).accepted, false);
  });

  test('decides alone as soon as the database is known to be away', async (t) => {
    const visitor = { client: '192.0.2.2', endpoint: '/api/v1/retele' };
    const { late, limits: started } = startProcess(t);
    const early = [started.weekly.take(visitor), started.weekly.take(visitor)];
    await late.fail();
    const accepted = await Promise.all(early.map(async (welcome) => (await welcome).accepted));
    assert.deepEqual(accepted, [true, false]);
    assert.equal((await started.weekly.take(visitor)).accepted, false);
  });

  test('decides alone over whoever has waited long enough for a database that does not come', async (t) => {
    const visitor = { client: '192.0.2.3', endpoint: '/api/v1/retele' };
    const { limits: started } = startProcess(t);
    const { ms, result } = await timed(() => started.weekly.take(visitor));
    assert.equal(result.accepted, true);
    assert.ok(ms < 2_000, `${ms} ms`);
    assert.equal((await started.weekly.take(visitor)).accepted, false);
  });

  test('soon tries anew when the database falls silent just as it comes', async (t) => {
    const gate = await DatabaseProxy.inFrontOf(database.url);
    t.after(() => gate.close());
    const log = { info: () => undefined, warn: () => undefined };
    const through = await openDatabase({ databaseUrl: gate.url, dataDir: '', log });
    t.after(() => through.close());
    gate.hang();
    const { ms } = await timed(() => assert.rejects(new AddressHash().readKey(through), DatabaseUnavailable));
    assert.ok(ms < 5_000, `${ms} ms`);
  });
});
