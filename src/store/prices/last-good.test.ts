import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { serialize } from 'node:v8';
import { NO_PUBLISHED_FACTS, type PublishedFacts } from '../../domain/prices/facts.ts';
import { deleteLastGood, readLastGood, saveLastGood } from './last-good.ts';
import { packFacts } from './pack-facts.ts';
import { pieceOf } from './snapshot-pieces.ts';

let dataDir: string;
let file: string;
let warnings: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pompa-last-good-'));
  file = path.join(dataDir, 'last-good.snapshot');
  warnings = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Past days of one station, all of this price. */
const daysAt = (price: number) =>
  new Map([['0a1b2c3d4e5f', { firstDay: 20_000, ring: new Uint32Array([price, 0, 1]) }]]);
const facts: PublishedFacts = { ...NO_PUBLISHED_FACTS, version: 7, publishedAt: 1_795_168_800_000 };
const content = {
  facts,
  series: daysAt(7_000),
};
const names = async () => (await readdir(dataDir)).sort();
const historyFiles = async () => (await names()).filter((name) => name.startsWith('last-good.history-'));
/** Asserts that there are facts, past days, and nothing else of theirs; returns the path of the past days. */
async function onlyHistory(others: readonly string[] = []): Promise<string> {
  const [history = 'none', ...rest] = (await names()).filter((name) => !others.includes(name));
  assert.match(history, /^last-good\.history-[0-9a-f]{32}$/);
  assert.deepEqual(rest, ['last-good.snapshot']);
  return path.join(dataDir, history);
}
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
    const packed = await packFacts(facts);
    const notPlaces = [
      null,
      { version: 7, publishedAt: '1', history: '0'.repeat(32) },
      { ...facts, history: '../other' },
    ].map((place) => Buffer.concat([pieceOf(place), packed]));
    const notPieces = [Buffer.alloc(0), Buffer.from('ffffff7f00', 'hex'), Buffer.from('0400000001020304', 'hex')];
    for (const body of [...notPieces, ...notPlaces]) {
      await writeFile(file, `pompa-last-good-7 ${createHash('sha256').update(body).digest('hex')}\n`);
      await appendFile(file, body);
      assert.equal(await read(), null);
      assert.match(warnings.at(-1) ?? '', /last-good\.snapshot is damaged and was not used: /);
    }
  });

  test('are replaced atomically, even by concurrent writers, and leave no partial file', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        saveLastGood(dataDir, { facts: { ...facts, version: 7 + at }, series: daysAt(7_000 + at) }),
      ),
    );
    const { version = 0, ...found } = (await read())?.facts ?? {};
    assert.deepEqual(await read(), { facts: { ...found, version }, series: daysAt(6_993 + version) });
    assert.deepEqual(warnings, []);
    assert.equal((await names()).filter((name) => name.endsWith('.part')).length, 0);
  });

  test('are never replaced by those of an earlier publication, which a slower process may still be writing', async () => {
    await saveLastGood(dataDir, content);
    const earlier = { ...facts, version: 6, publishedAt: (facts.publishedAt as number) - 1_000 };
    for (const late of [earlier, { ...facts, version: 6 }, { ...facts, version: 6, publishedAt: null }]) {
      await saveLastGood(dataDir, { facts: late, series: daysAt(6_900) });
      assert.deepEqual(await read(), content);
    }
    await onlyHistory();
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
    const [old, oldHistory] = ['last-good.snapshot.0a1b2c3d.part', `last-good.history-${'0'.repeat(32)}.0a1b2c3d.part`];
    const young = 'last-good.snapshot.4e5f6a7b.part';
    for (const name of [old, oldHistory, young, 'other.part']) await writeFile(path.join(dataDir, name), 'half');
    const longAgo = Date.now() / 1000 - 3_600;
    for (const name of [old, oldHistory, 'other.part']) await utimes(path.join(dataDir, name), longAgo, longAgo);
    await saveLastGood(dataDir, content);
    await onlyHistory([young, 'other.part']);
    assert.ok((await names()).includes(young) && (await names()).includes('other.part'));
  });

  test('are read without past days, and with a warning, if those are damaged or missing', async () => {
    await saveLastGood(dataDir, content);
    await truncate(await onlyHistory(), 60);
    assert.deepEqual(await read(), { facts, series: new Map() });
    assert.match(warnings.join(), /last-good\.history-[0-9a-f]+ is damaged or of another version and was not used$/);
    await rm(await onlyHistory());
    assert.deepEqual(await read(), { facts, series: new Map() });
    assert.match(warnings.at(-1) ?? '', /last-good\.history-[0-9a-f]+ is missing: past days are unknown$/);
    assert.equal(warnings.length, 2);
  });

  test('are nothing without prices, even if past days are there', async () => {
    await saveLastGood(dataDir, content);
    await rm(file);
    assert.equal(await read(), null);
  });

  test('keep the file of past days that are saved, unless it is missing', async () => {
    const digest = await saveLastGood(dataDir, content);
    const [{ ino }, later] = [await stat(await onlyHistory()), { ...content, facts: { ...facts, version: 8 } }];
    await saveLastGood(dataDir, later, digest);
    assert.deepEqual(await read(), later);
    assert.equal((await stat(await onlyHistory())).ino, ino);
    await rm(await onlyHistory());
    await saveLastGood(dataDir, later, digest);
    assert.deepEqual(await read(), later);
  });

  test('write past days that another process has saved once more, since its file may be damaged', async () => {
    await saveLastGood(dataDir, content);
    await truncate(await onlyHistory(), 60);
    await saveLastGood(dataDir, content);
    assert.deepEqual(await read(), content);
  });

  test('never have past days of other facts: a database put back, a process killed between two files', async () => {
    await saveLastGood(dataDir, content);
    const again = { facts, series: daysAt(7_100) };
    await saveLastGood(dataDir, again);
    assert.deepEqual(await read(), again, 'of the same version and time');
    const kept = await readFile(file);
    await saveLastGood(dataDir, { facts: { ...facts, version: 8 }, series: daysAt(7_200) });
    await writeFile(file, kept);
    assert.deepEqual(await read(), again, 'past days of the next facts are there, these facts are not');
    assert.deepEqual(warnings, []);
  });

  test('remove past days that no facts have any more, but not those of the facts before', async () => {
    const age = async () => {
      for (const name of await readdir(dataDir)) await utimes(path.join(dataDir, name), 1, 1);
    };
    const save = async (version: number, price: number) => {
      await saveLastGood(dataDir, { facts: { ...facts, version }, series: daysAt(price) });
      return historyFiles();
    };
    const [first] = await save(7, 7_000);
    await age();
    const second = (await save(8, 7_100)).filter((name) => name !== first);
    assert.deepEqual([...(await historyFiles())].sort(), [first, ...second].sort(), 'a starting process may read them');
    await age();
    assert.deepEqual((await save(9, 7_200)).includes(first as string), false);
    assert.ok((await historyFiles()).includes(second[0] as string));
    assert.equal((await save(10, 7_300)).includes(second[0] as string), true, 'marked when their facts were replaced');
    for (let version = 11; version < 30; version += 1) await save(version, 7_300 + version);
    assert.ok((await historyFiles()).length <= 6, 'however quickly they follow each other');
  });

  test('are saved although an abandoned file cannot be removed', async () => {
    const stuck = path.join(dataDir, 'last-good.history');
    await mkdir(path.join(stuck, 'occupied'), { recursive: true });
    await utimes(stuck, 1, 1);
    await saveLastGood(dataDir, content);
    assert.deepEqual(await read(), content);
  });

  test('do not replace later ones that another process saves while these are being written', async (t) => {
    const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'pompa-last-good-'));
    t.after(() => rm(elsewhere, { recursive: true }));
    const later = { facts: { ...facts, version: 8 }, series: daysAt(7_100) };
    await saveLastGood(elsewhere, later);
    const series = daysAt(7_000);
    const entries = series[Symbol.iterator].bind(series);
    let readings = 0;
    series[Symbol.iterator] = () => {
      readings += 1;
      if (readings === 2) cpSync(elsewhere, dataDir, { recursive: true });
      return entries();
    };
    await saveLastGood(dataDir, { facts, series });
    assert.equal(readings, 2, 'once for the digest, once for the file');
    assert.deepEqual(await read(), later);
  });

  test('stay unchanged if the disk has no room for the next ones', async () => {
    await saveLastGood(dataDir, content);
    const padding = randomBytes(200_000).toString('base64');
    await writeFile(path.join(dataDir, 'next'), serialize({ ...content, facts: { ...facts, version: 8, padding } }));
    const program = `
      import { readFileSync } from 'node:fs';
      import { deserialize } from 'node:v8';
      const [module, dataDir] = process.argv.slice(1);
      const { saveLastGood } = await import(module);
      const save = saveLastGood(dataDir, deserialize(readFileSync(dataDir + '/next')));
      console.log(await save.then(() => 'saved', ({ code }) => code));`;
    const small = 'unset NODE_V8_COVERAGE; trap "" XFSZ; ulimit -f 100; exec "$0" --input-type=module -e "$@"';
    const run = promisify(execFile);
    const module = import.meta.resolve('./last-good.ts');
    assert.equal((await run('sh', ['-c', small, process.execPath, program, module, dataDir])).stdout.trim(), 'EFBIG');
    assert.deepEqual(await read(), content);
    await onlyHistory(['next']);
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
    await onlyHistory();
  });

  test('leave no partial file if they cannot be put in place', async () => {
    await mkdir(path.join(file, 'occupied'), { recursive: true });
    await assert.rejects(saveLastGood(dataDir, content));
    await onlyHistory();
  });

  test('are readable only by their owner', async () => {
    await saveLastGood(dataDir, content);
    for (const each of [file, await onlyHistory()]) assert.equal((await stat(each)).mode & 0o077, 0);
  });
});
