import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { makeDirectory } from './make-directory.ts';

const scratch = mkdtempSync(path.join(os.tmpdir(), 'pompa-folder-'));
after(() => rmSync(scratch, { recursive: true }));

describe('a folder', () => {
  test('is made with its parents, for its owner alone, and may exist already', () => {
    const folder = path.join(scratch, 'a/b/c');
    makeDirectory(folder);
    makeDirectory(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(path.join(scratch, 'a')).mode & 0o777, 0o700);
  });

  test('that cannot be made fails at once, also on a file system that refuses new names', () => {
    writeFileSync(path.join(scratch, 'file'), '');
    assert.throws(() => makeDirectory(path.join(scratch, 'file')), /file is no folder/);
    assert.throws(() => makeDirectory(path.join(scratch, 'file/below')), { code: 'ENOTDIR' });
    if (process.platform === 'linux') assert.throws(() => makeDirectory('/proc/pompa/data'), { code: 'ENOENT' });
  });
});
