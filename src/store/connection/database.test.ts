import assert from 'node:assert/strict';
import { type EventEmitter, once } from 'node:events';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { openDatabase } from './database.ts';
import type { NotificationHandlers } from './listen.ts';

const log = { info: () => undefined, warn: () => undefined };
const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '', log });

/** Handlers with `next('up')`, `next('down')`, `next('notify')`, which resolve with the next such event's payload. */
function recordingHandlers() {
  const events = new EventTarget();
  const emit = (type: string, detail = '') => void events.dispatchEvent(new CustomEvent(type, { detail }));
  const next = async (type: string) => ((await once(events, type))[0] as CustomEvent<string>).detail;
  const handlers: NotificationHandlers = {
    onNotify: (payload) => emit('notify', payload),
    onListening: () => emit('up'),
    onConnectionLost: () => emit('down'),
  };
  return { handlers, next };
}

describe('a database', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  test('reads bigint as number, instants as epoch milliseconds, days as text, alone and in arrays', async () => {
    const { rows } = await database.pool.query(`select
      9007199254740991::bigint as n, '2026-11-21 01:02:03.004+02'::timestamptz as t, '2026-10-25'::date as d,
      array[1, null]::bigint[] as ns, array['2026-11-21 01:02:03.004+02', null]::timestamptz[] as ts,
      array['2026-10-25', null]::date[] as ds, '{}'::date[] as none, null::timestamptz as missing`);
    const at = Date.UTC(2026, 10, 20, 23, 2, 3, 4);
    assert.deepEqual(rows[0], {
      n: 9007199254740991,
      t: at,
      d: '2026-10-25',
      ns: [1, null],
      ts: [at, null],
      ds: ['2026-10-25', null],
      none: [],
      missing: null,
    });
  });

  test('sets the time zone UTC and a statement timeout in every session', async () => {
    const { rows } =
      await sql`select current_setting('timezone') as zone, current_setting('statement_timeout') as most`.execute(
        database.kysely,
      );
    assert.deepEqual(rows, [{ zone: 'UTC', most: '15s' }]);
  });

  test('stores nothing of a transaction that throws', async () => {
    await database.pool.query('create table kept (id int)');
    const attempt = database.transaction(async (trx) => {
      await sql`insert into kept values (1)`.execute(trx);
      throw new Error('no');
    });
    await assert.rejects(attempt, /^Error: no$/);
    assert.equal((await database.pool.query('select from kept')).rowCount, 0);
  });

  test('answers through its reserved connections while others hold all shared ones', async () => {
    const other = await open(database.url);
    const held = await Promise.all(Array.from({ length: 10 }, () => other.pool.connect()));
    await assert.rejects(other.query({ text: 'select' }, { withinMs: 100 }), { name: 'DatabaseUnavailable' });
    const rows = await other.reserved.query<{ one: number }>({ text: 'select 1 as one' }, { withinMs: 10_000 });
    assert.deepEqual(rows, [{ one: 1 }]);
    for (const client of held) client.release();
    await other.close();
  });

  test('survives connections that the server ends: the next query gets a new one', async () => {
    const { url } = database;
    const other = await open(url);
    const ended = new Promise((resolve) => other.pool.once('remove', resolve));
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await ended;
    assert.equal((await other.pool.query('select 1 as one')).rows[0].one, 1);
    await other.close();
  });

  test('fails only the transaction whose connection the server ends between two statements', async () => {
    const other = await open(database.url);
    const held = new Promise<EventEmitter>((resolve) => other.pool.once('acquire', resolve));
    const attempt = other.transaction(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      const client = await held;
      const ended = new Promise((resolve) => client.once('end', resolve));
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await ended;
      await sql`select 1`.execute(trx);
    });
    await assert.rejects(attempt, /the connection to the database was lost: terminating connection/);
    assert.equal((await other.pool.query('select 1 as one')).rows[0].one, 1);
    await other.close();
  });

  test('passes notifications to a listener, reports a lost connection, and reconnects', async () => {
    const { handlers, next } = recordingHandlers();
    const up = next('up');
    const listener = database.listen('Some channel', handlers);
    await up;
    const notified = next('notify');
    await database.pool.query(`select pg_notify('Some channel', 'first')`);
    assert.equal(await notified, 'first');

    const [down, upAgain] = [next('down'), next('up')];
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`,
    );
    await down;
    await upAgain;
    const notifiedAgain = next('notify');
    await database.pool.query(`select pg_notify('Some channel', 'second')`);
    assert.equal(await notifiedAgain, 'second');
    await listener.close();
  });
});

describe('DATABASE_URL', () => {
  const password = 'Geheimnis1';

  for (const [name, url] of [
    ['of another kind', `mysql://u:${password}@host/db`],
    ['without a scheme', `u:${password}@host/db`],
    ['that cannot be parsed', `postgres://u:${password}@host:port/db`],
    ['that is empty', ''],
  ] as const) {
    test(`${name} is refused with a message that names it, never its password`, async () => {
      await assert.rejects(open(url), (error: Error) => {
        assert.equal(error.name, 'DatabaseMisconfigured');
        assert.match(error.message, /^DATABASE_URL .* a good value is postgres:/);
        assert.doesNotMatch(JSON.stringify([error.message, error.stack, error]), new RegExp(password));
        return true;
      });
    });
  }

  test('of a server that is down or hangs is unavailable, so that the caller may try again', async (t) => {
    const silentServer = net.createServer(() => undefined).listen(0, '127.0.0.1');
    t.after(() => silentServer.close());
    await once(silentServer, 'listening');
    const { port } = silentServer.address() as net.AddressInfo;
    const unavailable = (reason: RegExp) => (error: Error) => {
      assert.equal(error.name, 'DatabaseUnavailable');
      assert.match(error.message, reason);
      assert.doesNotMatch(error.message, new RegExp(password));
      return true;
    };
    await assert.rejects(
      open(`postgres://u:${password}@127.0.0.1:${port}/db`),
      unavailable(/db on 127\.0\.0\.1:\d+ .*time/),
    );
    await assert.rejects(open(`postgres://u:${password}@127.0.0.1:1/db`), unavailable(/ECONNREFUSED/));
    await assert.rejects(open(`postgres://u:${password}@localhost:1/db`), unavailable(/ECONNREFUSED/));
    await assert.rejects(open(`postgres://u:${password}@nowhere.invalid/db`), unavailable(/nowhere\.invalid/));
  });

  test('may name a socket folder as the host or in the query', async () => {
    const database = await testDatabase();
    const { username, password: secret, hostname, port, pathname } = new URL(database.url);
    const inQuery = `postgres://${username}:${secret}@${pathname}?host=${hostname}&port=${port}`;
    const other = await open(inQuery);
    assert.equal((await other.pool.query('select 1 as one')).rows[0].one, 1);
    await other.close();
    await database.drop();
  });
});
