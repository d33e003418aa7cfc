import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { NoAnswer } from '../source.ts';
import { readListFile } from './read-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-list-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string) => path.join(folder, name);
const refusal = async (name: string, maxBytes = 1_000_000) => {
  const error = await readListFile(place(name), maxBytes).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NoAnswer, `${error}`);
  return error.message.replace(place(name), 'FILE');
};

describe('a list in a file', () => {
  test('is an answer, its type told by the extension', async () => {
    for (const [name, contentType] of [
      ['a.csv', 'text/csv'],
      ['a.TSV', 'text/tab-separated-values'],
      ['a.json', 'application/json'],
      ['a.html', 'text/html'],
      ['a.htm', 'text/html'],
      ['a.txt', ''],
      ['a', ''],
    ] as const) {
      writeFileSync(place(name), 'ș');
      assert.deepEqual(await readListFile(place(name), 2), { status: 200, contentType, body: Buffer.from('ș') });
    }
  });

  test('that is not there, or below a file, is named', async () => {
    writeFileSync(place('a.csv'), '');
    assert.equal(await refusal('b.csv'), 'there is no file FILE');
    assert.equal(await refusal('a.csv/b.csv'), 'there is no file FILE');
  });

  test('that is a folder, a pipe or a device is refused, without waiting for a writer', async () => {
    mkdirSync(place('folder'));
    assert.equal(await refusal('folder'), 'FILE is a folder, where a file is needed');
    assert.equal(spawnSync('mkfifo', [place('pipe')]).status, 0);
    assert.equal(await refusal('pipe'), 'FILE is a device, pipe or socket, where an ordinary file is needed');
    await assert.rejects(readListFile('/dev/zero', 10), /^Error: \/dev\/zero is a device, pipe or socket/);
  });

  test('that is too large is not read', async () => {
    writeFileSync(place('a.csv'), '');
    truncateSync(place('a.csv'), 20_000_001);
    assert.equal(await refusal('a.csv', 20_000_000), 'FILE is larger than 20 MB');
  });

  test('that may not be read is named; root may read all', async () => {
    writeFileSync(place('a.csv'), 'x');
    chmodSync(place('a.csv'), 0);
    if (process.getuid?.() === 0) assert.equal((await readListFile(place('a.csv'), 10)).body.length, 1);
    else assert.equal(await refusal('a.csv'), 'FILE may not be read by this user');
  });

  test('whose name cannot be one is named', async () => {
    assert.match(await refusal('a'.repeat(300)), /^FILE cannot be read: ENAMETOOLONG/);
  });
});
