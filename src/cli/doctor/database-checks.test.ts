/** Each thing that is wrong with a database on purpose gives one line: what it is, and what to do. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { changedDatabase } from '../../../test/support/database/changed-database.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { readConfig } from '../../config/config.ts';
import type { Database } from '../../store/connection/database.ts';
import { directProblem } from '../../store/connection/replica.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { DatabaseMisconfigured, DatabaseUnavailable } from '../../store/database-errors.ts';
import { databaseFindings } from './database-checks.ts';
import { replicaFinding } from './replica-checks.ts';

let folder: string;
let database: TestDatabase;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-database-checks-'));
  database = await testDatabase();
});
after(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

type Changes = Parameters<typeof changedDatabase>[1];
type Given = {
  readonly open?: () => Promise<Database<Schema>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly processes?: number;
  /** How far the clock of this machine is ahead, ms. */
  readonly aheadMs?: number;
};

/** The failed checks of a name, as doctor prints them. */
async function wrong(check: string, { open, settings, processes, aheadMs = 0 }: Given): Promise<string[]> {
  const found = await databaseFindings({
    config: readConfig({ DATA_DIR: folder, DATABASE_URL: database.url, ...settings }, folder),
    processes: processes ?? null,
    open: open ?? (async () => changedDatabase(database, {})),
    clock: () => Date.now() + aheadMs,
  });
  return found.flatMap((each) => (each.check === check && !each.ok ? [`${each.detail} → ${each.advice}`] : []));
}

const changed = (rows: Changes['rows'], more: Omit<Changes, 'rows'> = {}) => ({
  open: async () => changedDatabase(database, { rows: rows ?? {}, ...more }),
});

const CASES: readonly [what: string, check: string, given: Given, line: RegExp][] = [
  [
    'an encoding other than UTF8',
    'database',
    changed({ encoding: 'SQL_ASCII' }),
    /SQL_ASCII.*; the encoding must be UTF8 → create a new database with encoding UTF8$/,
  ],
  [
    'a standby',
    'database',
    changed({ readOnly: true, isStandby: true }),
    /; it is a standby, which stores nothing → point DATABASE_URL to the primary server/,
  ],
  [
    'a database that is read-only',
    'database',
    changed({ readOnly: true }),
    /; it is read-only → reset default_transaction_read_only of the role and the database$/,
  ],
  [
    'commits that are not waited for',
    'commits',
    changed({ synchronousCommit: 'off' }),
    /^synchronous_commit is off: a crash of the server loses accepted counts → set it to on/,
  ],
  [
    'commits that do not wait for the synchronous standby',
    'commits',
    changed({ synchronousCommit: 'local', hasSynchronousStandby: true }),
    /^synchronous_commit is local: a fail-over to a standby loses accepted counts → set it to on/,
  ],
  [
    'few free connections',
    'connections',
    changed({ connections: 90, maxConnections: 97 }),
    /^90 of 97 in use; a process of Pompa takes up to 16 → raise max_connections of the server, or run fewer/,
  ],
  [
    'too few connections for the planned processes',
    'connections',
    { ...changed({ connections: 3, maxConnections: 97 }), processes: 8 },
    /^3 of 97 in use; 8 serving processes, and those that a reload replaces, take up to 200 → raise max_connections/,
  ],
  [
    'a clock that is ahead of the database',
    'clock',
    { aheadMs: 60_000 },
    /^ours is 60 seconds ahead of the database's → synchronise both machines by NTP/,
  ],
  [
    'a clock that is behind the database',
    'clock',
    { aheadMs: -60_000 },
    /^ours is 60 seconds behind the database's → synchronise both machines by NTP/,
  ],
  [
    'data of a time to come',
    'clock',
    changed({ publishedAt: Date.parse('2100-01-01') }),
    /^the newest data are dated \d+\.?\d* days from now → synchronise both machines by NTP/,
  ],
  [
    'a pooler without the address of its server',
    'pooler',
    changed({}, { isPooled: true }),
    /^DATABASE_URL is the address of a pooler: notifications do not arrive.* → set DATABASE_DIRECT_URL to the address/,
  ],
  [
    'a pooler and a role without time limits',
    'time limits',
    changed({ role: 'pompa', hasStatementTimeout: false }, { isPooled: true }),
    /^through a pooler no session has time limits of ours, and the role pompa has none.* → alter role pompa set statement/,
  ],
  [
    'a role that lacks rights on many tables',
    'rights',
    changed({ role: 'pompa_app', lacking: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }),
    /^the role pompa_app may not read and write a, b, c, d, e and 2 more → grant the rights, and set default/,
  ],
  [
    'an address whose settings are wrong',
    'database',
    {
      open: async () => {
        throw new DatabaseMisconfigured('PostgreSQL 14.2 is too old: use 15 or newer');
      },
    },
    /^PostgreSQL 14\.2 is too old: use 15 or newer; .* were not checked → do what the message says$/,
  ],
  [
    'a database that cannot be reached',
    'database',
    {
      open: async () => {
        throw new DatabaseUnavailable('connection refused');
      },
    },
    /^connection refused; .* were not checked → check that the server runs, .* and DATABASE_URL$/,
  ],
];

