/** Connections to a database that sends nothing any more. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { FaultyLink } from '../../../test/support/database/faulty-link.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { timed } from '../../../test/support/stopwatch.ts';
import { migrate } from '../migrations/apply-migrations.ts';
import { type Database, openDatabase } from './database.ts';
import { withIdleTimeout } from './idle-timeout.ts';

const log = { info: () => undefined, warn: () => undefined };
const ONE = { text: 'select 1 as one' };
const SOON_MS = 5_000;
const SOON = { withinMs: SOON_MS };
const unavailable = { name: 'DatabaseUnavailable' };

let server: TestDatabase;
let link: FaultyLink;
let url: string;
let database: Database;

before(async () => {
  server = await testDatabase();
});
after(() => server.drop());
beforeEach(async () => {
  link = new FaultyLink(server.url);
  url = await link.open();
  database = await openDatabase({ databaseUrl: url, dataDir: '', log });
});
afterEach(async () => {
  await link.close();
  await database.close();
});

describe('a query', { timeout: 120_000 }, () => {
  test('that does not reach the server is dropped after its time limit, and the next one gets a new connection', async () => {
    assert.deepEqual(await database.query(ONE, SOON), [{ one: 1 }]);
    link.setFault({ kind: 'hole' });
    await assert.rejects(database.query(ONE, { withinMs: 100 }), unavailable);
    link.setFault({ kind: 'none' });
    assert.deepEqual(await database.query(ONE, SOON), [{ one: 1 }]);
  });

  test('that hangs also drops the idle connections, which would hang as well', async () => {
    const slow = { text: 'select pg_sleep(0.1)' };
    await Promise.all(Array.from({ length: 5 }, () => database.query(slow, SOON)));
    assert.equal(database.pool.idleCount, 5);
    link.setFault({ kind: 'hole' });
    await assert.rejects(database.query(ONE, { withinMs: 100 }), unavailable);
    link.setFault({ kind: 'none' });
    assert.deepEqual(await database.query(ONE, { withinMs: 500 }), [{ one: 1 }]);
  });

  test('includes the wait for a connection in its time limit, and returns a connection that is ready too late', async () => {
    const single = await openDatabase({ databaseUrl: url, dataDir: '', log, connections: 1 });
    const held = await single.pool.connect();
    await assert.rejects(single.query(ONE, { withinMs: 100 }), unavailable);
    held.release();
    assert.deepEqual(await single.query(ONE, SOON), [{ one: 1 }]);
    assert.equal(single.pool.totalCount, 1);
    await single.close();
  });

  test('that a standby refuses is reported as an outage, and drops every connection to it', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => database.pool.connect()));
    for (const client of clients) await client.query('set default_transaction_read_only = on');
    for (const client of clients) client.release();
    assert.equal(database.pool.idleCount, 5);
    const write = { text: 'create table made_after (id int)' };
    await assert.rejects(database.query(write, SOON), { ...unavailable, message: /read-only/ });
    await database.query(write, SOON);
    assert.equal(database.pool.totalCount, 1, 'the others were read-only, too');
  });

  test('of a transaction that a standby refuses is reported as an outage as well', async () => {
    const refused = database.transaction(async (tx) => {
      await sql`set transaction read only`.execute(tx);
      await sql`create table made_on_standby (id int)`.execute(tx);
    }, SOON);
    await assert.rejects(refused, unavailable);
    await assert.rejects(database.pool.query('begin read only; create table no (id int)'));
    await database.query({ text: 'create table made_again (id int)' }, SOON);
  });

  test('during which the server stops, or without a server, is reported as an outage', async () => {
    const end = { text: 'select pg_terminate_backend(pg_backend_pid())' };
    const gone = () => waitFor('the connection to be gone', SOON_MS, () => database.pool.totalCount === 0);
    await assert.rejects(database.query(end, SOON), unavailable);
    await gone();
    assert.deepEqual(await database.query(ONE, SOON), [{ one: 1 }]);
    await link.close();
    await gone();
    await assert.rejects(database.query(ONE, SOON), unavailable);
    link = new FaultyLink(server.url);
    await link.open();
  });

  test('that the server rejects keeps its connection, and a named one is prepared once', async () => {
    await assert.rejects(database.query({ text: 'select 1 / 0' }, SOON), /division by zero/);
    assert.equal(database.pool.totalCount, 1);
    const named = { name: 'double', text: 'select $1::int * 2 as twice', values: [21] };
    assert.deepEqual(await database.query(named, SOON), [{ twice: 42 }]);
    assert.deepEqual(await database.query({ ...named, values: [4] }, SOON), [{ twice: 8 }]);
    const prepared = { text: `select count(*)::int as kept from pg_prepared_statements where name = 'double'` };
    assert.deepEqual(await database.query(prepared, SOON), [{ kept: 1 }]);
  });
});

describe('a statement', { timeout: 120_000 }, () => {
  test('without an answer is dropped, and its transaction stores nothing', async () => {
    await server.pool.query('create table if not exists kept (id int)');
    const attempt = withIdleTimeout(200, () =>
      database.transaction(async (tx) => {
        await sql`insert into kept values (1)`.execute(tx);
        link.setFault({ kind: 'hole' });
        await sql`insert into kept values (2)`.execute(tx);
      }),
    );
    await assert.rejects(attempt, unavailable);
    link.setFault({ kind: 'none' });
    assert.deepEqual((await sql`select id from kept`.execute(database.kysely)).rows, []);
  });

  test('may take long as long as data arrives', async () => {
    const rows = `select repeat('x', 20000), pg_sleep(0.05) from generate_series(1, 30)`;
    const read = await withIdleTimeout(1_000, () => sql.raw(rows).execute(database.kysely));
    assert.equal(read.rows.length, 30);
    const attempt = withIdleTimeout(400, () => sql`select pg_sleep(2)`.execute(database.kysely));
    await assert.rejects(attempt, unavailable);
  });
});

describe('a COPY', { timeout: 120_000 }, () => {
  /** Sends rows slowly, for longer than the idle timeout; calls `half` in the middle. */
  const rows = async function* (half: () => void = () => undefined) {
    for (let count = 0; count < 30; count += 1) {
      if (count === 15) half();
      yield Buffer.from('1\n2\n');
      await sleep(50);
    }
  };
  const copied = async (client: pg.PoolClient, half?: () => void) => {
    await pipeline(Readable.from(rows(half), { objectMode: false }), client.query(copyFrom('copy taken from stdin')));
  };

  test('continues while the server receives data, although it sends nothing, and leaves the connection usable', async () => {
    await server.pool.query('create table taken (id int)');
    const client = await database.pool.connect();
    await withIdleTimeout(1_000, () => copied(client));
    const { rows: received } = await client.query('select count(*)::int as rows from taken, pg_sleep(1.5)');
    assert.equal(received[0].rows, 60);
    client.release();
  });

  test('is dropped when the server receives no more data', async () => {
    const client = await database.pool.connect();
    const attempt = withIdleTimeout(1_000, () => copied(client, () => link.setFault({ kind: 'hole' })));
    await assert.rejects(attempt, unavailable);
    client.release(true);
    assert.throws(() => client.query(copyFrom('copy taken from stdin')), unavailable);
  });
});

