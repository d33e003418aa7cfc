/**
 * Backups whose checksums are right and whose content is not: what `restore` refuses, `restore --check` refuses too.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type EditableManifest, type EditableRows, forged, withRows } from '../../../test/support/backup-archive.ts';
import { emptyDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { openDatabase } from '../connection/database.ts';
import { dump } from './dump.ts';
import { openBackup } from './open-backup.ts';
import { restore } from './restore.ts';
import { tryRestore } from './try-restore.ts';
import { writeBackup } from './write-backup.ts';

const NEVER = new AbortController().signal;
const silent = { info: () => undefined, warn: () => undefined };
const ROW = { a: 's1\t2026-01-01 00:00:00+00\t2025-11-20\t3\n', b: 's2\t2026-01-01 00:00:00+00\t\\N\t0\n' };
const PRICE = 's1\t0\tregister\tu\t7000\t\\N\t\\N\t\\N\t2026-01-01\tf\t2026-01-01 00:00:00+00\t\\N\n';

let folder: string;
let file: string;
let good: Buffer;
let target: { url: string; drop(): Promise<void> };
const temporary = process.env.TMPDIR;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-forged-'));
  file = path.join(folder, 'x.backup');
  const source = await testDatabase();
  await source.pool.query(`insert into stations values ('s1', '2026-01-01 00:00Z', '2025-11-20', 3)`);
  await writeBackup(file, dump(source, { program: '1.2.3', now: Date.UTC(2026, 10, 20) }), NEVER);
  await source.drop();
  good = readFileSync(file);
  target = await emptyDatabase();
  mkdirSync(path.join(folder, 'tmp'));
  process.env.TMPDIR = path.join(folder, 'tmp');
});
after(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await target.drop();
  rmSync(folder, { recursive: true });
});

type Edit = (manifest: EditableManifest, rows: EditableRows) => void;

const sequence =
  (change: object): Edit =>
  (manifest) =>
    Object.assign(manifest.sequences[0] as object, change);
const columns =
  (change: (names: string[]) => string[]): Edit =>
  (manifest) => {
    const table = manifest.tables.find((each) => each.table === 'stations');
    if (table !== undefined) table.columns = change(table.columns);
  };

const FORGERIES: readonly [what: string, edit: Edit, why: RegExp][] = [
  ['a text where a number belongs', withRows('stations', () => ROW.a.replace('\t3\n', '\tthree\n')), /type smallint/],
  ['a number that is too large', withRows('stations', () => ROW.a.replace('\t3\n', '\t40000\n')), /out of range/],
  ['no value where one must be', withRows('stations', () => ROW.a.replace('\t3\n', '\t\\N\n')), /null value in column/],
  ['a day that is none', withRows('stations', () => ROW.a.replace('11-20', '13-45')), /date\/time field value/],
  ['bytes that are no UTF-8', withRows('stations', () => ROW.a.replace('s1', '\xff')), /invalid byte sequence/],
  ['a column too few', withRows('stations', () => 's1\n'), /missing data for column/],
  ['a key twice', withRows('stations', (text) => text + ROW.a), /duplicate key value/],
  [
    'a value that a rule forbids',
    withRows('captcha_tokens', () => '\\\\x00\t2026-01-01 00:00:00+00\n'),
    /check constraint/,
  ],
  [
    'a reference to nothing',
    withRows('price_facts', () => PRICE.replace('s1', 's7')),
    /violates foreign key constraint/,
  ],
  ['fewer rows than it says', (manifest) => manifest.tables.map((table) => (table.rows += 1)), /\d+ of \d+ rows of/],
  [
    'columns of other tables',
    columns((names) => [...names, 'password']),
    /tables of the backup are not those of its mig/,
  ],
  [
    'columns in no table',
    columns(([first = '', ...rest]) => [first, first, ...rest.slice(1)]),
    /are not those of its mig/,
  ],
  [
    'a table too many',
    ({ tables }) => tables.push({ table: 'ledgers', columns: ['id'], rows: 0, members: [] }),
    /ledgers/,
  ],
  [
    'a table twice',
    ({ tables }) => tables.push({ ...(tables[0] as (typeof tables)[0]), rows: 0 }),
    /are not those of its mig/,
  ],
  ['a sequence of another program', sequence({ name: 'ledgers_id_seq' }), /the sequences of the backup are not those/],
  ['a sequence beyond its end', sequence({ value: '9999999999999999999' }), /out of range|out of bounds/],
  ['no migrations', (manifest) => Object.assign(manifest, { migrations: [] }), /malformed: \/migrations/],
];

/** The sentence that refuses the file, and the one that refuses a trial of it. */
async function refusals(content: Buffer, trial: boolean): Promise<string[]> {
  writeFileSync(file, content);
  const opened = await openBackup(file).catch((error: Error) => error);
  if (opened instanceof Error) return [opened.message];
  const database = await openDatabase({ databaseUrl: target.url, dataDir: '', log: silent, connections: 1 });
  const work = [restore(database, opened, { signal: NEVER })];
  if (trial) work.push(tryRestore(opened, { signal: NEVER, log: silent }));
  const ends = await Promise.allSettled(work);
  const { rows } = await database.pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
  await database.close();
  await opened.close();
  assert.equal(rows.length, 0);
  return ends.map((end) => (end.status === 'rejected' ? String(end.reason.message) : 'restored'));
}

describe('a forged backup is refused in one sentence and changes nothing:', () => {
  for (const [what, edit, why] of FORGERIES) {
    test(what, async () => {
      const [sentence = ''] = await refusals(await forged(good, edit), false);
      assert.match(sentence, why);
      assert.doesNotMatch(sentence, /\n/);
      assert.ok(sentence.length < 600, sentence);
    });
  }
});

describe('a trial', () => {
  test('finds a backup good that a restore restores, and leaves nothing behind', async () => {
    writeFileSync(
      file,
      await forged(
        good,
        withRows('stations', () => ROW.a + ROW.b),
      ),
    );
    const backup = await openBackup(file);
    const { migrated } = await tryRestore(backup, { signal: NEVER, log: silent });
    assert.deepEqual(migrated, []);
    await backup.close();
    assert.deepEqual(readdirSync(os.tmpdir()), []);
  });

  test('refuses in the words of the restore', async () => {
    const [restored, tried] = await refusals(await forged(good, FORGERIES[6]?.[1] as Edit), true);
    assert.match(tried ?? '', /duplicate key value/);
    assert.equal(tried, restored);
    assert.deepEqual(readdirSync(os.tmpdir()), []);
  });

  test('of a backup of format 1 is a restore as well', async () => {
    const backup = await openBackup(path.join(import.meta.dirname, 'format-1.backup'));
    await tryRestore(backup, { signal: NEVER, log: silent });
    await backup.close();
  });

  test('that a disk has no room for is not begun', async () => {
    const backup = await openBackup(path.join(import.meta.dirname, 'format-1.backup'));
    const large = { ...backup, unpackedBytes: 1e18 };
    await assert.rejects(
      tryRestore(large, { signal: NEVER, log: silent }),
      /^BackupRefused|it was not tried: a trial takes/,
    );
    await backup.close();
    assert.deepEqual(readdirSync(os.tmpdir()), []);
  });
});
