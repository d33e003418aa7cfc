import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { writeAtomically } from './write-atomically.ts';

let folder: string;
let file: string;

describe('a file that is written atomically', () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-write-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const names = () => readdirSync(folder);
  const content = () => readFileSync(file, 'utf8');

  test('does not exist before it is complete, and replaces the previous file whole', async () => {
    await writeAtomically(file, async (temporary) => {
      await writeFile(temporary, 'one');
      assert.ok(!names().includes('file'));
    });
    assert.equal(content(), 'one');
    await writeAtomically(file, async (temporary) => {
      await writeFile(temporary, 'two');
      assert.equal(content(), 'one');
    });
    assert.equal(content(), 'two');
    assert.deepEqual(names(), ['file']);
  });

  test('leaves the previous file and no temporary one when writing fails', async () => {
    await writeAtomically(file, (temporary) => writeFile(temporary, 'one'));
    const broken = writeAtomically(file, async (temporary) => {
      await writeFile(temporary, 'tw');
      throw new Error('the disk is full');
    });
    await assert.rejects(broken, /the disk is full/);
    assert.equal(content(), 'one');
    assert.deepEqual(names(), ['file']);
  });

  test('leaves nothing behind when it cannot be renamed', async () => {
    mkdirSync(file);
    await assert.rejects(writeAtomically(file, (temporary) => writeFile(temporary, 'one')));
    assert.deepEqual(names(), ['file']);
  });

  test('is discarded when it is no longer wanted', async () => {
    await writeAtomically(file, (temporary) => writeFile(temporary, 'one'), { isWanted: async () => false });
    assert.deepEqual(names(), []);
  });

  test('may start under the caller’s temporary name', async () => {
    const temporary = path.join(folder, 'begun.part');
    await writeFile(temporary, 'one');
    await writeAtomically(file, async (name) => assert.equal(name, temporary), { temporary });
    assert.equal(content(), 'one');
    assert.deepEqual(names(), ['file']);
  });
});
