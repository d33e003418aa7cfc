import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { makeRunFolder, runFolder } from './socket-directory.ts';

describe('the folder of the sockets', () => {
  let folder: string;
  let long: string;
  const made = new Set<string>();

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-run-'));
    long = path.join(folder, 'l'.repeat(120));
    mkdirSync(long);
  });
  afterEach(() => {
    for (const each of [folder, ...made]) rmSync(each, { recursive: true, force: true });
    made.clear();
  });

  const make = (home: string, temporary: string) => {
    const run = makeRunFolder(home, temporary);
    made.add(run);
    return run;
  };

  test('lies beside the data where its path is short enough', () => {
    assert.equal(runFolder(folder), undefined);
    assert.equal(make(folder, '/nowhere'), path.join(folder, 'run'));
    assert.equal(runFolder(folder), path.join(folder, 'run'));
    assert.equal(statSync(path.join(folder, 'run')).mode & 0o777, 0o700);
  });

  test('lies in the temporary folder where the path is too long, and is found from the data', () => {
    const run = make(long, folder);
    assert.equal(path.dirname(run), folder);
    assert.equal(lstatSync(run).mode & 0o777, 0o700);
    assert.equal(runFolder(long), run);
    assert.equal(make(long, '/tmp'), run, 'one that exists is kept, whatever TMPDIR says now');
  });

  test('lies in /tmp where the path of the temporary folder is too long as well', () => {
    assert.equal(path.dirname(make(long, long)), '/tmp');
  });

  test('is made again after the temporary folder was cleared', () => {
    const run = make(long, folder);
    rmSync(run, { recursive: true });
    assert.equal(runFolder(long), undefined);
    assert.equal(make(long, folder), run);
    assert.ok(existsSync(run));
  });

  test('of a copied or moved DATA_DIR is its own', () => {
    const run = make(long, folder);
    const moved = path.join(folder, 'm'.repeat(120));
    renameSync(long, moved);
    assert.equal(runFolder(moved), undefined);
    assert.notEqual(make(moved, folder), run);
  });

  test('that others may enter is refused', () => {
    const run = make(long, folder);
    chmodSync(run, 0o755);
    assert.equal(runFolder(long), undefined);
    assert.throws(() => makeRunFolder(long, folder), /DatabaseMisconfigured: .* is not a folder of user \d+ alone/);
  });
});
