import assert from 'node:assert/strict';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findDatabaseDirectory } from './database-directory.ts';
import { databaseUser, NOBODY } from './database-user.ts';
import { takeLock } from './lock.ts';
import { removeEmbeddedDatabase } from './remove.ts';
import { ROOT_DATA_DIR, setAsideHomes } from './root-data-dir.ts';
import { SUPERVISOR_LOCK } from './supervisor-files.ts';

const logged: string[] = [];
const log = { info: (line: string) => void logged.push(line), warn: (line: string) => void logged.push(line) };
const home = async (dataDir: string) => (await findDatabaseDirectory(dataDir, log)).home;

describe('the directory of the embedded database', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(() => {
    logged.length = 0;
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-place-'));
    dataDir = path.join(folder, 'data');
  });
  afterEach(async () => {
    for (const name of readdirSync(folder))
      await removeEmbeddedDatabase(path.join(folder, name)).catch(() => undefined);
    rmSync(folder, { recursive: true });
  });

  test('is created with its DATA_DIR, readable only by its owner', async () => {
    const made = await home(path.join(dataDir, 'deep'));
    for (const each of [dataDir, path.join(dataDir, 'deep'), made]) assert.equal(statSync(each).mode & 0o777, 0o700);
    await removeEmbeddedDatabase(path.join(dataDir, 'deep'));
  });

  test('is the same by every path to its DATA_DIR, and for concurrent callers', async () => {
    mkdirSync(dataDir);
    symlinkSync(dataDir, path.join(folder, 'link'));
    const homes = await Promise.all([dataDir, path.join(folder, 'link'), `${dataDir}/.`].map(home));
    assert.equal(new Set(homes).size, 1);
    rmSync(path.join(folder, 'link'));
  });

  test('cannot be found if DATA_DIR is a file', async () => {
    writeFileSync(dataDir, '');
    await assert.rejects(home(dataDir), /DatabaseMisconfigured: DATA_DIR .* cannot be used: /);
    rmSync(dataDir);
  });

  if (process.getuid?.() === 0) forRoot();
  else forOthers();

  function forOthers(): void {
    test('is in DATA_DIR, and is refused if root created it outside', async () => {
      assert.equal(await home(dataDir), path.join(dataDir, 'postgres'));
      writeFileSync(path.join(dataDir, 'postgres.json'), '{}');
      await assert.rejects(home(dataDir), /DatabaseMisconfigured: .* was made by root .* start Pompa as root/);
    });
  }

  function forRoot(): void {
    const withData = async () => {
      const made = await home(dataDir);
      mkdirSync(path.join(made, 'data'));
      return made;
    };

    test('is outside of DATA_DIR for root, and gets a user of its own', async () => {
      const place = await findDatabaseDirectory(dataDir, log);
      assert.equal(path.dirname(place.home), ROOT_DATA_DIR);
      assert.deepEqual(place.owner, databaseUser(place.home));
      assert.equal(statSync(place.home).mode & 0o777, 0o700);
      assert.ok(logged.join().includes(`lies in ${place.home}`));
      assert.equal(JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8')).folder, place.home);
      assert.equal(await home(dataDir), place.home);
    });

    test('stays that of the ordinary user who created it: root switches to that user', async () => {
      mkdirSync(path.join(dataDir, 'postgres'), { recursive: true });
      chownSync(path.join(dataDir, 'postgres'), 12_345, 54_321);
      const place = await findDatabaseDirectory(dataDir, log);
      assert.deepEqual([place.home, place.owner], [path.join(dataDir, 'postgres'), { uid: 12_345, gid: 54_321 }]);
      chownSync(path.join(dataDir, 'postgres'), 0, 0);
      await assert.rejects(home(dataDir), /DatabaseMisconfigured: .* belongs to root, .*chown/);
    });

    test('is taken from nobody, unless it is in use', async () => {
      const made = await withData();
      chownSync(made, 65_534, 65_534);
      const lock = await takeLock(path.join(made, SUPERVISOR_LOCK), 0);
      assert.deepEqual((await findDatabaseDirectory(dataDir, log)).owner, NOBODY);
      lock?.release();
      assert.deepEqual((await findDatabaseDirectory(dataDir, log)).owner, databaseUser(made));
      assert.match(logged.join(), /now runs as user \d+ instead of 65534/);
    });

    test('follows a moved DATA_DIR permanently', async () => {
      const made = await withData();
      const moved = path.join(folder, 'moved');
      renameSync(dataDir, moved);
      assert.equal(await home(moved), made);
      assert.match(logged.join(), /was moved from/);
      logged.length = 0;
      assert.equal(await home(moved), made);
      assert.deepEqual(logged, []);
    });

    test('is not shared by a copy of DATA_DIR', async () => {
      const made = await withData();
      cpSync(dataDir, path.join(folder, 'copy'), { recursive: true });
      await assert.rejects(
        home(path.join(folder, 'copy')),
        /DatabaseMisconfigured: .* is a copy of .*postgres\.json to start empty/,
      );
      assert.equal(await home(dataDir), made);
      rmSync(path.join(folder, 'copy'), { recursive: true });
    });

    test('is set aside when DATA_DIR was deleted, and a new one is created', async () => {
      const made = await withData();
      writeFileSync(path.join(made, 'data', 'precious'), '');
      rmSync(dataDir, { recursive: true });
      assert.equal(await home(dataDir), made);
      assert.ok(!existsSync(path.join(made, 'data')));
      const left = logged.join().match(/is kept in (\S+),/)?.[1] ?? '';
      assert.ok(existsSync(path.join(left, 'data', 'precious')));
      assert.ok(logged.join().includes(`rm -r ${left}`));
      assert.deepEqual(setAsideHomes(dataDir), [left]);
    });

    test('is reported if it is missing, never silently replaced by an empty one', async () => {
      rmSync(await withData(), { recursive: true });
      await assert.rejects(
        home(dataDir),
        /DatabaseMisconfigured: the database of DATA_DIR .* which no longer exists: restore that folder, or delete/,
      );
      writeFileSync(path.join(dataDir, 'postgres.json'), '{"folder": "/etc", "dataDir": "/"}');
      await assert.rejects(home(dataDir), /DatabaseMisconfigured: .*postgres\.json does not name a folder in/);
    });
  }
});
