import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findSocketDirectory, makeSocketDirectory } from './socket-directory.ts';

describe('the socket directory', () => {
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
    const run = makeSocketDirectory(home, temporary);
    made.add(run);
    return run;
  };

  test('is next to the data if its path is short enough', () => {
    assert.equal(findSocketDirectory(folder), undefined);
    assert.equal(make(folder, '/nowhere'), path.join(folder, 'run'));
    assert.equal(findSocketDirectory(folder), path.join(folder, 'run'));
    assert.equal(statSync(path.join(folder, 'run')).mode & 0o777, 0o700);
  });

  test('lies in the temporary folder if the path is too long, and is found from the data', () => {
    const run = make(long, folder);
    assert.equal(path.dirname(run), folder);
    assert.equal(lstatSync(run).mode & 0o777, 0o700);
    assert.equal(findSocketDirectory(long), run);
    assert.equal(make(long, '/tmp'), run, 'one that exists is kept, whatever TMPDIR says now');
  });

  test('lies in /tmp if the path of the temporary folder is too long as well', () => {
    assert.equal(path.dirname(make(long, long)), '/tmp');
  });

  test('is created again after the temporary folder was cleared', () => {
    const run = make(long, folder);
    rmSync(run, { recursive: true });
    assert.equal(findSocketDirectory(long), undefined);
    assert.equal(make(long, folder), run);
    assert.ok(existsSync(run));
  });

  test('is a separate one for a copied or moved DATA_DIR', () => {
    const run = make(long, folder);
    const moved = path.join(folder, 'm'.repeat(120));
    renameSync(long, moved);
    assert.equal(findSocketDirectory(moved), undefined);
    assert.notEqual(make(moved, folder), run);
  });

  test('is refused if others can access it', () => {
    const run = make(long, folder);
    chmodSync(run, 0o755);
    assert.equal(findSocketDirectory(long), undefined);
    assert.throws(
      () => makeSocketDirectory(long, folder),
      /DatabaseMisconfigured: .* is not a folder that only user \d+ can access/,
    );
  });
});
