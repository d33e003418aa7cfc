/** A database and its backup: what comes back, what may not be restored, and what a failure leaves. */
import assert from 'node:assert/strict';
import { createHash, type Hash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { waitFor } from '../../../test/support/database/embedded-database.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import type { Schema } from '../connection/schema.ts';
import { createKey } from '../keys/keys.ts';
import { migrate } from '../migrations/apply-migrations.ts';
import { readMigrations } from '../migrations/read-migrations.ts';
import type { Dump, TableRows } from './contents.ts';
import { tablesOf } from './database-tables.ts';
import { dump } from './dump.ts';
import { type Backup, openBackup } from './open-backup.ts';
import { restore } from './restore.ts';
import { writeBackup } from './write-backup.ts';

const NEVER = new AbortController().signal;
const silent = { info: () => undefined, warn: () => undefined };
const OPTIONS = { program: '1.2.3', now: Date.UTC(2026, 10, 20) };
/** What COPY has to escape, and what a careless reader of it would take for its end. */
const NASTY = ['\\.', '\\N', 'a\tb\nc\r\\d', 'quote \' " {}', 'Știrbei – ț', ''];

let folder: string;
let source: TestDatabase;
let file: string;
let backup: Backup;
/** What the source held when it was backed up. */
let original: unknown;
let target: { url: string; drop(): Promise<void> };

before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-restore-'));
  source = await testDatabase();
  await fill(source);
  file = path.join(folder, 'whole.backup');
  await writeBackup(file, dump(source, OPTIONS), NEVER);
  backup = await openBackup(file);
  original = await contentOf(source);
});
after(async () => {
  await backup.close();
  await source.drop();
  rmSync(folder, { recursive: true });
});

