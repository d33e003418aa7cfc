/** A backup as a file: complete or absent, readable only by its owner, and usable with standard tools. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CONTENTS, collected, DUMP, dumpOf, unpacked } from '../../../test/support/backup-archive.ts';
import type { Contents, TableRows } from './contents.ts';
import { openBackup } from './open-backup.ts';
import { writeBackup } from './write-backup.ts';

const NEVER = new AbortController().signal;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-'));
  file = path.join(folder, 'x.backup');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a backup that is written', () => {
  test('is complete, readable only by its owner, and alone in its folder', async () => {
    const { contents, bytes } = await writeBackup(file, dumpOf(DUMP), NEVER);
    assert.deepEqual(readdirSync(folder), ['x.backup']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(file).size, bytes);
    const backup = await openBackup(file);
    assert.equal(backup.bytes, bytes);
    assert.deepEqual(backup.contents, contents);
    assert.partialDeepStrictEqual(contents, CONTENTS);
    assert.deepEqual(await collected(backup.rows()), await collected(dumpOf(DUMP)));
    await backup.close();
  });

  test('is a zstd-compressed tar archive: the manifest with digests, then the rows of each table', async () => {
    await writeBackup(file, dumpOf(DUMP), NEVER);
    const members = await unpacked(readFileSync(file));
    const copies = ['stations.0001.copy', 'stations.0002.copy', 'runs.0001.copy'];
    assert.deepEqual([...members.keys()], ['manifest.json', ...copies]);
    assert.equal(members.get('runs.0001.copy')?.toString(), '1\t\\N\n');
    const { tables, ...manifest } = JSON.parse(String(members.get('manifest.json')));
    const { tables: _, ...rest } = CONTENTS;
    assert.deepEqual(manifest, { format: 'pompa-backup', version: 2, ...rest });
    for (const { name, bytes, sha256 } of tables.flatMap((table: { members: unknown[] }) => table.members)) {
      const content = members.get(name) as Buffer;
      assert.deepEqual([bytes, sha256], [content.length, createHash('sha256').update(content).digest('hex')]);
    }
  });

  test('replaces nothing that exists, not even a dangling link', async () => {
    writeFileSync(file, 'precious');
    await assert.rejects(writeBackup(file, dumpOf(DUMP), NEVER), /x\.backup exists already and is not overwritten/);
    assert.equal(readFileSync(file, 'utf8'), 'precious');
    symlinkSync('/nowhere', path.join(folder, 'link'));
    await assert.rejects(writeBackup(path.join(folder, 'link'), dumpOf(DUMP), NEVER), /exists already/);
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'x.backup']);
  });

  test('does not replace a file created meanwhile: one of two writers wins', async () => {
    const both = await Promise.allSettled([1, 2].map(() => writeBackup(file, dumpOf(DUMP), NEVER)));
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(readdirSync(folder), ['x.backup']);
    await (await openBackup(file)).close();
  });

  test('leaves nothing behind when the dump fails or the process is stopped', async () => {
    const [first] = DUMP as [TableRows];
    let closed = 0;
    const failing = async function* () {
      yield first;
      throw new Error('the database is gone');
    };
    await assert.rejects(writeBackup(file, failing(), NEVER), /^Error: the database is gone$/);
    const stop = new AbortController();
    const endless = async function* (): AsyncGenerator<TableRows | Contents> {
      try {
        for (let count = 0; ; count += 1) {
          if (count === 100) stop.abort();
          yield { table: 'stations', bytes: Buffer.alloc(60_000, count) };
        }
      } finally {
        closed += 1;
      }
    };
    await assert.rejects(writeBackup(file, endless(), stop.signal), { name: 'AbortError' });
    assert.equal(closed, 1);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('reports why its file cannot be written', async () => {
    const absent = path.join(folder, 'no', 'x.backup');
    await assert.rejects(
      writeBackup(absent, dumpOf(DUMP), NEVER),
      /x\.backup cannot be written: its folder does not exist$/,
    );
    await assert.rejects(writeBackup(folder, dumpOf(DUMP), NEVER), /exists already/);
    writeFileSync(file, '');
    const below = path.join(file, 'y.backup');
    await assert.rejects(
      writeBackup(below, dumpOf(DUMP), NEVER),
      /y\.backup cannot be written: its parent is not a folder$/,
    );
  });
});