describe('a database that is black-holed', { timeout: 120_000 }, () => {
  test('is noticed by its listener, which soon reconnects', async () => {
    const events = new EventTarget();
    const next = (name: string) => once(events, name);
    const emit = (name: string) => () => void events.dispatchEvent(new Event(name));
    const up = next('up');
    database.listen('news', { onNotify: emit('news'), onListening: emit('up'), onConnectionLost: emit('down') });
    await up;
    const down = next('down');
    link.setFault({ kind: 'hole' });
    await down;
    const upAgain = next('up');
    link.setFault({ kind: 'none' });
    await upAgain;
    const news = next('news');
    await server.pool.query('notify news');
    await news;
  });

  test('can be closed, and no connection to it stays open', async () => {
    const up = Promise.withResolvers<void>();
    database.listen('news', { onNotify: () => undefined, onListening: up.resolve });
    await up.promise;
    await database.query(ONE, SOON);
    const closed = once(database.pool, 'remove');
    link.setFault({ kind: 'hole' });
    await database.close();
    await closed;
  });

  test('fails a start within seconds, at whatever step', { timeout: 120_000 }, async () => {
    const starts = () => Promise.all(Array.from({ length: 12 }, (_, index) => startCutOffAt(index + 1)));
    const { ms, result } = await timed(starts);
    assert.deepEqual(new Set(result), new Set(['DatabaseUnavailable']));
    assert.ok(ms < 10_000, `${ms} ms`);
  });
});

/** How a start ends if the link fails for good at a given packet. */
async function startCutOffAt(piece: number): Promise<string> {
  const own = new FaultyLink(server.url);
  const databaseUrl = await own.open();
  let passed = 0;
  const delayMs = () => {
    passed += 1;
    if (passed === piece) own.setFault({ kind: 'hole' });
    return 0;
  };
  own.setFault({ kind: 'slow', delayMs });
  const start = async () => {
    const opened = await openDatabase({ databaseUrl, dataDir: '', log });
    await migrate(opened).finally(() => opened.close());
  };
  const ended = await start().then(
    () => 'started',
    (error: Error) => error.name,
  );
  await own.close();
  return ended;
}

test('a start with no migration to apply does not wait for one that migrates', { timeout: 120_000 }, async () => {
  const other = await server.pool.connect();
  await other.query('begin; select pg_advisory_xact_lock(7066770001)');
  assert.deepEqual(await migrate(database), []);
  await other.query('rollback');
  other.release();
});
