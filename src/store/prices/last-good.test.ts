import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { NO_PUBLISHED_FACTS, type PublishedFacts } from '../../domain/prices/facts.ts';
import { readLastGood, saveLastGood } from './last-good.ts';

let dataDir: string;
let file: string;
let warnings: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pompa-last-good-'));
  file = path.join(dataDir, 'last-good.snapshot');
  warnings = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const facts: PublishedFacts = { ...NO_PUBLISHED_FACTS, version: 7, publishedAt: 1_795_168_800_000 };
const content = {
  facts,
  series: new Map([['0a1b2c3d4e5f', { firstDay: 20_000, ring: new Uint32Array([7_000, 0, 1]) }]]),
};
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
      await writeFile(file, `pompa-last-good-5 ${createHash('sha256').update(body).digest('hex')}\n`);
      await appendFile(file, body);
      assert.equal(await read(), null);
      assert.match(warnings.at(-1) ?? '', /last-good\.snapshot is damaged and was not used: /);
    }
  });

  test('are replaced atomically, even by concurrent writers, and leave no partial file', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, version) => saveLastGood(dataDir, { ...content, facts: { ...facts, version } })),
    );
    assert.ok((await read()) !== null);
    assert.deepEqual(await readdir(dataDir), ['last-good.snapshot']);
  });

  test('are never replaced by those of an earlier publication, which a slower process may still be writing', async () => {
    await saveLastGood(dataDir, content);
    const earlier = { ...facts, version: 6, publishedAt: (facts.publishedAt as number) - 1_000 };
    for (const late of [earlier, { ...facts, version: 6 }, { ...facts, version: 6, publishedAt: null }]) {
      await saveLastGood(dataDir, { ...content, facts: late });
      assert.deepEqual(await read(), content);
    }
    assert.deepEqual(await readdir(dataDir), ['last-good.snapshot']);
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
    const [old, young] = ['last-good.snapshot.0a1b2c3d.part', 'last-good.snapshot.4e5f6a7b.part'];
    for (const name of [old, young, 'other.part']) await writeFile(path.join(dataDir, name), 'half');
    const longAgo = Date.now() / 1000 - 3_600;
    for (const name of [old, 'other.part']) await utimes(path.join(dataDir, name), longAgo, longAgo);
    await saveLastGood(dataDir, content);
    assert.deepEqual((await readdir(dataDir)).sort(), ['last-good.snapshot', young, 'other.part']);
  });

  test('stay unchanged if they cannot be replaced', async () => {
    await saveLastGood(dataDir, content);
    const unserializable = { facts: { ...facts, later: () => undefined } as PublishedFacts, series: new Map() };
    await assert.rejects(saveLastGood(dataDir, unserializable));
    assert.deepEqual(await read(), content);
    assert.deepEqual(await readdir(dataDir), ['last-good.snapshot']);
  });

  test('leave no partial file if they cannot be put in place', async () => {
    await mkdir(path.join(file, 'occupied'), { recursive: true });
    await assert.rejects(saveLastGood(dataDir, content));
    assert.deepEqual(await readdir(dataDir), ['last-good.snapshot']);
  });

  test('are readable only by their owner', async () => {
    await saveLastGood(dataDir, content);
    const { mode } = await import('node:fs/promises').then(({ stat }) => stat(file));
    assert.equal(mode & 0o077, 0);
  });
});