describe('a restore', () => {
  beforeEach(async () => {
    target = await emptyDatabase();
  });
  afterEach(() => target.drop());

  test('into an empty database restores every row, value and sequence: a backup of it is the same', async () => {
    const { migrated } = await withDatabase(target.url, (database) => restore(database, backup, { signal: NEVER }));
    assert.deepEqual(migrated, []);
    await withDatabase(target.url, async (database) => {
      assert.deepEqual(await contentOf(database), original);
      const { rows } = await database.pool.query('select name, lat from station_aliases order by key');
      assert.deepEqual(
        rows.map(({ name }) => name),
        NASTY,
      );
      assert.ok(rows.map(({ lat }) => lat).includes(1e-300));
    });
  });

  test('into a freshly migrated database does the same, without the keys that the hashes of addresses were made with', async () => {
    await withDatabase(target.url, async (database) => {
      await migrate(database);
      await restore(database, backup, { signal: NEVER });
      assert.deepEqual(await contentOf(database), original);
      assert.equal((await addressKeys(source)).length, 1);
      assert.deepEqual(await addressKeys(database), []);
    });
  });

  test('continues the sequences, keeps foreign keys and restores no lease', async () => {
    await withDatabase(target.url, async (database) => {
      await restore(database, backup, { signal: NEVER });
      const [made, original] = [await createKey(database, KEY), await createKey(source, KEY)];
      assert.equal(made.id, original.id);
      const stray = database.pool.query(`insert into key_usage (key_id) values (999)`);
      await assert.rejects(stray, /violates foreign key constraint "key_usage_key_id_fkey"/);
      assert.deepEqual((await database.pool.query('select * from leases')).rows, []);
      assert.equal((await source.pool.query('select * from leases')).rowCount, 1);
      await source.pool.query('delete from api_keys where id = $1', [original.id]);
    });
  });

  test('makes every cursor of the feed of changes invalid: later numbers are told again, of other changes', async () => {
    const told = path.join(folder, 'told.backup');
    const epochOf = async ({ pool }: { pool: pg.Pool }) =>
      (await pool.query('select epoch, seq from change_feed')).rows;
    await source.pool.query(`update change_feed set epoch = 'epoch_01', seq = 7`);
    await writeBackup(told, dump(source, OPTIONS), NEVER);
    await source.pool.query('update change_feed set epoch = null, seq = 0');
    const opened = await openBackup(told);
    await withDatabase(target.url, async (database) => {
      await restore(database, opened, { signal: NEVER });
      const [{ epoch, seq }] = (await epochOf(database)) as [{ epoch: string; seq: number }];
      assert.equal(seq, 7);
      assert.match(epoch, /^[\w-]{8}$/);
      assert.notEqual(epoch, 'epoch_01');
    });
    await opened.close();
  });

  test('of a backup of format 1 restores its rows', async () => {
    const old = await openBackup(path.join(import.meta.dirname, 'format-1.backup'));
    await withDatabase(target.url, async (database) => {
      await restore(database, old, { signal: NEVER });
      const { rows } = await database.pool.query(`
        select (select count(*) from daily_prices) as days, (select sum(petrol) from daily_prices) as petrol,
          (select name from station_aliases) as name, (select version from publication) as version,
          nextval('observations_id_seq') as next`);
      assert.deepEqual(rows, [{ days: 63, petrol: 441_630, name: 'a\tb\nc\\.', version: 12, next: 21 }]);
    });
    await old.close();
  });

  test('with more, fewer or misplaced rows than its contents say is refused, and nothing changes', async () => {
    const { tables } = backup.contents;
    const cases: [tables: typeof tables, why: RegExp][] = [
      [tables.map((table) => ({ ...table, rows: table.rows + 1 })), /\d+ of \d+ rows of \w+ were taken/],
      [tables.toReversed(), /0 of \d+ rows of \w+ were taken/],
      [tables.slice(1), /the tables of the backup are not those of its migrations/],
      [[...tables, ...tables.slice(0, 1)], /the tables of the backup are not those of its migrations/],
    ];
    await withDatabase(target.url, async (database) => {
      for (const [wrong, why] of cases) {
        const contents = { ...backup.contents, tables: wrong };
        await assert.rejects(restore(database, { ...backup, contents }, { signal: NEVER }), why);
      }
      assert.deepEqual(await relations(database), []);
    });
  });

  test('of older tables migrates them', async () => {
    const older = await emptyDatabase();
    try {
      const early = path.join(folder, 'early.backup');
      const migrations = readMigrations().slice(0, 2);
      await withDatabase(older.url, async (database) => {
        await migrate(database, folderOf(migrations.map(({ name }) => name)));
        await database.pool.query(`insert into api_keys (plan, created_at) values ('pro', now())`);
        await database.pool.query('update publication set version = 41');
        await writeBackup(early, dump(database, OPTIONS), NEVER);
      });
      const opened = await openBackup(early);
      assert.deepEqual(
        opened.contents.migrations.map(({ name }) => name),
        migrations.map(({ name }) => name),
      );
      await withDatabase(target.url, async (database) => {
        await migrate(database);
        const { migrated } = await restore(database, opened, { signal: NEVER });
        assert.deepEqual(
          migrated,
          readMigrations()
            .slice(2)
            .map(({ name }) => name),
        );
        assert.deepEqual(await migrate(database), []);
        // A later migration writes what it finds.
        const { rows } = await database.pool.query(
          'select version, (select count(*) from api_keys) as keys from alert_state',
        );
        assert.deepEqual(rows, [{ version: 41, keys: 1 }]);
      });
      await opened.close();
    } finally {
      await older.drop();
    }
  });

  test('of a newer or another program is refused, and nothing changes', async () => {
    const applied = backup.contents.migrations;
    const last = applied.at(-1) as (typeof applied)[number];
    const others: [migrations: typeof applied, why: RegExp][] = [
      [
        [...applied, { number: 9999, name: '9999-later', sha256: 'x' }],
        /of a newer Pompa: it has the migration 9999-later/,
      ],
      [
        [...applied.slice(0, -1), { ...last, sha256: 'x' }],
        new RegExp(`made with another migrations/${last.name}\\.sql`),
      ],
      [applied.slice(1), /lacks the migration 0001-prices/],
    ];
    await withDatabase(target.url, async (database) => {
      for (const [migrations, why] of others) {
        const contents = { ...backup.contents, migrations };
        await assert.rejects(restore(database, { ...backup, contents }, { signal: NEVER }), why);
      }
      assert.deepEqual(await relations(database), []);
    });
  });

  test('into a database with content is refused, with a message that names the content, and changes nothing', async () => {
    await withDatabase(target.url, async (database) => {
      await migrate(database);
      await database.pool.query(`insert into stations (id, created_at) values ('x', now()), ('y', now())`);
      const full = restore(database, backup, { signal: NEVER });
      await assert.rejects(full, /not empty and nothing was changed; it has rows: 2 in stations\. Restore into a new/);
      await database.pool.query('truncate stations cascade; update publication set version = 1');
      await assert.rejects(restore(database, backup, { signal: NEVER }), /it has rows: 1 in publication\./);
      await database.pool.query('update publication set version = 0; create table ledgers (id int)');
      await assert.rejects(restore(database, backup, { signal: NEVER }), /do not belong to Pompa: ledgers\./);
      await database.pool.query('drop table ledgers; create view seen as select * from stations');
      await assert.rejects(restore(database, backup, { signal: NEVER }), /do not belong to Pompa: seen\./);
      await database.pool.query('drop view seen');
      await restore(database, backup, { signal: NEVER });
    });
  });

  test('while others are connected is refused, with a message that names them', async () => {
    await withDatabase(target.url, async (database) => {
      const other = new pg.Client({ connectionString: target.url, application_name: 'psql' });
      await other.connect();
      const refused = restore(database, backup, { signal: NEVER });
      await assert.rejects(
        refused,
        /1 other connection\(s\) to this database \(psql\): stop every other process on it/,
      );
      await other.end();
      await restore(database, backup, { signal: NEVER });
    });
  });

  test('alongside another restore is refused at once', async () => {
    const first = new pg.Client({ connectionString: target.url });
    await first.connect();
    await first.query('select pg_advisory_lock(7066770002)');
    await withDatabase(target.url, (database) =>
      assert.rejects(restore(database, backup, { signal: NEVER }), /another restore into this database is under way/),
    );
    // The session may end on the server a moment after it has ended here.
    await first.query('select pg_advisory_unlock(7066770002)');
    await first.end();
    const both = await Promise.allSettled(
      [1, 2].map(() => withDatabase(target.url, (database) => restore(database, backup, { signal: NEVER }))),
    );
    const refusals = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    // One that sees the other connect refuses itself, too: never both are carried out.
    assert.ok(refusals.length > 0);
    for (const { reason } of refusals)
      assert.match(String(reason), /another restore into this database is under way|not empty|other connection/);
    if (refusals.length === 2)
      await withDatabase(target.url, (database) => restore(database, backup, { signal: NEVER }));
    await withDatabase(target.url, async (database) => assert.deepEqual(await contentOf(database), original));
  });

  test('that fails leaves the database as it was: stopped, disconnected, or given invalid rows', async () => {
    const stop = new AbortController();
    const stopped = {
      signal: stop.signal,
      onTable: (table: string) => table === 'stations' && stop.abort(new Error('was stopped')),
    };
    await withDatabase(target.url, (database) =>
      assert.rejects(restore(database, backup, stopped as never), /was stopped/),
    );
    await waitFor('the end of the stopped session', 10_000, isTargetUnused);
    const cut = {
      signal: NEVER,
      onTable: (table: string) =>
        void (table === 'stations' && source.pool.query(CUT, [target.url.replace(/.*\//, '')])),
    };
    await withDatabase(target.url, (database) =>
      assert.rejects(restore(database, backup, cut), /connection to the database was lost|terminating connection/),
    );
    await waitFor('the end of the cut session', 10_000, isTargetUnused);
    const spoilt = { ...backup, rows: () => corrupted(backup.rows()) };
    await withDatabase(target.url, (database) =>
      assert.rejects(
        restore(database, spoilt, { signal: NEVER }),
        /did not take the rows of stations: missing data for column/,
      ),
    );
    await withDatabase(target.url, async (database) => assert.deepEqual(await relations(database), []));
  });
});

describe('a backup', () => {
  test('has every table of the schema except the migrations table', async () => {
    const { rows } = await source.pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1`,
    );
    assert.deepEqual(backup.contents.tables.map(({ table }) => table).sort(), rows.map(({ name }) => name).sort());
    assert.ok(rows.length >= 28);
  });

  test('leaves out tables of other programs', async () => {
    await source.pool.query('create table ledgers (id int generated always as identity)');
    const client = await source.pool.connect();
    const tables = await tablesOf(client);
    client.release();
    const content = await contentOf(source);
    await source.pool.query('drop table ledgers');
    assert.ok(!tables.some(({ table }) => table === 'ledgers'));
    assert.ok(!JSON.stringify(content).includes('ledgers'));
  });

  test('shows one moment, whatever is written meanwhile', async () => {
    const calm = await contentOf(source);
    const busy = async function* () {
      let written = false;
      for await (const item of dump(source, OPTIONS)) {
        if (!written) await source.pool.query(`insert into stations (id, created_at) values ('new', now())`);
        written = true;
        yield item;
      }
    };
    const content = await digested(busy());
    await source.pool.query(`delete from stations where id = 'new'`);
    assert.deepEqual(content, calm);
  });

  test('blocks migrations, but neither readers nor writers', async () => {
    const begun = dump(source, OPTIONS);
    await begun.next();
    await source.pool.query(`update publication set published_at = published_at`);
    const { rows } = await source.pool.query('select pg_try_advisory_lock(7066770001) as free');
    assert.equal(rows[0]?.free, false);
    await begun.return();
  });

  test('of a database without tables is refused', async () => {
    const empty = await emptyDatabase();
    try {
      await withDatabase(empty.url, (database) => assert.rejects(contentOf(database), /nothing to back up/));
    } finally {
      await empty.drop();
    }
  });

  test('reports a lost connection', async () => {
    const pieces = dump(source, OPTIONS);
    await pieces.next();
    await source.pool.query(CUT, [source.url.replace(/.*\//, '')]).catch(() => undefined);
    await assert.rejects(async () => {
      for await (const _ of pieces);
    }, /connection to the database was lost|terminating connection/);
  });
});

const KEY = { plan: 'starter', quota: null, email: null, subscription: null } as const;
/** Ends every session of a database but the one that asks. */
const CUT = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';

/** Whether the server has ended every session in the target: until then, a restore of an earlier one has its lock. */
async function isTargetUnused(): Promise<boolean> {
  const name = target.url.replace(/.*\//, '');
  const { rows } = await source.pool.query('select from pg_stat_activity where datname = $1', [name]);
  return rows.length === 0;
}

async function withDatabase<T>(url: string, work: (database: Database<Schema>) => Promise<T>): Promise<T> {
  const database = await openDatabase<Schema>({ databaseUrl: url, dataDir: '', log: silent, connections: 2 });
  return work(database).finally(() => database.close());
}

async function contentOf(database: { pool: pg.Pool }): Promise<unknown> {
  return digested(dump(database, OPTIONS));
}

/** The digest of the rows of each table, and their description. */
async function digested(content: Dump): Promise<unknown> {
  const digests: Record<string, Hash> = {};
  let contents: unknown;
  for await (const item of content) {
    if ('bytes' in item) {
      digests[item.table] ??= createHash('sha256');
      digests[item.table]?.update(item.bytes);
    } else contents = item;
  }
  const rows = Object.entries(digests).map(([table, digest]) => [table, digest.digest('hex')]);
  return { rows, contents };
}

async function relations({ pool }: { pool: pg.Pool }): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

async function addressKeys({ pool }: { pool: pg.Pool }): Promise<unknown[]> {
  return (await pool.query('select key from address_keys where superseded_at is null')).rows;
}

async function* corrupted(rows: AsyncIterable<TableRows>): AsyncGenerator<TableRows> {
  for await (const { table, bytes } of rows) {
    yield { table, bytes: table === 'stations' ? Buffer.from('only one column\n') : bytes };
  }
}

function folderOf(names: readonly string[]): string {
  const own = path.join(folder, 'migrations');
  mkdirSync(own);
  for (const name of names) {
    const from = path.resolve(import.meta.dirname, '../../../migrations', `${name}.sql`);
    copyFileSync(from, path.join(own, `${name}.sql`));
    assert.ok(readFileSync(from).length > 0);
  }
  return own;
}

async function fill(database: TestDatabase): Promise<void> {
  const { pool } = database;
  await pool.query(`insert into address_keys (purpose, key, created_at) values ('reviews', sha256(''), now())`);
  await pool.query(`insert into stations select 's' || n, now(), '2025-11-20', 3 from generate_series(0, 5) n`);
  for (const [index, text] of NASTY.entries()) {
    await pool.query(
      `insert into station_aliases (source, key, station_id, network, brand, name, address, lat, lng, services, manual, first_at, seen_at)
       values ('register', $1, $2, '', '', $3, $3, $4, 'NaN', $5, $6, now(), '2026-01-01 10:00:00.123456+02')`,
      [`k${index}`, `s${index}`, text, index === 0 ? 1e-300 : 1 / 3, [text, 'a,b'], JSON.stringify({ note: text })],
    );
  }
  await pool.query(`
    insert into daily_prices (day, station_id, petrol, facts)
      select '2025-11-20'::date + d, 's' || n, 7000 + d, 1 from generate_series(0, 364) d, generate_series(0, 5) n;
    insert into observations (station_id, fuel, source, price, missing, seen_at)
      select 's1', 0, 'register', n, false, now() from generate_series(1, 500) n;
    delete from observations where price > 490;
    insert into leases values ('upkeep', 'me', 4, now() + interval '1 day');
    update publication set version = 12, published_at = now();
    insert into reviews (station_id, slug, rating, nickname, comment, state, created_at, client)
      values ('s1', 's1', 5, 'Ana', E'două\\nrânduri\\t\\\\', 'pending', now(), '\\x00ff0a09');
    insert into push_subscriptions (endpoint, endpoint_sha256, origin, p256dh, auth, client, created_at)
      values ('https://x', sha256('x'), 'https://x', sha256('a') || sha256('b') || '\\x00', substr(sha256('c'), 1, 16), 'z', now());`);
  await createKey(database, KEY);
}
