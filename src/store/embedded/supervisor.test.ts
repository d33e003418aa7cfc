/** The embedded database seen from outside: real processes, killed in every way. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import {
  homeOf,
  query,
  scratch,
  sigkill,
  superuserOf,
  supervisorLog,
  supervisorPid,
  waitFor,
} from '../../../test/support/database/embedded-database.ts';
import { openDatabase } from '../connection/database.ts';
import { databaseUser } from './database-user.ts';
import { runningPostmaster } from './postmaster.ts';
import { removeEmbeddedDatabase } from './remove.ts';
import { attachToDatabase } from './supervisor-client.ts';

const serverOf = (home: string) => runningPostmaster(path.join(home, 'data'))?.pid;
const isQuiet = async (home: string) => serverOf(home) === undefined && (await supervisorPid(home)) === undefined;
const count = (text: string, part: RegExp) => text.match(new RegExp(part, 'g'))?.length ?? 0;

/** Waits for the supervisor; the test is connected to it only for a moment. */
const untilSupervisorRuns = (home: string) => waitFor('a supervisor', 5000, () => supervisorPid(home));
const untilServerRuns = (home: string) => waitFor('a server', 5000, () => serverOf(home));

describe('the embedded database', { concurrency: 6 }, () => {
  test('starts from nothing: below a 0700 folder, on a socket only, with a password, with the same settings everywhere', async (t) => {
    const { folder, user: use } = scratch(t);
    const dataDir = path.join(folder, 'not', 'yet', 'there');
    chmodSync(folder, 0o700);
    const user = await use(dataDir);
    const home = await homeOf(dataDir);
    const [row] = await query(
      await superuserOf(dataDir, user.connection),
      `select current_user as who, current_database() as db, current_setting('listen_addresses') as network,
        current_setting('synchronous_commit') as sync, current_setting('fsync') as fsync, current_setting('timezone') as zone,
        (select string_agg(distinct auth_method, ',') from pg_hba_file_rules) as auth,
        (select datlocprovider::text || ' ' || datlocale || ' ' || pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as locale,
        'ă' < 'b' as by_alphabet, upper('ș') as upper`,
    );
    assert.deepEqual(row, {
      who: 'pompa',
      db: 'pompa',
      network: '',
      sync: 'on',
      fsync: 'on',
      zone: 'UTC',
      auth: 'scram-sha-256',
      locale: 'b C.UTF-8 UTF8',
      by_alphabet: false,
      upper: 'Ș',
    });
    const database = await openDatabase({ dataDir, log: { info: () => undefined, warn: () => undefined } });
    assert.equal((await database.pool.query('select 1 as one')).rows[0].one, 1);
    await database.close();
    await assert.rejects(query({ ...user.connection, password: 'x' }, 'select'), /password authentication failed/);
    assert.equal(statSync(path.join(home, 'password')).mode & 0o777, 0o600);
    for (const part of ['.', 'data', 'run']) assert.equal(statSync(path.join(home, part)).mode & 0o777, 0o700, part);
    await user.kill();
  });

  test('has one supervisor for clients that start together, and ends within 10 seconds when all are killed', async (t) => {
    const { folder, user: use } = scratch(t);
    const users = await Promise.all([use(folder), use(folder), use(folder)]);
    const home = await homeOf(folder);
    assert.equal(count(supervisorLog(home), / supervising/), 1);
    const [first, ...others] = users;
    await first?.kill();
    await query(users[1]?.connection as never, 'select');
    await Promise.all(others.map((user) => user.kill()));
    await waitFor('the end of supervisor and server', 10_000, () => isQuiet(home));
    await waitFor('a clean end', 1000, () => supervisorLog(home).includes(' ended'));
  });

  test('starts one supervisor for attachments of one process that begin together', async (t) => {
    const folder = realpathSync(scratch(t).folder);
    const children: ChildProcess[] = [];
    const keep = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
    subscribe('child_process', keep);
    try {
      const attachments = await Promise.all([attachToDatabase(folder), attachToDatabase(folder)]);
      await Promise.all(attachments.map((attachment) => attachment.close()));
      assert.equal(children.filter(({ spawnargs }) => spawnargs.includes(folder)).length, 1);
    } finally {
      unsubscribe('child_process', keep);
      await removeEmbeddedDatabase(folder);
    }
  });

  test('gives the application a role that owns its database and can reach nothing else', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const home = await homeOf(folder);
    const [role] = await query(
      user.connection,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
    );
    assert.deepEqual(Object.values(role ?? {}), ['application', false, false, false, false, false]);
    await query(user.connection, 'create schema mine; create table mine.t (id serial); create table t (id serial)');
    for (const [statement, refusal] of [
      ["copy t from program 'id'", /permission denied to COPY/],
      [`copy t from '${home}/password'`, /permission denied to COPY/],
      [`select pg_read_file('${home}/password')`, /permission denied for function/],
      ["select lo_import('/etc/passwd')", /permission denied for function/],
      ["alter system set archive_command = 'id'", /permission denied to set parameter/],
      ['create role other', /permission denied to create role/],
      ['create database other', /permission denied to create database/],
      ['set role pompa', /permission denied to set role/],
      ['alter role application superuser', /permission denied to alter role/],
      ['select rolpassword from pg_authid', /permission denied for table/],
    ] as const) {
      await assert.rejects(query(user.connection, statement), refusal, statement);
    }
    await assert.rejects(
      query({ ...user.connection, database: 'postgres' }, 'select'),
      /permission denied for database/,
    );
    assert.equal(statSync(path.join(home, 'application-password')).mode & 0o777, 0o600);
    if (process.getuid?.() === 0) {
      const server = (await untilServerRuns(home)).toString();
      assert.deepEqual([statSync(home).uid, statSync(`/proc/${server}`).uid], Array(2).fill(databaseUser(home).uid));
    }
    await user.kill();
  });

  test('keeps the data of an earlier version, whose superuser and whose user was everybody’s', async (t) => {
    const { folder, user: use } = scratch(t);
    const first = await use(folder);
    const home = await homeOf(folder);
    const superuser = await superuserOf(folder, first.connection);
    await query(
      superuser,
      'create table kept (id serial primary key, price int); insert into kept (price) values (749)',
    );
    await query(superuser, 'alter database pompa owner to pompa');
    // The layout of earlier versions: one role, and as root one user for all.
    await query(superuser, 'drop owned by application; drop role application');
    await first.kill();
    await waitFor('the end', 20_000, () => isQuiet(home));
    rmSync(path.join(home, 'application-password'));
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', '65534:65534', home]);
    const next = await use(folder);
    await query(next.connection, 'insert into kept (price) values (750)');
    await query(next.connection, 'alter table kept add column note text');
    assert.deepEqual(await query(next.connection, 'select id, price from kept order by id'), [
      { id: 1, price: 749 },
      { id: 2, price: 750 },
    ]);
    if (process.getuid?.() === 0) {
      const { stdout } = spawnSync('find', [home, '!', '-uid', String(databaseUser(home).uid)], { encoding: 'utf8' });
      assert.equal(stdout, '');
    }
    await next.kill();
  });

  test('replaces a killed supervisor while sessions continue, and the new one still ends with the last client', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const home = await homeOf(folder);
    const session = new pg.Client(user.connection);
    await session.connect();
    const [supervisor, server] = [await untilSupervisorRuns(home), await untilServerRuns(home)];
    for (let kills = 1; kills <= 2; kills++) {
      sigkill((await supervisorPid(home)) ?? 0);
      await waitFor(
        'adoption',
        5000,
        () => count(supervisorLog(home), new RegExp(`PostgreSQL ${server} adopted`)) === kills,
      );
      assert.equal((await session.query('select 1 as one')).rows[0].one, 1);
    }
    assert.notEqual(await untilSupervisorRuns(home), supervisor);
    assert.equal(serverOf(home), server);
    await session.end();
    await user.kill();
    await waitFor('the end of supervisor and server', 10_000, () => isQuiet(home));
  });

  test('restarts a killed server with every acknowledged row', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const home = await homeOf(folder);
    const server = await untilServerRuns(home);
    const session = new pg.Client(user.connection);
    session.on('error', () => undefined);
    await session.connect();
    await session.query('create table kept (id int)');
    for (let id = 1; id <= 50; id++) await session.query('insert into kept values ($1)', [id]);
    sigkill(server);
    await waitFor('another server', 10_000, () => ![undefined, server].includes(serverOf(home)));
    const rows = await waitFor('its answer', 5000, () =>
      query(user.connection, 'select from kept').catch(() => undefined),
    );
    assert.equal(rows.length, 50);
    await user.kill();
  });

  test('can be opened while its server recovers from being killed: the client waits', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const server = await untilServerRuns(await homeOf(folder));
    sigkill(server);
    const database = await openDatabase({ dataDir: folder, log: { info: () => undefined, warn: () => undefined } });
    assert.equal((await database.pool.query('select 1 as one')).rows[0].one, 1);
    await database.close();
    await user.kill();
  });

  test('restarts a server that was asked to shut down while in use', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const home = await homeOf(folder);
    const server = await untilServerRuns(home);
    const session = new pg.Client(user.connection);
    session.on('error', () => undefined);
    await session.connect();
    process.kill(server, 'SIGTERM');
    await waitFor('another server', 10_000, () => ![undefined, server].includes(serverOf(home)));
    await waitFor('its answer', 5000, () => query(user.connection, 'select').catch(() => undefined));
    await session.end().catch(() => undefined);
    await user.kill();
  });

  test('has every acknowledged row after supervisor, server and clients were all killed', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const home = await homeOf(folder);
    await query(user.connection, 'create table kept as select generate_series(1, 100)');
    const [supervisor, server] = [await untilSupervisorRuns(home), await untilServerRuns(home)];
    await user.kill();
    sigkill(supervisor);
    sigkill(server);
    const next = await use(folder);
    assert.equal((await query(next.connection, 'select from kept')).length, 100);
    assert.notEqual(await untilSupervisorRuns(home), supervisor);
    await next.kill();
  });

  test('lets the next client adopt a server that outlived supervisor and clients', async (t) => {
    const { folder, user: use } = scratch(t);
    const user = await use(folder);
    const home = await homeOf(folder);
    const [supervisor, server] = [await untilSupervisorRuns(home), await untilServerRuns(home)];
    await user.kill();
    sigkill(supervisor);
    const next = await use(folder);
    assert.equal(serverOf(home), server);
    await next.kill();
    await waitFor('the end of supervisor and server', 10_000, () => isQuiet(home));
  });

  test("starts although another program has the old server's process id by now", async (t) => {
    const { folder, user: use } = scratch(t);
    await (await use(folder)).kill();
    const home = await homeOf(folder);
    const forged = path.join(home, 'data', 'postmaster.pid');
    await waitFor('the end', 10_000, () => isQuiet(home));
    for (const pid of [1, process.pid]) {
      const owner = statSync(path.join(home, 'data'));
      writeFileSync(forged, `${pid}\n${path.join(home, 'data')}\n1\n5432\n${home}/run\n\n\nready   \n`);
      if (process.getuid?.() === 0) chownSync(forged, owner.uid, owner.gid);
      const user = await use(folder);
      await query(user.connection, 'select');
      await user.kill();
      await waitFor('the end', 10_000, () => isQuiet(home));
    }
  });

  test('has no partial cluster after its first start was killed', async (t) => {
    const { folder, user: use } = scratch(t);
    const refused = use(folder).catch((error) => error);
    const home = await waitFor('a home', 5000, () => homeOf(folder));
    const halfMade = () => existsSync(home) && readdirSync(home).find((name) => name.startsWith('data.new-'));
    await waitFor('initdb at work', 5000, halfMade);
    sigkill(Number(/ (\d+) (?:supervising|preparing)/.exec(supervisorLog(home))?.[1]));
    // The same client replaces the supervisor; no other client has to do anything.
    const user = await refused;
    await query(user.connection, 'select');
    assert.equal(halfMade(), undefined);
    await user.kill();
  });

  test('works below a path of 200 characters, with a second DATA_DIR next to it at the same time', async (t) => {
    const { folder, user: use } = scratch(t);
    const long = path.join(folder, 'x'.repeat(90), 'y'.repeat(199 - folder.length - 91));
    const beside = path.join(folder, 'beside');
    assert.equal(long.length, 200);
    const [one, two] = await Promise.all([use(long), use(beside)]);
    await query(one.connection, 'create table here (id int)');
    await assert.rejects(query(two.connection, 'select from here'), /does not exist/);
    assert.notEqual(one.connection.host, two.connection.host);
    await Promise.all([one.kill(), two.kill()]);
  });

  test('reports in one sentence why a start failed', async (t) => {
    const { folder, user: use } = scratch(t);
    await (await use(folder)).kill();
    const home = await homeOf(folder);
    await waitFor('the end', 10_000, () => isQuiet(home));
    writeFileSync(path.join(home, 'data', 'PG_VERSION'), '17\n');
    await assert.rejects(use(folder), /DatabaseUnavailable: .* was created by PostgreSQL 17 .* brings 18/);
    writeFileSync(path.join(home, 'data', 'PG_VERSION'), '18\n');
    rmSync(path.join(home, 'password'));
    await assert.rejects(use(folder), /the password of the embedded database, .* cannot be read/);
  });

  test('recreates a DATA_DIR deleted under a dying supervisor, which does the new database no harm', async (t) => {
    const { folder, user: use } = scratch(t);
    const dataDir = path.join(folder, 'data');
    const user = await use(dataDir);
    await query(user.connection, 'create table old (id int)');
    await user.kill();
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
    const next = await use(dataDir);
    await assert.rejects(query(next.connection, 'select from old'), /does not exist/);
    const home = await homeOf(dataDir);
    // Longer than the old supervisor had left to run: its end must not remove the new sockets.
    const asked = performance.now();
    await waitFor('three seconds', 4000, async () => {
      await query(next.connection, 'select');
      return performance.now() - asked > 3000;
    });
    assert.ok(await supervisorPid(home));
    await next.kill();
  });
});

// By itself: the runtime is gone for everything that this process starts.
describe('a client of the embedded database', () => {
  test('says that its runtime is gone, to a running client whose supervisor was killed too', async (t) => {
    const { folder, user: use } = scratch(t);
    const [user, told] = [await use(folder), Promise.withResolvers<string>()];
    const log = { info: () => undefined, warn: told.resolve };
    const attachment = await attachToDatabase(folder, { log });
    const runtime = process.execPath;
    process.execPath = '/nowhere/node';
    try {
      await user.kill();
      sigkill(await untilSupervisorRuns(await homeOf(folder)));
      const why = 'the embedded database did not start: spawn /nowhere/node ENOENT';
      assert.equal(await told.promise, `the supervisor of the embedded database cannot be replaced: ${why}`);
    } finally {
      process.execPath = runtime;
      await attachment.close();
    }
  });
});
