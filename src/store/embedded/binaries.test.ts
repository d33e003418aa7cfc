import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findBinaries } from './binaries.ts';

describe('the programs of PostgreSQL', () => {
  let folder: string;
  let home: string;
  let native: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-binaries-'));
    [home, native] = [path.join(folder, 'home'), path.join(folder, 'package/native')];
    mkdirSync(home);
    for (const part of ['bin', 'lib', 'share']) mkdirSync(path.join(native, part), { recursive: true });
    for (const file of ['bin/initdb', 'bin/postgres', 'lib/libx.so.1.2', 'lib/libx.a', 'share/zones']) {
      writeFileSync(path.join(native, file), file, { mode: 0o600 });
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
  const found = (more: typeof links = []) => ({ native, version: '1', links: [...links, ...more] });

  test('run where they are installed, with missing library links created there', async () => {
    const { postgres, initdb } = await findBinaries(home, found(), false);
    assert.deepEqual([postgres, initdb], [path.join(native, 'bin/postgres'), path.join(native, 'bin/initdb')]);
    assert.equal(readlinkSync(path.join(native, 'lib/libx.so.1')), 'libx.so.1.2');
  });

  test('are copied next to the data if the links cannot be created, readable by all, without files that only compilers need', async () => {
    const impossible = [{ source: 'native/nowhere/liby.so.1.2', target: 'native/nowhere/liby.so.1' }];
    const { postgres } = await findBinaries(home, found(impossible), false);
    const copy = path.join(home, 'binaries-1');
    assert.equal(postgres, path.join(copy, 'bin/postgres'));
    assert.equal(readlinkSync(path.join(copy, 'lib/libx.so.1')), 'libx.so.1.2');
    assert.ok(!existsSync(path.join(copy, 'lib/libx.a')));
    for (const part of ['.', 'bin', 'bin/postgres', 'share/zones']) {
      assert.equal(statSync(path.join(copy, part)).mode & 0o005, 0o005, part);
    }
  });

  test('are copied once, even by two concurrent callers; an abandoned copy is removed after ten minutes', async () => {
    const [old, young] = ['.binaries-1-1', '.binaries-2-2'].map((name) => path.join(home, name));
    assert.ok(old && young);
    for (const abandoned of [old, young]) mkdirSync(path.join(abandoned, 'native'), { recursive: true });
    utimesSync(old, 0, 0);
    const impossible = [{ source: 'native/nowhere/liby.so.1.2', target: 'native/nowhere/liby.so.1' }];
    const ask = () => findBinaries(home, found(impossible), false);
    assert.deepEqual(...((await Promise.all([ask(), ask()])) as [unknown, unknown]));
    assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
    chmodSync(native, 0);
    await ask();
    chmodSync(native, 0o700);
  });

  test('exist for this machine', async () => {
    assert.ok(existsSync((await findBinaries(home)).postgres));
  });
});
