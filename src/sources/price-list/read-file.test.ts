import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { NoResponse } from '../../clients/http/response.ts';
import { readListFile } from './read-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-list-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string) => path.join(folder, name);
const rejection = async (name: string, maxBytes = 1_000_000) => {
  const error = await readListFile(place(name), maxBytes).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NoResponse, `${error}`);
  return error.message.replace(place(name), 'FILE');
};

describe('a list in a file', () => {
  test('becomes an answer with the type of its extension', async () => {
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

  test('that does not exist, or is below a file, is named in the error', async () => {
    writeFileSync(place('a.csv'), '');
    assert.equal(await rejection('b.csv'), 'there is no file FILE');
    assert.equal(await rejection('a.csv/b.csv'), 'there is no file FILE');
  });

  test('that is a folder, a pipe or a device is rejected, without waiting for a writer', async () => {
    mkdirSync(place('folder'));
    assert.equal(await rejection('folder'), 'FILE is a folder, not a file');
    assert.equal(spawnSync('mkfifo', [place('pipe')]).status, 0);
    assert.equal(await rejection('pipe'), 'FILE is a device, pipe or socket, not a regular file');
    await assert.rejects(readListFile('/dev/zero', 10), /^Error: \/dev\/zero is a device, pipe or socket/);
  });

  test('that is too large is not read', async () => {
    writeFileSync(place('a.csv'), '');
    truncateSync(place('a.csv'), 20_000_001);
    assert.equal(await rejection('a.csv', 20_000_000), 'FILE is larger than 20 MB');
  });

  test('without read permission is named in the error, except for root', async () => {
    writeFileSync(place('a.csv'), 'x');
    chmodSync(place('a.csv'), 0);
    if (process.getuid?.() === 0) assert.equal((await readListFile(place('a.csv'), 10)).body.length, 1);
    else assert.equal(await rejection('a.csv'), 'this user may not read FILE');
  });

  test('with an invalid name is named in the error', async () => {
    assert.match(await rejection('a'.repeat(300)), /^FILE cannot be read: ENAMETOOLONG/);
  });
});