describe('doctor, of a database, tells in one line', () => {
  for (const [what, check, given, line] of CASES)
    test(what, async () => {
      const lines = await wrong(check, given);
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0] ?? '', line);
    });

  /** Until the end of the test. */
  const withPending = async (t: TestContext) => {
    await database.pool.query('create table taken as select * from schema_migrations order by number desc limit 1');
    await database.pool.query('delete from schema_migrations where number in (select number from taken)');
    t.after(async () => {
      await database.pool.query('insert into schema_migrations select * from taken');
      await database.pool.query('drop table taken');
    });
  };

  test('migrations that are pending where the address that they need leads nowhere, or elsewhere', async (t) => {
    await withPending(t);
    const other = await testDatabase();
    t.after(() => other.drop());
    for (const DATABASE_DIRECT_URL of ['postgres://u:p@127.0.0.1:1/none', other.url])
      assert.match(
        (await wrong('migrations', { settings: { DATABASE_DIRECT_URL } })).join('\n'),
        /^not applied yet: \d{4}-.* → first correct DATABASE_DIRECT_URL, or make it reachable \(see direct address\): migrations are applied there$/,
      );
  });

  for (const [who, may, advice] of [
    ['its owner', true, /^not applied yet: \d{4}-.* → run pompa migrate, or start serve$/],
    [
      'another role',
      false,
      /^not applied yet: \d{4}-.* → run pompa migrate with the role that owns the tables \(in DATABASE_DIRECT_URL, where that is set\)$/,
    ],
  ] as const)
    test(`migrations that are pending, to ${who}`, async (t) => {
      await withPending(t);
      const lines = await wrong('migrations', changed({ may }));
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0] ?? '', advice);
    });

  test('an embedded database that there is not yet', async () => {
    const { DATABASE_URL: _, ...embedded } = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'fresh') };
    const found = await databaseFindings({
      ...{ config: readConfig(embedded, folder), processes: null, clock: Date.now },
      open: () => assert.fail('it creates none'),
    });
    assert.deepEqual(
      found.map(({ check, ok, advice }) => [check, ok, advice]),
      [['database', false, 'serve or migrate creates it']],
    );
  });
});

describe('doctor, of another address of the database, tells', () => {
  test('a replica that has not the latest publication, or much of the log to apply', async () => {
    const replica = (rows: Changes['rows']) => changedDatabase(database, { rows: { isReplica: true, ...rows } });
    const behind = await replicaFinding(
      changedDatabase(database, { rows: { version: 2 } }),
      replica({ version: 1 }),
      0,
    );
    assert.match(
      `${behind.detail} → ${behind.advice}`,
      /^it lags: it has publication 1 of 2, .* → check the connection/,
    );
    const slow = await replicaFinding(database, replica({ bytes: 65 * 1024 * 1024 }), 0);
    assert.match(slow.detail, /^it lags: .* and 68\.2 MB of the primary's log are not applied yet/);
    assert.equal((await replicaFinding(database, replica({ bytes: 0 }), 0)).ok, true);
  });

  test('a direct address that leads to a replica', async () => {
    const replica = changedDatabase(database, { rows: { isReplica: true } });
    const problem = await directProblem(database, replica);
    assert.equal(problem?.why, 'DATABASE_DIRECT_URL is a replica, and no primary server');
    assert.match(problem?.advice ?? '', /^set DATABASE_DIRECT_URL to the server behind the pooler/);
  });
});
