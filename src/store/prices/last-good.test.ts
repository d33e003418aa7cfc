import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { serialize } from 'node:v8';
import { NO_PUBLISHED_FACTS, type PublishedFacts } from '../../domain/prices/facts.ts';
import { deleteLastGood, readLastGood, saveLastGood } from './last-good.ts';

let dataDir: string;
let file: string;
let historyFile: string;
let warnings: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pompa-last-good-'));
  file = path.join(dataDir, 'last-good.snapshot');
  historyFile = path.join(dataDir, HISTORY_7);
  warnings = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const facts: PublishedFacts = { ...NO_PUBLISHED_FACTS, version: 7, publishedAt: 1_795_168_800_000 };
const content = {
  facts,
  series: new Map([['0a1b2c3d4e5f', { firstDay: 20_000, ring: new Uint32Array([7_000, 0, 1]) }]]),
};
const [HISTORY_7, HISTORY_8] = ['last-good.history-7-1795168800000', 'last-good.history-8-1795168800000'];
const FILES = [HISTORY_7, 'last-good.snapshot'];
const read = () => readLastGood(dataDir, (why) => warnings.push(why));

describe('the last good facts on disk', () => {
  test('are read as they were written', async () => {
    await saveLastGood(dataDir, content);
    assert.deepEqual(await read(), content);
    assert.deepEqual(warnings, []);
  });

  test('are null without a warning if they were never written', async () => {
    assert.equal(await read(), null);
    assert.deepEqual(warnings, []);
  });

  test('are null with a warning if any byte was changed', async () => {
    await saveLastGood(dataDir, content);
    const whole = await readFile(file);
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(whole.readUInt8(at) ^ 0x20, at);
      await writeFile(file, damaged);
      assert.equal(await read(), null, `byte ${at}`);
    }
    assert.equal(warnings.length, whole.length);
    assert.match(warnings[0] ?? '', /last-good\.snapshot is damaged or of another version and was not used$/);
  });

  test('are null with a warning if truncated at any length', async () => {
    await saveLastGood(dataDir, content);
    for (let { length } = await readFile(file); length > 0; length -= 1) {
      await truncate(file, length - 1);
      assert.equal(await read(), null, `${length - 1} bytes`);
    }
  });

  test('are null with a warning if the file cannot be read', async () => {
    await mkdir(file);
    assert.equal(await read(), null);
    assert.match(warnings.join(), /cannot be read/);
  });

  test('are null with a warning if the file is too large to read, or its checksum is that of something else', async () => {
    await saveLastGood(dataDir, content);
    await truncate(file, 1e12);
    assert.equal(await read(), null);
    assert.match(warnings.at(-1) ?? '', /cannot be read: it is larger than 200 MB$/);
    for (const body of [Buffer.alloc(0), Buffer.from('ffffff7f00', 'hex'), Buffer.from('0400000001020304', 'hex')]) {
      await writeFile(file, `pompa-last-good-7 ${createHash('sha256').update(body).digest('hex')}\n`);
      await appendFile(file, body);
      assert.equal(await read(), null);
      assert.match(warnings.at(-1) ?? '', /last-good\.snapshot is damaged and was not used: /);
    }
  });

  test('are replaced atomically, even by concurrent writers, and leave no partial file', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        saveLastGood(dataDir, { ...content, facts: { ...facts, version: 7 + at } }, facts),
      ),
    );
    assert.ok((await read()) !== null);
    assert.deepEqual((await readdir(dataDir)).sort(), FILES);
  });

  test('are never replaced by those of an earlier publication, which a slower process may still be writing', async () => {
    await saveLastGood(dataDir, content);
    const earlier = { ...facts, version: 6, publishedAt: (facts.publishedAt as number) - 1_000 };
    for (const late of [earlier, { ...facts, version: 6 }, { ...facts, version: 6, publishedAt: null }]) {
      await saveLastGood(dataDir, { ...content, facts: late });
      assert.deepEqual(await read(), content);
    }
    assert.deepEqual((await readdir(dataDir)).sort(), FILES);
  });

  test('are replaced by a newer state with a lower version, as after a restore', async () => {
    await saveLastGood(dataDir, content);
    const restored = { ...facts, version: 3, publishedAt: (facts.publishedAt as number) + 1_000 };
    await saveLastGood(dataDir, { ...content, facts: restored });
    assert.equal((await read())?.facts.version, 3);
  });

  test('replace a damaged file, whatever publication it claims to be', async () => {
    const [later, cut] = [{ ...facts, version: 9 }, 90];
    await saveLastGood(dataDir, { ...content, facts: later });
    await truncate(file, cut);
    await saveLastGood(dataDir, content);
    assert.deepEqual(await read(), content);
  });

  test('remove partial files of killed processes, and leave those that may still be in use', async () => {
    const [old, oldHistory] = ['last-good.snapshot.0a1b2c3d.part', 'last-good.history.0a1b2c3d.part'];
    const young = 'last-good.snapshot.4e5f6a7b.part';
    for (const name of [old, oldHistory, young, 'other.part']) await writeFile(path.join(dataDir, name), 'half');
    const longAgo = Date.now() / 1000 - 3_600;
    for (const name of [old, oldHistory, 'other.part']) await utimes(path.join(dataDir, name), longAgo, longAgo);
    await saveLastGood(dataDir, content);
    assert.deepEqual((await readdir(dataDir)).sort(), [...FILES, young, 'other.part'].sort());
  });

  test('are read without past days, and with a warning, if those are damaged or missing', async () => {
    await saveLastGood(dataDir, content);
    await truncate(historyFile, 100);
    assert.deepEqual(await read(), { facts, series: new Map() });
    assert.match(warnings.join(), /last-good\.history-7-\d+ is damaged or of another version and was not used$/);
    await rm(historyFile);
    assert.deepEqual(await read(), { facts, series: new Map() });
    assert.match(warnings.at(-1) ?? '', /last-good\.history-7-\d+ is missing: past days are unknown$/);
    assert.equal(warnings.length, 2);
  });

  test('are nothing without prices, even if past days are there', async () => {
    await saveLastGood(dataDir, content);
    await rm(file);
    assert.equal(await read(), null);
  });

  test('keep the file of past days that no later publication changed, unless it is missing', async () => {
    await saveLastGood(dataDir, content);
    const [{ ino }, later] = [await stat(historyFile), { ...content, facts: { ...facts, version: 8 } }];
    await saveLastGood(dataDir, later, facts);
    assert.deepEqual(await read(), later);
    assert.equal((await stat(historyFile)).ino, ino);
    await rm(historyFile);
    await saveLastGood(dataDir, later, facts);
    assert.deepEqual(await read(), later);
  });

  test('never have past days of other facts: a database restored, a process killed between two files', async () => {
    await saveLastGood(dataDir, content);
    const other = { facts: { ...facts, version: 3, publishedAt: 1_795_168_700_000 }, series: new Map() };
    await saveLastGood(dataDir, other);
    assert.deepEqual(await read(), content, 'facts of an earlier moment are not taken');
    const next = { ...other, facts: { ...other.facts, version: 4, publishedAt: 1_795_168_900_000 } };
    await saveLastGood(dataDir, next, other.facts);
    assert.deepEqual(await read(), next, 'past days are those that were there before');
    const kept = await readFile(file);
    await saveLastGood(dataDir, { ...content, facts: { ...facts, version: 8, publishedAt: 1_795_169_000_000 } });
    await writeFile(file, kept);
    assert.deepEqual(await read(), next, 'the facts of the later past days were not written');
    assert.deepEqual(warnings, []);
  });

  test('remove past days that no facts have any more, but not those of the facts before', async () => {
    const age = async () => {
      for (const name of await readdir(dataDir)) await utimes(path.join(dataDir, name), 1, 1);
    };
    for (const [version, files] of [
      [7, FILES],
      [8, [HISTORY_7, HISTORY_8, 'last-good.snapshot']],
      [9, [HISTORY_8, 'last-good.history-9-1795168800000', 'last-good.snapshot']],
    ] as const) {
      await saveLastGood(dataDir, { ...content, facts: { ...facts, version } });
      assert.deepEqual((await readdir(dataDir)).sort(), files);
      await age();
    }
    const next = { ...content, facts: { ...facts, version: 10 } };
    await saveLastGood(dataDir, next, { ...facts, version: 8 });
    await saveLastGood(dataDir, next, { ...facts, version: 9 });
    assert.deepEqual((await readdir(dataDir)).sort(), [
      HISTORY_8,
      'last-good.history-9-1795168800000',
      'last-good.snapshot',
    ]);
    await saveLastGood(dataDir, next, { ...facts, version: 9 });
    assert.ok((await readdir(dataDir)).includes(HISTORY_8), 'another process has just put facts with these in place');
  });

  test('stay unchanged if the disk has no room for the next ones', async () => {
    await saveLastGood(dataDir, content);
    const padding = randomBytes(200_000).toString('base64');
    await writeFile(path.join(dataDir, 'next'), serialize({ ...content, facts: { ...facts, version: 8, padding } }));
    const program = `
      import { readFileSync } from 'node:fs';
      import { deserialize } from 'node:v8';
      const [program, dataDir] = process.argv.slice(1);
      const { saveLastGood } = await import(program);
      const save = saveLastGood(dataDir, deserialize(readFileSync(dataDir + '/next')), { version: 7, publishedAt: 1795168800000 });
      console.log(await save.then(() => 'saved', ({ code }) => code));`;
    const small = 'unset NODE_V8_COVERAGE; trap "" XFSZ; ulimit -f 100; exec "$0" --input-type=module -e "$@"';
    const run = promisify(execFile);
    const module = import.meta.resolve('./last-good.ts');
    assert.equal((await run('sh', ['-c', small, process.execPath, program, module, dataDir])).stdout.trim(), 'EFBIG');
    assert.deepEqual(await read(), content);
    assert.deepEqual((await readdir(dataDir)).sort(), [...FILES, 'next'].sort());
  });

  test('are deleted with their past days', async () => {
    await saveLastGood(dataDir, content);
    await deleteLastGood(dataDir);
    await deleteLastGood(dataDir);
    assert.deepEqual(await readdir(dataDir), []);
  });

  test('stay unchanged if they cannot be replaced', async () => {
    await saveLastGood(dataDir, content);
    const unserializable = { facts: { ...facts, later: () => undefined } as PublishedFacts, series: new Map() };
    await assert.rejects(saveLastGood(dataDir, unserializable));
    assert.deepEqual(await read(), content);
    assert.deepEqual((await readdir(dataDir)).sort(), FILES);
  });

  test('leave no partial file if they cannot be put in place', async () => {
    await mkdir(path.join(file, 'occupied'), { recursive: true });
    await assert.rejects(saveLastGood(dataDir, content));
    assert.deepEqual((await readdir(dataDir)).sort(), FILES);
  });

  test('are readable only by their owner', async () => {
    await saveLastGood(dataDir, content);
    for (const each of [file, historyFile]) assert.equal((await stat(each)).mode & 0o077, 0);
  });
});
