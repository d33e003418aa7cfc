import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { archiveFolder, archivePath, listArchives } from './archive.ts';
import { pruneArchives } from './prune-archives.ts';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let dataDir: string;
let undelivered: Map<number, 'set_aside' | 'failed'>;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pompa-prune-'));
  undelivered = new Map();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const prune = () => pruneArchives(dataDir, 'register', { undelivered, now: NOW });
const kept = () => listArchives(dataDir, 'register');

/** Writes a file of the given size, in bytes, which takes no space on the disk. */
async function write(path: string, writtenAt: number, bytes = 0): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  await truncate(path, bytes);
  await utimes(path, writtenAt / 1000, writtenAt / 1000);
}

async function run(at: number, bytes = 0, outcome?: 'set_aside' | 'failed'): Promise<number> {
  await write(archivePath(dataDir, 'register', at), at, bytes);
  if (outcome !== undefined) undelivered.set(at, outcome);
  return at;
}

describe('pruning the archive of a source', () => {
  test('removes runs dated and written more than 30 days ago, and keeps a backfilled day and other files', async () => {
    await run(NOW - 30 * DAY - 1_000);
    const young = await run(NOW - 30 * DAY);
    const backfilled = NOW - 90 * DAY;
    await write(archivePath(dataDir, 'register', backfilled), NOW);
    await write(join(archiveFolder(dataDir, 'register'), 'notes.txt'), NOW - 90 * DAY);
    assert.equal(await prune(), 1);
    assert.deepEqual(await kept(), [backfilled, young]);
    assert.ok((await readdir(archiveFolder(dataDir, 'register'))).includes('notes.txt'));
    assert.equal(await pruneArchives(dataDir, 'nothing', { undelivered, now: NOW }), 0);
  });

  test('removes failed runs and unfinished files after 2 days', async () => {
    await run(NOW - 2 * DAY - 1_000, 1, 'failed');
    const failed = await run(NOW - 2 * DAY, 1, 'failed');
    const setAside = await run(NOW - 20 * DAY, 1, 'set_aside');
    for (const age of [1, 3]) await write(join(archiveFolder(dataDir, 'register'), `${age}.part`), NOW - age * DAY);
    assert.equal(await prune(), 2);
    assert.deepEqual(await kept(), [setAside, failed]);
    assert.ok((await readdir(archiveFolder(dataDir, 'register'))).includes('1.part'));
  });

  test('keeps at most 24 failed runs and 256 MB of them, the newest', async () => {
    const all: number[] = [];
    for (let index = 0; index < 30; index += 1) all.unshift(await run(NOW - index * HOUR, 1_000_000, 'failed'));
    await prune();
    assert.deepEqual(await kept(), all.slice(-24));
    for (const at of all.slice(-24)) await run(at, 100_000_000, 'failed');
    await prune();
    assert.deepEqual(await kept(), all.slice(-2));
  });

  test('keeps at most 4 GB: the oldest failed runs go first, then those set aside, and the newest delivered ones stay', async () => {
    const delivered: number[] = [];
    for (let day = 3; day >= 1; day -= 1) delivered.push(await run(NOW - day * DAY, 1_000_000_000));
    const setAside = await run(NOW - DAY + HOUR, 950_000_000, 'set_aside');
    const older = await run(NOW - 2 * HOUR, 40_000_000, 'failed');
    const newer = await run(NOW - HOUR, 40_000_000, 'failed');
    assert.equal(await prune(), 1);
    assert.deepEqual(await kept(), [...delivered, setAside, newer], `without ${older}`);
    const next = await run(NOW, 1_000_000_000);
    assert.equal(await prune(), 2);
    assert.deepEqual(await kept(), [...delivered, next]);
    const huge = await run(NOW + 1_000, 3_500_000_000);
    await prune();
    assert.deepEqual(await kept(), [huge]);
  });
});
