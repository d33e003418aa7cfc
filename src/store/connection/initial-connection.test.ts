import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LateDatabase } from '../../../test/support/database/late-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { DatabaseMisconfigured, DatabaseUnavailable } from '../database-errors.ts';
import type { Database } from './database.ts';
import { InitialConnection } from './initial-connection.ts';

const ONE = { text: 'select 1 as one' };
const LIMIT = { withinMs: 5_000 };
const silentLog = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

describe('a connection to a database that is not available yet', () => {
  test('is connecting, and a caller that cannot wait longer continues without it', async (t) => {
    const late = new LateDatabase();
    t.after(() => late.close());
    assert.equal(late.connection.state, 'connecting');
    assert.equal(await late.connection.whenReady(10), false);
    await assert.rejects(late.connection.query(ONE, LIMIT), DatabaseUnavailable);
    await assert.rejects(
      late.connection.transaction(async () => 1),
      DatabaseUnavailable,
    );
  });

  test('is still connecting after one failed attempt', async (t) => {
    const late = new LateDatabase();
    t.after(() => late.close());
    await late.failOnce();
    assert.equal(late.connection.state, 'connecting');
    await late.open(database);
    assert.equal(late.connection.state, 'ready');
  });

  for (const [tookMs, told] of [
    [4_999, 'info'],
    [5_000, 'warn'],
  ] as const)
    test(`tells ${told} when its first attempt fails after ${tookMs} ms, and ends when it is stopped then`, async (t) => {
      const stop = new AbortController();
      let now = 0;
      t.mock.method(performance, 'now', () => now);
      const open = () => {
        now += tookMs;
        return Promise.reject(new DatabaseUnavailable('connection refused'));
      };
      const lines: string[] = [];
      const tell = (level: string) => () => {
        lines.push(level);
        stop.abort();
      };
      const log = { info: tell('info'), warn: tell('warn') };
      const connection = new InitialConnection({ open, prepare: async () => undefined, log, signal: stop.signal });
      assert.equal(await connection.connect(), null);
      assert.deepEqual([lines, connection.state], [[told], 'unavailable']);
    });

  test('is unavailable after two failed attempts, and ready after a later one', async (t) => {
    const late = new LateDatabase();
    t.after(() => late.close());
    const waiting = late.connection.whenReady();
    let starts = 0;
    late.connection.onReady(() => {
      starts += 1;
    });
    await late.fail();
    assert.deepEqual([late.connection.state, await waiting, starts], ['unavailable', false, 0]);
    await late.open(database);
    assert.deepEqual([late.connection.state, await late.connection.whenReady(), starts], ['ready', true, 1]);
    assert.deepEqual(await late.connection.query(ONE, LIMIT), [{ one: 1 }]);
  });

  test('listens on a channel once it is ready', async (t) => {
    const late = new LateDatabase();
    t.after(() => late.close());
    const payload = Promise.withResolvers<string>();
    const listening = Promise.withResolvers<void>();
    const listener = late.connection.listen('late', { onNotify: payload.resolve, onListening: listening.resolve });
    await late.open(database);
    await listening.promise;
    await database.pool.query(`select pg_notify('late', 'heard')`);
    assert.equal(await payload.promise, 'heard');
    await listener.close();
  });

  test('fails if preparing it fails, and closes the database', async (t) => {
    const closed = Promise.withResolvers<void>();
    const late = new LateDatabase(() => Promise.reject(new Error('unreadable')));
    t.after(() => late.close());
    const opened: Database = { ...database, close: async () => closed.resolve() };
    void late.open(opened);
    assert.equal(await late.connection.whenReady(), false);
    await closed.promise;
  });

  test('does not retry when an operator must act', async () => {
    const open = () => Promise.reject(new DatabaseMisconfigured('DATABASE_URL is wrong'));
    const signal = new AbortController().signal;
    const connection = new InitialConnection({ open, prepare: async () => undefined, log: silentLog, signal });
    await assert.rejects(connection.connect(), DatabaseMisconfigured);
    assert.equal(connection.state, 'unavailable');
  });

  test('ends its attempts when it is stopped', async () => {
    const late = new LateDatabase();
    const waiting = late.connection.whenReady();
    late.close();
    assert.equal(await waiting, false);
  });
});
